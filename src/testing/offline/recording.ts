import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runProcess, type CommandResult } from '../command-line.js';

/**
 * How it is found out that a program is offline. Node itself reports each handle that it opens for the
 * network, below all of its modules, in every thread and without any tool; a tracer of system calls, which
 * sees more, is not allowed in every container, so it is left to the long run. What Node would not report
 * is code that is not its own: other programs and addons, and these are written down too.
 */
export interface Recording {
  /** What it did that could reach the network, a line each. */
  readonly contacts: readonly string[];
  /** The drivers of databases that it asked for. */
  readonly drivers: readonly string[];
  /** How many threads it had, the main one included. */
  readonly threads: number;
}

/** The packages that talk to databases, and Node's own module. */
const DRIVER =
  /(?:^|\/node_modules\/)(?:pg|pg-[^/]+|pgpass|@photostructure\/sqlite)(?:\/|$)|^node:sqlite$/;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RECORDER = new URL('recorder.mjs', import.meta.url);

/** Runs the program, and records it. */
export async function recordProgram(
  argv: readonly string[],
  folder: string,
): Promise<Recording & CommandResult> {
  const log = join(folder, 'offline.log');
  const result = await runProcess(argv, { env: recorderEnvironment(log) });
  return { ...result, ...readRecording(log) };
}

/** Runs a piece of JavaScript, a module, and records it. It may import what the project can. */
export async function recordCode(code: string, folder: string): Promise<Recording> {
  const log = join(folder, 'offline.log');
  const { PATH = '' } = process.env;
  const argv = ['--input-type=module', '--eval', code];
  const env = { PATH, ...recorderEnvironment(log) };
  await promisify(execFile)(process.execPath, argv, { cwd: ROOT, env });
  return readRecording(log);
}

function recorderEnvironment(log: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${RECORDER.href}`, OFFLINE_LOG: log };
}

function readRecording(log: string): Recording {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const valuesOf = (kind: string): readonly string[] => {
    const values = lines.filter((line) => line.startsWith(`${kind} `));
    return values.map((line) => line.slice(kind.length + 1));
  };
  if (!lines.includes('thread main')) throw new Error(`${log}: the recorder was not loaded`);
  return {
    contacts: lines.filter((line) => /^(?:network|process|addon) /.test(line)),
    drivers: valuesOf('module').filter((specifier) => DRIVER.test(specifier)),
    threads: valuesOf('thread').length,
  };
}
