import { checkTicket } from '../core/check-ticket.js';
import { InputError, printable } from '../core/errors.js';
import { MerkleTree } from '../core/merkle-tree.js';
import { readFileBytes } from '../core/read-json-file.js';
import { HASH_BYTES } from '../core/short-hasher.js';
import { join } from 'node:path';
import type { Game } from '../definitions/game.js';
import { MOST_COMMITMENT_BYTES, parseCommitment } from '../formats/commitment.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import { COMMITMENT_FILE } from '../formats/manifest.js';
import { encodeProof } from '../formats/proof.js';
import { RecordCopier } from '../formats/record-copier.js';
import { TicketLeaves } from '../formats/ticket-leaves.js';
import { openBlockFile, VERIFY_HINT, type BlockFile } from './block-file.js';
import type { Watch } from './read-tickets-file.js';
import { feedLeaves } from './tickets-root.js';

/**
 * How a block's tickets are proved.
 *
 * @group Trust
 */
export interface ProveOptions extends Watch {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /**
   * The key of the block's salts, given what the manifest says.
   *
   * @returns `undefined` where it cannot be told.
   */
  readonly saltKeyOf: (claims: ManifestClaims) => Uint8Array | undefined;
}

/**
 * A block whose tree has been built, and whose root is that of its commitment.
 *
 * @group Trust
 */
export class TicketProver {
  readonly #file: BlockFile;
  readonly #leaves: TicketLeaves;
  readonly #tree: MerkleTree;

  private constructor(file: BlockFile, saltKey: Uint8Array, tree: MerkleTree) {
    this.#file = file;
    this.#leaves = new TicketLeaves(saltKey, file.name);
    this.#tree = tree;
  }

  /**
   * Reads a block and builds its tree, in 64 bytes a ticket.
   *
   * @param path - The block's folder, or its `manifest.json`.
   * @throws InputError `bad-salt-key` where the key is not the block's, `not-a-block` where the tickets or
   * the root are not those that were committed to, `not-found` where there is no commitment; MachineError.
   */
  static async open(path: string, options: ProveOptions): Promise<TicketProver> {
    const { game, identities } = options;
    const file = await openBlockFile(path, { game, identities, format: 'ndjson' });
    const { folder, claims } = file.manifest;
    const saltKey = options.saltKeyOf(claims);
    if (saltKey === undefined) {
      const message = `the seed is not that of ${file.name}: its commitment is another; give the block's own`;
      throw new InputError('bad-seed', message);
    }
    const root = committedRoot(join(folder, COMMITMENT_FILE), file.name);
    const leaves = new LeafList(file.game.blockSize);
    await feedLeaves(file, { saltKey, taker: leaves }, options);
    const tree = new MerkleTree(leaves.all());
    if (Buffer.from(tree.root()).toString('hex') !== root) {
      const message = `${printable(path)}: its tickets have another Merkle root than its ${COMMITMENT_FILE}, by this salt key; ${VERIFY_HINT}`;
      throw new InputError('not-a-block', message);
    }
    return new TicketProver(file, saltKey, tree);
  }

  /** How many tickets the block has. */
  get tickets(): number {
    return this.#file.game.blockSize;
  }

  /**
   * Writes proofs, each one line of JSON and an LF, in the order of the tickets.
   *
   * @param wanted - The numbers of the tickets, from 1; all of them where this is left out.
   * @throws InputError `bad-number` where there is no such ticket; what `write` throws.
   */
  async prove(
    wanted: readonly number[] | undefined,
    write: (lines: string) => Promise<void>,
    watch: Watch = {},
  ): Promise<void> {
    for (const ticket of wanted ?? []) checkTicket(ticket, this.tickets);
    const chosen = wanted && new Set(wanted);
    const copier = new RecordCopier('ndjson', this.#file.game.grid);
    let numbers: number[] = [];
    await this.#file.everyTicket({
      ...watch,
      onTicket: (ticket) => {
        const { ticket: number } = ticket.record;
        if (chosen?.has(number) === false) return;
        copier.add(ticket);
        numbers.push(number);
      },
      onPiece: async () => {
        const records = Buffer.from(copier.take()).toString('latin1').split('\n');
        const lines = numbers.map((ticket, index) => this.#proof(ticket, records[index] ?? ''));
        numbers = [];
        if (lines.length > 0) await write(lines.join(''));
      },
    });
  }

  #proof(ticket: number, record: string): string {
    const path = this.#tree.path(ticket - 1).map(hex);
    const salt = hex(this.#leaves.salt(ticket));
    const { tickets } = this;
    const block = this.#file.name;
    return `${encodeProof({ block, ticket, tickets, record, salt, path })}\n`;
  }
}

/** The root that was committed to. */
function committedRoot(path: string, blockName: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileBytes(path, MOST_COMMITMENT_BYTES);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const message = `the block has no ${COMMITMENT_FILE}, so there is no root to prove against; generate it with --commit-tickets, before any ticket is sold`;
    throw new InputError('not-found', message, { cause: error });
  }
  const commitment = parseCommitment(bytes, path);
  if (commitment.block === blockName) return commitment.tickets_root;
  const message = `${printable(path)} is the commitment of ${printable(commitment.block)}, and not of ${blockName}; put the block's own there`;
  throw new InputError('bad-commitment', message);
}

/** Keeps the leaves of a whole block. */
class LeafList {
  readonly #bytes: Uint8Array;
  #count = 0;

  constructor(tickets: number) {
    this.#bytes = new Uint8Array(tickets * HASH_BYTES);
  }

  push(bytes: Uint8Array, at: number): void {
    this.#bytes.set(bytes.subarray(at, at + HASH_BYTES), this.#count * HASH_BYTES);
    this.#count += 1;
  }

  all(): Uint8Array {
    return this.#bytes;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
