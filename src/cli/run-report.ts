import { InputError, printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { reportBlock, type BlockReport } from '../view/report-block.js';
import { checkTarget } from './check-target.js';
import { EXIT } from './exit-code.js';
import { readIdentities } from './identity-input.js';
import { readingProgress } from './reading-progress.js';
import { abortOnSignals } from './signals.js';
import { processTerminal, ProgressBar } from './terminal.js';
import { writeWholeFile } from './write-whole-file.js';

/** The options of `report`. */
export interface ReportFlags {
  readonly out: string;
  readonly public?: boolean;
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Makes a report on a block, and writes it. */
export async function runReport(path: string, flags: ReportFlags): Promise<void> {
  const { out, force = false } = flags;
  const terminal = processTerminal(flags);
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  if (out !== '-') await checkTarget(path, out, { force });
  else if (force) {
    throw new InputError('usage', '--force is for a file, and --out - has none; leave it out');
  }
  const identities = await readIdentities(flags.identity, terminal.note);
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('no report was made');
  const onBytes = readingProgress(bar, [path]);
  let report: BlockReport;
  try {
    const isPublic = flags.public === true;
    const options = { game, identities, isPublic, onBytes, signal: signals.signal };
    report = await reportBlock(path, options);
  } finally {
    bar.stop();
    signals.stop();
  }
  if (out === '-') terminal.write(report.page);
  else await writeWholeFile(out, { force }, (write) => write(Buffer.from(report.page)));
  if (!report.passes) process.exitCode = EXIT.nonconforming;
  if (out !== '-') terminal.note(doneText(out, report, flags));
}

function doneText(out: string, { passes }: BlockReport, flags: ReportFlags): string {
  const result = passes ? 'the block conforms and no test alarms' : 'something is wrong, read it';
  const secrecy = flags.public === true ? '' : '; keep it as secret as the block';
  return `${printable(out)}: ${result}${secrecy}`;
}
