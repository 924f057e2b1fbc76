import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashesOf } from './sample-requests.js';
import { runProcess, type ProcessOptions } from './command-line.js';

/** The fingerprints of one whole block, as `fixtures/golden.json` states them. */
interface GoldenBlock {
  readonly game: string;
  readonly definition_sha256: string;
  readonly stake_cents: number;
  readonly engine: string;
  readonly sha256: Readonly<Record<string, string>>;
}

/** `fixtures/golden.json`. */
interface Golden {
  readonly seed: string;
  readonly emission: number;
  readonly block: number;
  readonly blocks: readonly GoldenBlock[];
}

/** Reads the fingerprints that everybody can make again with `npm run golden`. */
export function readGolden(): Golden {
  const text = readFileSync(new URL('../../fixtures/golden.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Golden;
}

/** A block on the disk, and the hashes that its tickets files really have. */
export interface MadeBlock {
  readonly folder: string;
  readonly sha256: Readonly<Record<string, string>>;
}

/** Makes a golden block with the program. */
export async function makeGoldenBlock(
  { game, stake_cents, engine }: GoldenBlock,
  out: string,
  program?: ProcessOptions['program'],
): Promise<MadeBlock> {
  const { seed, emission, block } = readGolden();
  const argv = ['--game', game, '--stake', String(stake_cents / 100), '--engine', engine];
  const numbers = ['--emission', String(emission), '--block', String(block)];
  const all = [...argv, ...numbers, '--seed', seed, '--out', out, '--json'];
  const result = await runProcess(all, program === undefined ? {} : { program });
  if (result.exitCode !== 0) throw new Error(result.stderr);
  const { folder } = JSON.parse(result.stdout) as { readonly folder: string };
  const hashes = Object.entries(hashesOf(folder)).filter(([name]) => name.startsWith('tickets.'));
  return { folder, sha256: Object.fromEntries(hashes) };
}

/** What the foreign judge says of a block; it knows the regulations and nothing of this program. */
export async function judge(
  ...argv: readonly string[]
): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  const checker = fileURLToPath(new URL('../../fixtures/checker/check.py', import.meta.url));
  try {
    const { stdout } = await promisify(execFile)('python3', [checker, ...argv]);
    return { exitCode: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { exitCode: code, stdout };
  }
}
