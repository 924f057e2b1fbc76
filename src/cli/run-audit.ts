import { InputError, printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { auditBlocks } from '../verify/audit/audit-blocks.js';
import type { AuditReport } from '../verify/audit/audit-report.js';
import { auditText } from './audit-text.js';
import { EXIT } from './exit-code.js';
import { readIdentities } from './identity-input.js';
import { readingProgress } from './reading-progress.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, processTerminal } from './terminal.js';

/** The options of `audit`. */
export interface AuditFlags {
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly alpha?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Audits blocks and shows the report. */
export async function runAudit(paths: readonly string[], flags: AuditFlags): Promise<void> {
  const alpha = flags.alpha === undefined ? undefined : parseAlpha(flags.alpha);
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  const terminal = processTerminal(flags);
  const identities = await readIdentities(flags.identity, terminal.note);
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('the blocks were not audited to their end');
  const onBytes = readingProgress(bar, paths);
  let report: AuditReport;
  try {
    const options = { game, identities, alpha, onBytes, signal: signals.signal };
    report = await auditBlocks(paths, options);
  } finally {
    bar.stop();
    signals.stop();
  }
  if (flags.json === true) terminal.write(`${JSON.stringify(report)}\n`);
  else if (flags.quiet !== true) terminal.write(auditText(report));
  if (!report.passes) process.exitCode = EXIT.nonconforming;
}

/** A chance between 0 and 1, such as 0.001 or 1e-6. */
function parseAlpha(text: string): number {
  const alpha = /^\d*\.?\d+(?:e-\d+)?$/i.test(text) ? Number(text) : 0;
  if (alpha > 0 && alpha < 1) return alpha;
  const message = `--alpha ${printable(text, 40)} is no chance between 0 and 1; write one such as 1e-6`;
  throw new InputError('bad-number', message);
}
