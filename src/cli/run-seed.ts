import { printable } from '../core/errors.js';
import { combineShares } from '../engine/seed-shares.js';
import { seedCommitment, seedKey } from '../engine/stream-key.js';
import { readSeedFiles, writeNewSeed } from './seed-input.js';
import { processTerminal } from './terminal.js';

/** Makes a seed in a new file and shows its commitment. */
export async function runSeedNew(path: string): Promise<void> {
  const terminal = processTerminal({});
  const seed = await writeNewSeed(path);
  terminal.write(line(seed, path));
  terminal.note(
    `${printable(path)} has the seed, or a share of one; whoever reads all of a seed knows every winner`,
  );
}

/** Shows the commitment to a seed, or those to its shares and to what they make together. */
export async function runSeedCommit(paths: readonly string[]): Promise<void> {
  const terminal = processTerminal({});
  const seeds = await readSeedFiles(paths, terminal.note);
  // Before anything is shown: it may be refused.
  const combined = seeds.length === 1 ? undefined : combineShares(seeds);
  for (const [index, seed] of seeds.entries()) terminal.write(line(seed, paths[index] ?? ''));
  if (combined !== undefined) terminal.write(line(combined, 'all together'));
}

/** As sha256sum writes it: the commitment, and what it is of. */
function line(seed: Uint8Array, what: string): string {
  return `${seedCommitment(seedKey(seed))}  ${printable(what)}\n`;
}
