import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
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
  await checkTarget(path, out, force);
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
  if (out === '-') {
    if (!force) return;
    throw new InputError('usage', '--force is for a file, and --out - has none; leave it out');
  }
  if ((await folderFor(out)) === (await folderOfBlock(block))) {
    const message = `${printable(out)} would lie in the block's own folder, where no other file may be; choose another --out`;
    throw new InputError('usage', message);
  }
  const entry = await lstat(out).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('write', out, error);
  });
  if (entry === undefined || (force && entry.isFile())) return;
  const message = entry.isFile()
    ? `${printable(out)} is there already; choose another --out, or replace it with --force`
    : `${printable(out)} is there already and is no file that can be replaced; choose another --out`;
  throw new InputError('target-exists', message);
}

/** The folder that a file will stand in, by its real path. */
async function folderFor(out: string): Promise<string> {
  const folder = dirname(out);
  // What cannot even be looked at is for the check of permissions to tell.
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? ''),
  );
  if (!isFolder) {
    const message = `there is no folder ${printable(folder)} for the report; make it first`;
    throw new InputError('not-found', message);
  }
  try {
    await access(folder, constants.W_OK);
    return await realpath(folder);
  } catch (error) {
    throw machineError('write', out, error);
  }
}

/** The real path of the folder of a block that is named by it or by its manifest. */
async function folderOfBlock(block: string): Promise<string | undefined> {
  // Paths that lead nowhere are for the verification to report.
  const entry = await stat(block).catch(() => undefined);
  if (entry === undefined) return undefined;
  return realpath(entry.isDirectory() ? block : dirname(block));
}

function doneText(out: string, { passes }: BlockReport, flags: ReportFlags): string {
  const result = passes ? 'the block conforms and no test alarms' : 'something is wrong, read it';
  const secrecy = flags.public === true ? '' : '; keep it as secret as the block';
  return `${printable(out)}: ${result}${secrecy}`;
}
