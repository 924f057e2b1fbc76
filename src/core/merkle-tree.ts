import { assert, defined } from './assert.js';
import { HASH_BYTES, ShortHasher } from './short-hasher.js';

/** Section 2.1 of RFC 6962: what tells a leaf's hash from a node's. */
export const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;

const NODE_BYTES = 1 + 2 * HASH_BYTES;

/**
 * The root of a Merkle tree (RFC 6962, section 2.1) over leaves that come one after the other. It keeps one
 * hash for each level and no leaf.
 */
export class MerkleRoot {
  readonly #nodes = new NodeHasher();
  /** The hash of each whole subtree that waits for its right neighbour, largest first. */
  readonly #waiting: { readonly leaves: number; readonly hash: Uint8Array }[] = [];
  #count = 0;

  /** Adds the hash of the next leaf, 32 bytes of `bytes` from `at` on. */
  push(bytes: Uint8Array, at: number): void {
    this.#count += 1;
    const hash = copyOf(bytes, at);
    let leaves = 1;
    for (let left = this.#waiting.at(-1); left?.leaves === leaves; left = this.#waiting.at(-1)) {
      this.#waiting.pop();
      this.#nodes.join(left.hash, hash, hash);
      leaves *= 2;
    }
    this.#waiting.push({ leaves, hash });
  }

  /** How many leaves there are. */
  get count(): number {
    return this.#count;
  }

  /** The root of all leaves so far, of which there must be one. */
  root(): Uint8Array {
    const root = copyOf(defined(this.#waiting.at(-1), 'the last leaf').hash);
    for (const { hash } of this.#waiting.slice(0, -1).reverse()) this.#nodes.join(hash, root, root);
    return root;
  }
}

/** A whole Merkle tree, which shows the way from each leaf to the root. 64 bytes a leaf. */
export class MerkleTree {
  /** The hashes of each level, the leaves first and the root last. */
  readonly #levels: readonly Uint8Array[];

  /** @param leaves - The hashes of all leaves, 32 bytes each; at least one. */
  constructor(leaves: Uint8Array) {
    assert(leaves.length >= HASH_BYTES && leaves.length % HASH_BYTES === 0, 'leaves are hashes');
    const nodes = new NodeHasher();
    const levels = [leaves];
    for (let level = leaves; level.length > HASH_BYTES; levels.push(level)) {
      level = nodes.levelAbove(level);
    }
    this.#levels = levels;
  }

  root(): Uint8Array {
    return copyOf(defined(this.#levels.at(-1), 'a tree has a root'));
  }

  /**
   * The audit path of a leaf (section 2.1.1): the hashes that lead from it to the root, the lowest first.
   *
   * @param index - From 0.
   */
  path(index: number): readonly Uint8Array[] {
    const path: Uint8Array[] = [];
    let at = index;
    for (const level of this.#levels) {
      const sibling = (at ^ 1) * HASH_BYTES;
      if (sibling < level.length) path.push(copyOf(level, sibling));
      at >>>= 1;
    }
    return path;
  }
}

/**
 * The root that an audit path leads to; `undefined` where no leaf of this index in a tree of this size has a
 * path of this length.
 *
 * @param index - The leaf's, from 0.
 * @param size - How many leaves the tree has.
 */
export function rootOfPath(
  leaf: Uint8Array,
  { index, size }: { readonly index: number; readonly size: number },
  path: readonly Uint8Array[],
): Uint8Array | undefined {
  if (index < 0 || index >= size) return undefined;
  const nodes = new NodeHasher();
  const hash = copyOf(leaf);
  const rest = [...path];
  let at = index;
  for (let last = size - 1; last > 0; last = Math.floor(last / 2)) {
    const isRight = at % 2 === 1;
    // The last node of an odd level has no neighbour, and goes up as it is.
    if (isRight || at < last) {
      const sibling = rest.shift();
      if (sibling?.length !== HASH_BYTES) return undefined;
      if (isRight) nodes.join(sibling, hash, hash);
      else nodes.join(hash, sibling, hash);
    }
    at = Math.floor(at / 2);
  }
  return rest.length === 0 ? hash : undefined;
}

/** A copy of a hash. (`slice` of a Buffer is none.) */
function copyOf(bytes: Uint8Array, at = 0): Uint8Array {
  return Uint8Array.from(bytes.subarray(at, at + HASH_BYTES));
}

/** Hashes two nodes into the one above them. */
class NodeHasher {
  readonly #hasher = new ShortHasher(NODE_BYTES);

  /** @param target - Takes the hash; it may be one of the two. */
  join(left: Uint8Array, right: Uint8Array, target: Uint8Array): void {
    const { message } = this.#hasher;
    message[0] = NODE_PREFIX;
    message.set(left, 1);
    message.set(right, 1 + HASH_BYTES);
    this.#hasher.hash(NODE_BYTES, target, 0);
  }

  levelAbove(level: Uint8Array): Uint8Array {
    const count = level.length / HASH_BYTES;
    const above = new Uint8Array(Math.ceil(count / 2) * HASH_BYTES);
    const { message } = this.#hasher;
    for (let pair = 0; pair < Math.floor(count / 2); pair += 1) {
      message[0] = NODE_PREFIX;
      copy(level, 2 * pair * HASH_BYTES, message, 1, 2 * HASH_BYTES);
      this.#hasher.hash(NODE_BYTES, above, pair * HASH_BYTES);
    }
    if (count % 2 === 1) above.set(level.subarray(-HASH_BYTES), above.length - HASH_BYTES);
    return above;
  }
}

/** For so few bytes a loop is quicker than a call of the engine's own. */
function copy(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  count: number,
): void {
  for (let at = 0; at < count; at += 1) target[to + at] = source[from + at] ?? 0;
}
