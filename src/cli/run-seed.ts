import { writeNewFile } from '../block/new-file.js';
import { saltKeyFrom } from '../block/verify-from-seed.js';
import { InputError, printable } from '../core/errors.js';
import { combineShares } from '../engine/seed-shares.js';
import { seedCommitment, seedKey } from '../engine/stream-key.js';
import { manifestBlockName } from '../formats/manifest.js';
import { encodeSaltKey } from '../formats/salt-key.js';
import { FindingLog } from '../verify/finding.js';
import { readManifest } from '../verify/read-manifest.js';
import { checkApart } from './check-target.js';
import { findSeed, readSeedFiles, writeNewSeed, type SeedOptions } from './seed-input.js';
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

/** Takes the salt key of a block out of its seed, into a new file. */
export async function runSeedSaltKey(
  block: string,
  path: string,
  flags: SeedOptions,
): Promise<void> {
  const terminal = processTerminal({});
  const log = new FindingLog();
  const manifest = await readManifest(block, log);
  if (manifest === undefined) {
    const message = `${printable(block)} has a manifest that cannot be used; gen-block verify says what is wrong with it`;
    throw new InputError('bad-manifest', message);
  }
  const given = await findSeed(flags, process.env, terminal.note);
  if (given === undefined) {
    throw new InputError('usage', 'no seed is given; add --seed-file <file>');
  }
  const name = manifestBlockName(manifest.claims);
  const key = saltKeyFrom(given.seed)(manifest.claims);
  if (key === undefined) {
    const message = `the seed is not that of ${name}: its commitment is another; give the block's own`;
    throw new InputError('bad-seed', message);
  }
  await checkApart(block, path);
  await writeNewFile(path, encodeSaltKey(name, key));
  terminal.note(`${printable(path)} has the salt key of ${name}; keep it as secret as the block`);
}

/** As sha256sum writes it: the commitment, and what it is of. */
function line(seed: Uint8Array, what: string): string {
  return `${seedCommitment(seedKey(seed))}  ${printable(what)}\n`;
}
