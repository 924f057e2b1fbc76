import { execFile, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { projectFile } from './commands.mjs';

const run = promisify(execFile);

/** What a program prints, or `undefined` where there is no such program or it fails. */
function outputOf(program, words, input = '') {
  const { status, stdout } = spawnSync(program, words, { encoding: 'utf8', input });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Looks for the programs that the benchmark needs, and builds the C program if that is possible.
 *
 * @param folder - Where the C program is built.
 * @returns `python`: the interpreter itself, without wrappers, whose start would be measured too;
 * `limit`: the C program, or `noLimit`: why there is none.
 * @throws Error where a program is missing that nothing can be measured without.
 */
export function findTools(folder) {
  const python = outputOf('python3', ['-c', 'import sys; print(sys.executable)']);
  if (python === undefined) throw new Error('python3 is missing, which measures; install it');
  const openssl = outputOf('openssl', ['version']);
  if (openssl === undefined) throw new Error('openssl is missing, a yardstick; install it');
  return { python, openssl, ...buildLimit(folder) };
}

function buildLimit(folder) {
  if (outputOf('cc', ['--version']) === undefined) return { noLimit: 'no compiler' };
  const hasHeaders = outputOf('cc', ['-E', '-x', 'c', '-'], '#include <openssl/evp.h>\n');
  if (hasHeaders === undefined) return { noLimit: 'no OpenSSL headers' };
  const limit = join(folder, 'limit');
  const source = projectFile('bench/yardsticks/limit.c');
  const words = ['-O3', '-march=native', '-o', limit, source, '-lcrypto'];
  const { status, stderr } = spawnSync('cc', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`limit.c could not be built:\n${stderr}`);
  return { limit };
}

/** What the figures depend on besides the program. */
export function describeMachine({ python, openssl, limit, noLimit }) {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    node: process.version,
    openssl,
    python: outputOf(python, ['--version']),
    compiler: limit === undefined ? noLimit : outputOf('cc', ['--version'])?.split('\n')[0],
  };
}

/**
 * Runs a command as a whole process.
 *
 * @returns Its costs: CPU (user and system) and wall time in seconds, peak memory in bytes.
 * @throws Error where it fails.
 */
export async function measure({ python, words, signal }) {
  const script = projectFile('bench/measure.py');
  const { stdout, stderr } = await run(python, [script, ...words], { signal });
  const { exit_code, cpu_seconds, wall_seconds, peak_bytes } = JSON.parse(stdout);
  if (exit_code !== 0) throw new Error(`exit code ${exit_code} of ${words.join(' ')}\n${stderr}`);
  return { cpuSeconds: cpu_seconds, wallSeconds: wall_seconds, peakBytes: peak_bytes };
}
