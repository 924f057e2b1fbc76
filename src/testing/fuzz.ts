import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defined } from '../core/assert.js';
import { InputError } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import { DefinitionError } from '../definitions/definition-error.js';
import { loadDefinitionFile, parseDefinition } from '../definitions/load-game.js';
import { formatProblem } from '../definitions/problem.js';
import type { RandomStream } from '../engine/random-stream.js';
import { GzipError, gunzip } from '../formats/gunzip.js';
import { manifestClaims } from '../formats/manifest-reader.js';
import { parseStrictJson } from '../core/strict-json.js';
import { parsePublicKey } from '../formats/key-file.js';
import { parseSigningKey } from '../block/signing-key.js';
import { FindingLog, type Finding } from '../verify/finding.js';
import { logSchemaFindings } from '../verify/manifest-findings.js';
import { isSignature } from '../verify/signatures.js';
import { TicketsVerifier } from '../verify/tickets-verifier.js';
import { proofTargets } from './fuzz-proofs.js';
import { sampleKey } from './sample-keys.js';
import { mutateBytes, mutationStream } from './mutations.js';

/** Pieces of text that have broken other programs. */
const HOSTILE: readonly string[] = [
  '"__proto__":{"admin":1},',
  '"constructor":{"prototype":{}},',
  '1e400',
  '-0',
  '1.0',
  '9007199254740993',
  '1e-7',
  '[['.repeat(500),
  '{"a":'.repeat(300),
  '"\\u001b[2J\\u001b]0;owned\\u0007"',
  '\u001b[31m',
  '"../../../etc/passwd"',
  '"(a+)+$"',
  'a'.repeat(20_000),
  '"\\ud800"',
  '\u202e',
  'Е',
  'null',
  'true',
  '[]',
  '{}',
  '\0',
  '\r\n',
  '\uFEFF',
  '"block_size":99999999,',
  '"count":100000000,',
  ',,,,',
  '""""',
];

/** One way of reading input, and a valid input to start from. */
export interface FuzzTarget {
  readonly name: string;
  readonly valid: Uint8Array;
  /** Reads the input and returns every word that would be shown about it. */
  readonly read: (input: Uint8Array) => Promise<readonly string[]> | readonly string[];
}

/** Breaks a valid input in up to four ways, some of them hostile. */
function hostileInput(valid: Uint8Array, stream: RandomStream): Uint8Array {
  let input = valid;
  const times = 1 + stream.uniform(4);
  for (let time = 0; time < times && input.length > 0; time += 1) {
    if (stream.uniform(2) === 0) input = mutateBytes(input, stream).bytes;
    else {
      const piece = Buffer.from(defined(HOSTILE[stream.uniform(HOSTILE.length)], 'a piece'));
      const from = stream.uniform(input.length);
      const to = Math.min(input.length, from + stream.uniform(40));
      input = Buffer.concat([input.subarray(0, from), piece, input.subarray(to)]);
    }
  }
  return input;
}

/** Small inputs take a thousandth of it; what takes this much processor time has no end in sight. */
const HANG_MICROSECONDS = 5_000_000;

/**
 * Feeds a target broken inputs. Whatever it is given, it must accept it or refuse it in the foreseen
 * way, and no word that it says may steer a terminal.
 *
 * @returns What went wrong, each with the seed that makes it again.
 */
export async function fuzz(
  target: FuzzTarget,
  seeds: { readonly first: number; readonly count: number },
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let seed = seeds.first; seed < seeds.first + seeds.count; seed += 1) {
    const input = hostileInput(target.valid, mutationStream(seed));
    const startedAt = process.cpuUsage();
    try {
      const words = await target.read(input);
      const unsafe = words.find((text) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(text));
      if (unsafe !== undefined) {
        failures.push(`${target.name}, seed ${seed}: unsafe words ${JSON.stringify(unsafe)}`);
      }
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      failures.push(`${target.name}, seed ${seed}: ${what}`);
    }
    const { user } = process.cpuUsage(startedAt);
    if (user > HANG_MICROSECONDS) failures.push(`${target.name}, seed ${seed}: takes ${user} µs`);
  }
  return failures;
}

