import type { LaneHasher } from './lane-hasher.js';
import { LANES } from './sha256-kernel.js';
import { HASH_BYTES, paddedBytes, padMessage, ShortHasher } from './short-hasher.js';

/** Section 2.1 of RFC 6962: what tells a node's hash from a leaf's. */
const NODE_PREFIX = 1;

const NODE_BYTES = 1 + 2 * HASH_BYTES;
const NODE_ROOM = paddedBytes(NODE_BYTES);

/** How many hashes four nodes have below them. */
export const HASHES_BELOW = 2 * LANES;

/** Four neighbouring nodes of a Merkle tree, which are hashed at once. */
export class NodeLanes {
  readonly #hasher: LaneHasher;
  readonly #lanes: number;
  readonly #messages: number;

  constructor(hasher: LaneHasher) {
    this.#hasher = hasher;
    this.#lanes = hasher.reserveLanes();
    this.#messages = hasher.reserve(LANES * NODE_ROOM);
    for (let lane = 0; lane < LANES; lane += 1) {
      const message = this.#messages + lane * NODE_ROOM;
      hasher.bytes[message] = NODE_PREFIX;
      hasher.setMessage(this.#lanes, lane, message);
      hasher.setBlocks(this.#lanes, lane, padMessage(hasher.bytes, message, NODE_BYTES));
    }
  }

  /** The address of a hash below the four nodes. */
  addressBelow(index: number): number {
    return this.#messages + (index >>> 1) * NODE_ROOM + 1 + (index & 1) * HASH_BYTES;
  }

  /** Says where the hash of a node goes. */
  setTarget(lane: number, address: number): void {
    this.#hasher.setTarget(this.#lanes, lane, address);
  }

  /** Hashes the four nodes. */
  hash(): void {
    this.#hasher.hash(this.#lanes);
  }
}

/** Hashes one node after the other. */
export class NodeHasher {
  readonly #hasher = new ShortHasher();
  readonly #message = new Uint8Array(NODE_ROOM);
  readonly #blocks: number;

  constructor() {
    this.#message[0] = NODE_PREFIX;
    this.#blocks = padMessage(this.#message, 0, NODE_BYTES);
  }

  /** Returns the hash of the node above two. */
  join(left: Uint8Array, right: Uint8Array): Uint8Array {
    const hash = new Uint8Array(HASH_BYTES);
    this.#message.set(left, 1);
    this.#message.set(right, 1 + HASH_BYTES);
    this.#hasher.start();
    this.#hasher.addBlocks(this.#message, 0, this.#blocks);
    this.#hasher.write(hash, 0);
    return hash;
  }
}
