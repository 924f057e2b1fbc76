import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeOutputFolder } from '../block/block-folder.js';
import { MOST_SEED_BYTES, NOT_UTF8, seedFault } from '../block/check-request.js';
import { writeNewFile } from '../block/new-file.js';
import { STRONG_SEED_BITS } from '../core/algorithm.js';
import { InputError } from '../core/errors.js';
import { combineShares } from '../engine/seed-shares.js';
import { seedCommitment, seedKey } from '../engine/stream-key.js';
import { SEED_VARIABLE } from './options.js';
import { placeOfSecret, readSecretLine, warnOfReaders } from './secret-file.js';
import { mostSeedBits } from '../engine/seed-strength.js';

const FRESH_SEED_BYTES = 32;

/** Where a seed is to be found. */
export interface SeedOptions {
  readonly seed?: string | undefined;
  /** Several are shares of one seed. */
  readonly seedFile?: readonly string[] | undefined;
}

/** A seed, and what is known of where it came from. */
export interface GivenSeed {
  /** The bytes as given, or what the shares make together. */
  readonly seed: Uint8Array;
  /** The commitment to each share, where there are several. */
  readonly shareCommitments?: readonly string[];
  readonly from: 'command line' | 'file' | 'environment' | 'fresh';
  /** The most bits of entropy that it can have; of several shares, that the best of them can have. */
  readonly mostBits: number;
}

/**
 * Finds the seed: on the command line, in a file, on standard input (`-`), or in the environment.
 * More than one of them is refused, so that nobody wonders which one was used.
 *
 * @returns `undefined` where none is given.
 * @throws InputError `bad-seed` where it is empty, no UTF-8, or holds a NUL; the message never
 * repeats it.
 */
export async function findSeed(
  options: SeedOptions,
  environment: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<GivenSeed | undefined> {
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
    return givenSeed([textSeed(seed, '--seed')], 'command line');
  }
  if (seedFile !== undefined) return givenSeed(await readSeedFiles(seedFile, warn), 'file');
  if (variable === undefined) return undefined;
  return givenSeed([warned(textSeed(variable, SEED_VARIABLE), SEED_VARIABLE, warn)], 'environment');
}

function givenSeed(parts: readonly Uint8Array[], from: GivenSeed['from']): GivenSeed {
  const mostBits = Math.max(...parts.map(mostSeedBits));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return { seed: only, from, mostBits };
  const shareCommitments = parts.map((share) => seedCommitment(seedKey(share)));
  return { seed: combineShares(parts), shareCommitments, from, mostBits };
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
    const place = placeOfSecret(path);
    const seed = checkedSeed(await readSecretLine(path, 'seed file', MOST_SEED_BYTES), place);
    warnOfReaders(path, warn, isShare ? PUBLIC_ONLY : undefined);
    const bits = mostSeedBits(seed);
    if (!isShare) warned(seed, place, warn);
    else if (bits < STRONG_SEED_BITS)
      warn(`the share from ${place} has at most ${bits} bits; ${PUBLIC_ONLY}`);
    seeds.push(seed);
  }
  return seeds;
}

/** A seed that can be guessed is as good as published: the commitment confirms the guess. */
function warned(seed: Uint8Array, place: string, warn: (message: string) => void): Uint8Array {
  const bits = mostSeedBits(seed);
  if (bits < STRONG_SEED_BITS) {
    warn(
      `the seed from ${place} has at most ${bits} bits and can be guessed; gen-block seed new makes one of 256`,
    );
  }
  return seed;
}

/** One of the shares may be known to everybody. */
const PUBLIC_ONLY = 'that is right for a public value only';

/** Where bytes were no UTF-8, the text has a replacement character for them: many seeds in one. */
function textSeed(text: string, place: string): Uint8Array {
  if (text.includes('\uFFFD')) throw badSeed(place, NOT_UTF8);
  return checkedSeed(Buffer.from(text, 'utf8'), place);
}

/**
 * Makes a seed of 256 bits from the operating system and writes it to a new file beside the block's
 * folder, which only its owner can read.
 *
 * @returns The seed and the file's path.
 */
export async function makeSeedFile(
  outputFolder: string,
  blockName: string,
): Promise<{ readonly seed: GivenSeed; readonly path: string }> {
  const path = join(outputFolder, `${blockName}.seed`);
  await makeOutputFolder(outputFolder);
  return { seed: givenSeed([await writeNewSeed(path)], 'fresh'), path };
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

function checkedSeed(seed: Uint8Array, place: string): Uint8Array {
  const wrong = seedFault(seed);
  if (wrong === undefined) return seed;
  throw badSeed(place, wrong);
}

function badSeed(place: string, wrong: string): InputError {
  return new InputError('bad-seed', `the seed from ${place} ${wrong}`);
}
