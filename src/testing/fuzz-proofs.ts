import { defined } from '../core/assert.js';
import { InputError, printable } from '../core/errors.js';
import { MerkleTree } from '../core/merkle-tree.js';
import { HASH_BYTES } from '../core/short-hasher.js';
import { encodeCommitment, makeCommitment, parseCommitment } from '../formats/commitment.js';
import { encodeProof, parseProof } from '../formats/proof.js';
import { encodeSaltKey, parseSaltKey } from '../formats/salt-key.js';
import { TicketLeaves } from '../formats/ticket-leaves.js';
import { proofFault } from '../verify/check-proof.js';
import type { FuzzTarget } from './fuzz.js';

const BLOCK = 'rows-zero-100-e1-b1';
const SALT_KEY = Buffer.alloc(HASH_BYTES, 's');
const HASH = 'a'.repeat(64);

/** As many tickets as make a tree with nodes that go up alone. */
const TICKETS = 11;
const PROVED = 3;

/** A commitment, a salt key and a proof, of which nothing may be accepted that proves another ticket. */
export function proofTargets(ndjson: Uint8Array): readonly FuzzTarget[] {
  const records = Buffer.from(ndjson).toString('latin1').split('\n').slice(0, TICKETS);
  const leaves = new TicketLeaves(SALT_KEY, BLOCK);
  const hashes = new Uint8Array(TICKETS * HASH_BYTES);
  for (const [index, record] of records.entries()) {
    const bytes = Buffer.from(record);
    leaves.hash(index + 1, { bytes, start: 0, end: bytes.length }, hashes, index * HASH_BYTES);
  }
  const tree = new MerkleTree(hashes);
  const commitment = makeCommitment({
    ...{ algorithm: 1, tool_version: '0.1.0', program_sha256: HASH, block: BLOCK },
    ...{ tickets: TICKETS, definition_sha256: HASH, engine: 'chacha20', seed_commitment: HASH },
    ...{ share_commitments: [HASH, HASH], tickets_root: hexOf(tree.root()) },
  });
  const record = defined(records[PROVED - 1], 'the record that is proved');
  const proof = {
    ...{ block: BLOCK, ticket: PROVED, tickets: TICKETS, record },
    ...{ salt: hexOf(leaves.salt(PROVED)), path: tree.path(PROVED - 1).map(hexOf) },
  };
  return [
    {
      name: 'commitment',
      valid: encodeCommitment(commitment),
      read: (input) => wordsOf(() => [parseCommitment(input, 'it').block]),
    },
    {
      name: 'salt key',
      valid: encodeSaltKey(BLOCK, SALT_KEY),
      read: (input) => wordsOf(() => [hexOf(parseSaltKey(input, 'it', BLOCK))]),
    },
    {
      name: 'proof',
      valid: Buffer.from(encodeProof(proof)),
      read: (input) =>
        wordsOf(() => {
          const found = parseProof(input, 'it');
          const fault = proofFault(found, commitment);
          if (fault === undefined && found.record !== record) throw new Error('another is proved');
          return fault === undefined ? [] : [printable(fault)];
        }),
    },
  ];
}

/** An InputError is the foreseen refusal, and its words are what would be shown. */
function wordsOf(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return [error.message];
    throw error;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
