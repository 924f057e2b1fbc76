import { Command } from 'commander';
import { InputError, printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import type { AuditReport } from '../verify/audit/audit-report.js';
import { EXIT } from './exit-code.js';
import { definitionOption, textOption } from './options.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, processTerminal } from './terminal.js';

interface AuditFlags {
  readonly definition?: string;
  readonly alpha?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  gen-block audit output/eldorado-100-e1-b1
  gen-block audit output/eldorado-100-e1-b* --json
  gen-block audit output/eldorado-100-e1-b1 --alpha 1e-3

Exit codes: 0 no alarm, 1 an alarm or a block that does not conform, 2 wrong usage, 3 the machine
failed. What each test looks at, and what it cannot see: docs/audit.md.`;

/** `gen-block audit`. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('verify blocks and test their statistics, each by itself and together')
    .argument('<blocks...>', "block folders or their manifest.json; each game's together")
    .addOption(definitionOption())
    .addOption(textOption('--alpha <chance>', 'chance of a false alarm in all (default 1e-6)'))
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: AuditFlags) => {
      await runAudit(paths, flags);
    });
}

async function runAudit(paths: readonly string[], flags: AuditFlags): Promise<void> {
  const alpha = flags.alpha === undefined ? undefined : parseAlpha(flags.alpha);
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  // The tests are many files, which no other command needs.
  const [{ auditBlocks }, { auditText }] = await Promise.all([
    import('../verify/audit/audit-blocks.js'),
    import('./audit-text.js'),
  ]);
  const terminal = processTerminal(flags);
  const bar = new ProgressBar(terminal);
  const signals = abortOnSignals('the blocks were not audited to their end');
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    bar.show({ phase: 'verifying', done, total: done });
  };
  let report: AuditReport;
  try {
    report = await auditBlocks(paths, { game, alpha, onBytes, signal: signals.signal });
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