/** Runs a reader; an InputError is the foreseen refusal, and its words are what would be shown. */
function wordsOf(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof DefinitionError) {
      return [error.message, ...error.problems.map((problem) => formatProblem(problem))];
    }
    if (error instanceof InputError) return [error.message];
    throw error;
  }
}

const findingWords = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ place, expected, found }) => [place.pointer ?? '', expected, found]);

const readFixture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/definitions/${name}.json`, import.meta.url));

/** Reads a compressed file as verification does, and returns what would be shown about it. */
async function readCompressed(
  sample: { readonly game: Game; readonly stake: Stake },
  input: Uint8Array,
): Promise<readonly string[]> {
  const log = new FindingLog();
  const verifier = new TicketsVerifier({ ...sample, format: 'csv', file: 'tickets', log });
  try {
    for await (const bytes of gunzip(piecesOf(input))) await verifier.push(bytes);
    await verifier.end();
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    return [error.message];
  }
  return findingWords(log.examples);
}

async function* piecesOf(input: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < input.length; at += 700) yield input.subarray(at, at + 700);
}

function sampleGame(name: string): { readonly game: Game; readonly stake: Stake } {
  const url = new URL(`../../fixtures/definitions/${name}.json`, import.meta.url);
  const game = loadDefinitionFile(fileURLToPath(url));
  return { game, stake: defined(game.stakes[0], 'a stake') };
}

/** Keys in their files, and a signature, of which there is only one that is right. */
function signatureTargets(signed: Uint8Array): readonly FuzzTarget[] {
  const { privatePem, publicPem, key } = sampleKey('k');
  const signature = sign(null, signed, createPrivateKey(privatePem));
  return [
    {
      name: 'public key',
      valid: Buffer.from(publicPem),
      read: (input) => wordsOf(() => [parsePublicKey(input, 'a key').id]),
    },
    {
      name: 'private key',
      valid: Buffer.from(privatePem),
      read: (input) => wordsOf(() => [parseSigningKey(input, 'a key').id]),
    },
    {
      name: 'signature',
      valid: signature,
      read: (input) => {
        const isRight = isSignature(input, key, signed);
        if (isRight === signature.equals(input)) return [];
        throw new Error('another signature than the right one is accepted, or that is not');
      },
    },
  ];
}

/** Everything that reads what others have written. */
export function fuzzTargets(block: {
  readonly definition: string;
  readonly manifest: Uint8Array;
  readonly ndjson: Uint8Array;
  readonly csv: Uint8Array;
}): readonly FuzzTarget[] {
  const tickets = (format: 'ndjson' | 'csv', valid: Uint8Array): FuzzTarget => ({
    name: `tickets.${format}`,
    // The first tickets are enough: the rest would only be missing.
    valid: valid.subarray(0, valid.indexOf(10, 4000) + 1),
    read: async (input) => {
      const log = new FindingLog();
      const sample = sampleGame(block.definition);
      const verifier = new TicketsVerifier({ ...sample, format, file: 'tickets', log });
      await verifier.push(input);
      await verifier.end();
      return findingWords(log.examples);
    },
  });
  return [
    ...['rows-zero', 'collect-zero'].map((name): FuzzTarget => ({
      name: `definition ${name}`,
      valid: readFixture(name),
      read: (input) => wordsOf(() => [parseDefinition(input, 'a definition').id]),
    })),
    {
      name: 'manifest',
      valid: block.manifest,
      read: (input) =>
        wordsOf(() => {
          const log = new FindingLog();
          const parsed = parseStrictJson(input, { place: 'manifest.json' });
          if (manifestClaims(parsed) === undefined) logSchemaFindings(parsed, log);
          return findingWords(log.examples);
        }),
    },
    tickets('ndjson', block.ndjson),
    tickets('csv', block.csv),
    {
      name: 'tickets.csv.gz',
      valid: gzipSync(block.csv.subarray(0, block.csv.indexOf(10, 4000) + 1)),
      read: async (input) => readCompressed(sampleGame(block.definition), input),
    },
    ...signatureTargets(block.manifest),
    ...proofTargets(block.ndjson),
  ];
}
