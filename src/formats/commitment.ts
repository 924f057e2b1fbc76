import { isEngineId, type EngineId } from '../core/algorithm.js';
import { InputError, printable } from '../core/errors.js';
import { parseStrictJson } from '../core/strict-json.js';

/** The version of the commitment's form. */
const COMMITMENT_FORMAT = 'gen-block-commitment/1';

/** The largest commitment that is read: a hundred shares take a fifth of it. */
export const MOST_COMMITMENT_BYTES = 65_536;

/**
 * `commitment.json`: what is published of a block before its first ticket is sold. It fixes every ticket and
 * tells nothing about any. Its keys are listed here in the order in which they are written
 * (`schemas/commitment.schema.json`); hashes are lower-case hex.
 *
 * @group Trust
 */
export interface Commitment {
  /** The version of its form. */
  readonly format: typeof COMMITMENT_FORMAT;
  /** The version of the algorithm. */
  readonly algorithm: number;
  /** The version of the program that made the block. */
  readonly tool_version: string;
  /** Of the program's distributed files. */
  readonly program_sha256: string;
  /** The name of the block: game, stake, emission, number. */
  readonly block: string;
  /** How many the block has. */
  readonly tickets: number;
  /** Of the definition's RFC 8785 form. */
  readonly definition_sha256: string;
  /** The generator of random numbers. */
  readonly engine: EngineId;
  /** By which a seed can be known, and which does not tell it. */
  readonly seed_commitment: string;
  /** Of each share, ascending; not there where the seed was no combination of shares. */
  readonly share_commitments?: readonly string[];
  /** The root of the Merkle tree over all tickets. */
  readonly tickets_root: string;
}

/** What a commitment says, with its keys in their order. */
export function makeCommitment(content: Omit<Commitment, 'format'>): Commitment {
  const { share_commitments: shares, tickets_root: root, ...rest } = content;
  return {
    format: COMMITMENT_FORMAT,
    algorithm: rest.algorithm,
    tool_version: rest.tool_version,
    program_sha256: rest.program_sha256,
    block: rest.block,
    tickets: rest.tickets,
    definition_sha256: rest.definition_sha256,
    engine: rest.engine,
    seed_commitment: rest.seed_commitment,
    ...(shares !== undefined && { share_commitments: [...shares].sort() }),
    tickets_root: root,
  };
}

/** The bytes of a commitment: one line of JSON and an LF. */
export function encodeCommitment(commitment: Commitment): Uint8Array {
  return Buffer.from(`${JSON.stringify(makeCommitment(commitment))}\n`, 'utf8');
}

/**
 * Parses a commitment. Keys that are not known are left out.
 *
 * @param bytes - The content of `commitment.json`.
 * @param place - What the bytes are called in a message.
 * @returns What it says; whether it is that of a block is for {@link verifyBlock} to tell.
 * @throws InputError `bad-json`, `bad-commitment`.
 * @group Trust
 */
export function parseCommitment(bytes: Uint8Array, place: string): Commitment {
  const value = parseStrictJson(bytes, { place, maxBytes: MOST_COMMITMENT_BYTES });
  const fault = faultOf(value, COMMITMENT_GUARDS);
  if (fault === undefined) return makeCommitment(value as Commitment);
  const message = `${printable(place)} is no commitment: ${faultWords(fault)}; take the file as gen-block has written it`;
  throw new InputError('bad-commitment', message, { place });
}

/** Whether a value has the form of what stands under a key. */
export type Guard = (value: unknown) => boolean;

/** Whether a value is a SHA-256, or the like of one, in lower-case hex. */
export const isHexHash: Guard = (value) =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Whether a value is a whole number from 1 up. */
export const isPositive: Guard = (value) => Number.isSafeInteger(value) && (value as number) > 0;

/** Whether a value can be the name of a block. */
export const isBlockName: Guard = (value) =>
  typeof value === 'string' &&
  value.length <= 100 &&
  /^[a-z0-9]+(?:-[a-z0-9]+)*-[1-9]\d*-e[1-9]\d*-b[1-9]\d*$/.test(value);

const COMMITMENT_GUARDS: Readonly<Record<keyof Commitment, Guard>> = {
  format: (value) => value === COMMITMENT_FORMAT,
  algorithm: isPositive,
  tool_version: (value) => typeof value === 'string' && Array.from(value).length <= 100,
  program_sha256: isHexHash,
  block: isBlockName,
  tickets: isPositive,
  definition_sha256: isHexHash,
  engine: isEngineId,
  seed_commitment: isHexHash,
  share_commitments: (value) =>
    value === undefined ||
    (Array.isArray(value) && value.length >= 2 && value.length <= 100 && value.every(isHexHash)),
  tickets_root: isHexHash,
};

/** What {@link faultOf} has found, in words. */
export function faultWords(fault: string): string {
  return fault === ''
    ? 'it is no JSON object'
    : `its "${fault}" is missing or not what it should be`;
}

/** The first key whose value is not what it should be; the empty text where there are no keys at all. */
export function faultOf(
  value: unknown,
  guards: Readonly<Record<string, Guard>>,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(guards).find(([key, guard]) => !guard(fields.get(key)))?.[0];
}
