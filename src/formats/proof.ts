import { InputError, printable } from '../core/errors.js';
import { parseStrictJson } from '../core/strict-json.js';
import {
  faultOf,
  faultWords,
  isBlockName,
  isHexHash,
  isPositive,
  type Guard,
} from './commitment.js';

/** The version of the proof's form. */
const PROOF_FORMAT = 'gen-block-proof/1';

/** More than any proof has: a record, and the path through a tree of 2^53 tickets. */
export const MOST_PROOF_BYTES = 131_072;

/**
 * That a ticket belongs to a block: its record, and what leads from it to the root that was published. Its
 * keys are listed here in the order in which they are written (`schemas/proof.schema.json`); hashes are
 * lower-case hex.
 *
 * @group Trust
 */
export interface Proof {
  /** The version of its form. */
  readonly format: typeof PROOF_FORMAT;
  /** The name of the block. */
  readonly block: string;
  /** The ticket's number, from 1. */
  readonly ticket: number;
  /** How many tickets the block has. */
  readonly tickets: number;
  /** The ticket's line of `tickets.ndjson`, without its LF. */
  readonly record: string;
  /** What makes the ticket's leaf unguessable; lower-case hex. */
  readonly salt: string;
  /** The audit path of RFC 6962, from the leaf's neighbour to the root's half. */
  readonly path: readonly string[];
}

/** A proof as one line of JSON, without an LF. */
export function encodeProof(proof: Omit<Proof, 'format'>): string {
  const { block, ticket, tickets, record, salt, path } = proof;
  return JSON.stringify({ format: PROOF_FORMAT, block, ticket, tickets, record, salt, path });
}

/**
 * Parses a proof. Keys that are not known are left out.
 *
 * @param bytes - One line of JSON.
 * @param place - What the bytes are called in a message.
 * @returns What it says; whether it holds, {@link proofFault} tells.
 * @throws InputError `bad-json`, `bad-proof`.
 * @group Trust
 */
export function parseProof(bytes: Uint8Array, place: string): Proof {
  const value = parseStrictJson(bytes, { place, maxBytes: MOST_PROOF_BYTES });
  const fault = faultOf(value, PROOF_GUARDS);
  if (fault === undefined) return value as Proof;
  const message = `${printable(place)} is no proof: ${faultWords(fault)}; take it as gen-block prove has written it`;
  throw new InputError('bad-proof', message, { place });
}

const PROOF_GUARDS: Readonly<Record<keyof Proof, Guard>> = {
  format: (value) => value === PROOF_FORMAT,
  block: isBlockName,
  ticket: isPositive,
  tickets: isPositive,
  record: (value) => typeof value === 'string' && value !== '' && !value.includes('\n'),
  salt: isHexHash,
  path: (value) => Array.isArray(value) && value.every(isHexHash),
};
