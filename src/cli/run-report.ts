import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { reportBlock, type BlockReport } from '../view/report-block.js';
import { EXIT } from './exit-code.js';
import { readingProgress } from './reading-progress.js';
import { abortOnSignals } from './signals.js';
import { processTerminal, ProgressBar } from './terminal.js';
import { writeWholeFile } from './write-whole-file.js';

/** The options of `report`. */
export interface ReportFlags {
  readonly out: string;
  readonly public?: boolean;
  readonly definition?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Makes a report on a block, and writes it. */
export async function runReport(path: string, flags: ReportFlags): Promise<void> {
  const { out, force = false } = flags;
  const terminal = processTerminal(flags);
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  if (out !== '-') await checkTarget(path, out, force);
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('no report was made');
  const onBytes = readingProgress(bar, [path]);
  let report: BlockReport;
  try {
    const isPublic = flags.public === true;
    report = await reportBlock(path, { game, isPublic, onBytes, signal: signals.signal });
  } finally {
    bar.stop();
    signals.stop();
  }
  if (out === '-') terminal.write(report.page);
  else await writeWholeFile(out, Buffer.from(report.page), { force });
  if (!report.passes) process.exitCode = EXIT.nonconforming;
  if (out !== '-') terminal.note(doneText(out, report, flags));
}

/** Whatever can be known to fail is said before the block is read. */
async function checkTarget(block: string, out: string, force: boolean): Promise<void> {
  const folder = dirname(resolve(out));
  if (folder === resolve(block) || resolve(block) === resolve(folder, MANIFEST_FILE)) {
    const message = `${printable(out)} would lie in the block's own folder, where no other file may be; choose another --out`;
    throw new InputError('usage', message);
  }
  const entry = await lstat(out).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('write', out, error);
  });
  if (entry === undefined || (force && !entry.isDirectory())) return;
  const message = `${printable(out)} is there already; choose another --out${entry.isDirectory() ? '' : ', or replace it with --force'}`;
  throw new InputError('target-exists', message);
}

function doneText(out: string, { passes }: BlockReport, flags: ReportFlags): string {
  const result = passes ? 'the block conforms and no test alarms' : 'something is wrong: read it';
  const secrecy = flags.public === true ? '' : '; keep it as secret as the block';
  return `${printable(out)}: ${result}${secrecy}`;
}
