import { InputError, printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { MerkleRoot } from '../core/merkle-tree.js';
import { RecordCopier } from '../formats/record-copier.js';
import { LeafFeed, TicketLeaves, type LeafTaker } from '../formats/ticket-leaves.js';
import { VERIFY_HINT, type BlockFile } from './block-file.js';
import type { Watch } from './read-tickets-file.js';

/**
 * The root of the Merkle tree over the tickets of a block's file, whichever its format.
 *
 * @param saltKey - The block's.
 * @returns Lower-case hex.
 * @throws As {@link feedLeaves}.
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

/**
 * Hashes every ticket of a block's file into a leaf of its tree, and hands the leaves over in order: as many
 * as the game's blocks have, and no more.
 *
 * @throws InputError `not-a-block` where there are fewer or more; what {@link BlockFile.everyTicket} throws.
 */
export async function feedLeaves(
  block: BlockFile,
  tree: { readonly saltKey: Uint8Array; readonly taker: LeafTaker },
  watch: Watch = {},
): Promise<void> {
  const isRecord = block.file.format === 'ndjson';
  const copier = new RecordCopier('ndjson', block.game.grid);
  const feed = new LeafFeed(new TicketLeaves(tree.saltKey, block.name), tree.taker);
  const { blockSize } = block.game;
  let tickets = 0;
  await block.everyTicket({
    ...watch,
    onTicket: (ticket) => {
      tickets += 1;
      if (tickets > blockSize) throw otherCount(block, 'more');
      const { window, start, end } = ticket;
      if (isRecord) feed.add(window.bytes.subarray(start, end - 1));
      else copier.add(ticket);
    },
    onPiece: () => {
      if (!isRecord) feed.push(copier.take());
      return Promise.resolve();
    },
  });
  feed.flush();
  if (tickets < blockSize) throw otherCount(block, 'fewer');
}

function otherCount({ name, file, game }: BlockFile, found: 'fewer' | 'more'): InputError {
  const message = `${printable(file.name)} of ${name} has ${found} than ${formatCount(game.blockSize)} tickets; ${VERIFY_HINT}`;
  return new InputError('not-a-block', message);
}
