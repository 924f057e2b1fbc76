import { createHash } from 'node:crypto';
import { LEAF_PREFIX, rootOfPath } from '../core/merkle-tree.js';
import type { Commitment } from '../formats/commitment.js';
import type { Proof } from '../formats/proof.js';

/**
 * What a proof is held against; it must come from where the block was published, and not with the proof.
 *
 * @group Trust
 */
export type ProofTarget =
  { readonly root: string } | Pick<Commitment, 'block' | 'tickets' | 'tickets_root'>;

/**
 * Checks that a ticket belongs to a block that was committed to, without the block, the seed or the salt key.
 *
 * @param proof - What {@link parseProof} returns.
 * @param target - The root that was published, in lower-case hex, or better the whole commitment: a root
 * alone does not say what the block was called nor how many tickets it had.
 * @returns What is wrong, in words; `undefined` where the proof holds.
 * @group Trust
 */
export function proofFault(proof: Proof, target: ProofTarget): string | undefined {
  if ('tickets_root' in target) {
    if (target.block !== proof.block) {
      return `it is a proof for ${proof.block}, and the commitment is of ${target.block}`;
    }
    if (target.tickets !== proof.tickets) {
      return `it is of a block of ${proof.tickets} tickets, and the commitment of one of ${target.tickets}`;
    }
  }
  if (!proof.record.startsWith(`{"ticket":${proof.ticket},`)) {
    return `its record is not that of ticket ${proof.ticket}`;
  }
  const place = { index: proof.ticket - 1, size: proof.tickets };
  const path = proof.path.map((hash) => Buffer.from(hash, 'hex'));
  const root = rootOfPath(leafOf(proof), place, path);
  if (root === undefined) {
    return `its path does not fit ticket ${proof.ticket} of ${proof.tickets}`;
  }
  const found = Buffer.from(root).toString('hex');
  const expected = 'root' in target ? target.root : target.tickets_root;
  if (found === expected) return undefined;
  return `it leads to the root ${found}, and ${expected} was published`;
}

/** By the system's SHA-256, apart from the hashing that made the tree. */
function leafOf({ salt, block, record }: Proof): Uint8Array {
  const hash = createHash('sha256').update(Uint8Array.of(LEAF_PREFIX));
  return hash.update(Buffer.from(salt, 'hex')).update(`${block}\n${record}`, 'utf8').digest();
}
