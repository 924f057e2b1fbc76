import { MerkleRoot } from '../core/merkle-tree.js';
import { RecordCopier } from '../formats/record-copier.js';
import { LeafFeed, TicketLeaves, type LeafTaker } from '../formats/ticket-leaves.js';
import type { BlockFile } from './block-file.js';
import type { Watch } from './read-tickets-file.js';

/**
 * The root of the Merkle tree over the tickets of a block's file, whichever its format.
 *
 * @param saltKey - The block's.
 * @returns Lower-case hex.
 * @throws What {@link BlockFile.everyTicket} throws.
 */
export async function ticketsRoot(
  block: BlockFile,
  saltKey: Uint8Array,
  watch: Watch = {},
): Promise<string> {
  const root = new MerkleRoot();
  await feedLeaves(block, { saltKey, taker: root }, watch);
  return Buffer.from(root.root()).toString('hex');
}

/** Hashes every ticket of a block's file into a leaf of its tree, and hands the leaves over in order. */
export async function feedLeaves(
  block: BlockFile,
  tree: { readonly saltKey: Uint8Array; readonly taker: LeafTaker },
  watch: Watch = {},
): Promise<void> {
  const copier = new RecordCopier('ndjson', block.game.grid);
  const feed = new LeafFeed(new TicketLeaves(tree.saltKey, block.name), tree.taker);
  await block.everyTicket({
    ...watch,
    onTicket: (ticket) => {
      copier.add(ticket);
    },
    onPiece: () => {
      feed.push(copier.take());
      return Promise.resolve();
    },
  });
}
