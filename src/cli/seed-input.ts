import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeOutputFolder } from '../block/block-folder.js';
import { MOST_SEED_BYTES, NOT_UTF8, seedFault } from '../block/check-request.js';
import { writeNewFile } from '../block/new-file.js';
import { InputError, printable } from '../core/errors.js';
import { combineShares } from '../engine/seed-shares.js';
import { SEED_VARIABLE } from './options.js';
import { othersCanRead, readSecretFile } from './secret-file.js';
import { mostSeedBits, STRONG_BITS } from './seed-strength.js';

const FRESH_SEED_BYTES = 32;

/** The longest line end that is not part of a seed, CRLF. */
const FINAL_LINE_END_BYTES = 2;

/** Where a seed is to be found. */
export interface SeedOptions {
  readonly seed?: string | undefined;
  /** Several are shares of one seed. */
  readonly seedFile?: readonly string[] | undefined;
}

/**
 * Finds the seed: on the command line, in a file, on standard input (`-`), or in the environment.
 * More than one of them is refused, so that nobody wonders which one was used.
 *
 * @returns The seed's bytes, or `undefined` where none is given.
 * @throws InputError `bad-seed` where it is empty, no UTF-8, or holds a NUL; the message never
 * repeats it.
 */
export async function findSeed(
  options: SeedOptions,
  environment: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<Uint8Array | undefined> {
  const { seed, seedFile } = options;
  const variable = environment[SEED_VARIABLE];
  const given = [
    ...(seed === undefined ? [] : ['--seed']),
    ...(seedFile === undefined ? [] : ['--seed-file']),
    ...(variable === undefined ? [] : [SEED_VARIABLE]),
  ];
  if (given.length > 1) {
    throw new InputError('usage', `${given.join(' and ')} are both given; give one of them`);
  }
  if (seed !== undefined) {
    warn(
      'the seed stands on the command line, where other users can see it; for real blocks use --seed-file',
    );
    return textSeed(seed, '--seed');
  }
  if (seedFile !== undefined) {
    const shares = await readSeedFiles(seedFile, warn);
    const [only] = shares;
    return shares.length === 1 ? only : combineShares(shares);
  }
  if (variable === undefined) return undefined;
  return warned(textSeed(variable, SEED_VARIABLE), SEED_VARIABLE, warn);
}

/**
 * Reads files that a seed or its shares are in, in their order; `-` is standard input.
 *
 * @throws InputError `bad-seed`, `not-found`, `usage` where standard input is to be two of them;
 * MachineError.
 */
export async function readSeedFiles(
  paths: readonly string[],
  warn: (message: string) => void,
): Promise<readonly Uint8Array[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new InputError('usage', 'standard input is one share; put the others into files');
  }
  const isShare = paths.length > 1;
  const seeds: Uint8Array[] = [];
  for (const path of paths) {
    const place = path === '-' ? 'standard input' : printable(path);
    const seed = checkedSeed(withoutFinalLineEnd(await readSeedFile(path)), place);
    if (path !== '-') warnOfReaders(path, isShare, warn);
    const bits = mostSeedBits(seed);
    if (!isShare) warned(seed, place, warn);
    else if (bits < STRONG_BITS)
      warn(`the share from ${place} has at most ${bits} bits; ${PUBLIC_ONLY}`);
    seeds.push(seed);
  }
  return seeds;
}

/** A seed that can be guessed is as good as published: the commitment confirms the guess. */
function warned(seed: Uint8Array, place: string, warn: (message: string) => void): Uint8Array {
  const bits = mostSeedBits(seed);
  if (bits < STRONG_BITS) {
    warn(
      `the seed from ${place} has at most ${bits} bits and can be guessed; gen-block seed new makes one of 256`,
    );
  }
  return seed;
}

/** One of the shares may be known to everybody. */
const PUBLIC_ONLY = 'that is right for a public value only';

function warnOfReaders(path: string, isShare: boolean, warn: (message: string) => void): void {
  if (!othersCanRead(path)) return;
  const advice = isShare ? PUBLIC_ONLY : 'take that from them (chmod 600)';
  warn(`others can read ${printable(path)}; ${advice}`);
}

/** Where bytes were no UTF-8, the text has a replacement character for them: many seeds in one. */
function textSeed(text: string, place: string): Uint8Array {
  if (text.includes('\uFFFD')) throw badSeed(place, NOT_UTF8);
  return checkedSeed(Buffer.from(text, 'utf8'), place);
}

/**
 * Makes a seed of 256 bits from the operating system and writes it to a new file beside the block's
 * folder, which only its owner can read.
 *
 * @returns The seed's bytes and the file's path.
 */
export async function makeSeedFile(
  outputFolder: string,
  blockName: string,
): Promise<{ readonly seed: Uint8Array; readonly path: string }> {
  const path = join(outputFolder, `${blockName}.seed`);
  await makeOutputFolder(outputFolder);
  return { seed: await writeNewSeed(path), path };
}

/**
 * Makes a seed of 256 bits from the operating system and writes it to a new file that only its owner can
 * read.
 *
 * @throws InputError `target-exists`; MachineError.
 */
export async function writeNewSeed(path: string): Promise<Uint8Array> {
  const seed = Buffer.from(randomBytes(FRESH_SEED_BYTES).toString('hex'), 'ascii');
  await writeNewFile(path, Buffer.concat([seed, Buffer.from('\n')]));
  return seed;
}

async function readSeedFile(path: string): Promise<Uint8Array> {
  const mostBytes = MOST_SEED_BYTES + FINAL_LINE_END_BYTES;
  return readSecretFile(path, { what: 'seed', mostBytes });
}

/** An editor's last line end is not part of the seed. */
function withoutFinalLineEnd(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function checkedSeed(seed: Uint8Array, place: string): Uint8Array {
  const wrong = seedFault(seed);
  if (wrong === undefined) return seed;
  throw badSeed(place, wrong);
}

function badSeed(place: string, wrong: string): InputError {
  return new InputError('bad-seed', `the seed from ${place} ${wrong}`);
}
