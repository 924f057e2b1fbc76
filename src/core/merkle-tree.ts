import { assert, defined } from './assert.js';
import { LaneHasher } from './lane-hasher.js';
import { HASHES_BELOW, NodeHasher, NodeLanes } from './node-lanes.js';
import { LANES, type Sha256Kernel } from './sha256-kernel.js';
import { HASH_BYTES } from './short-hasher.js';

/** Section 2.1 of RFC 6962: what tells a leaf's hash from a node's. */
export const LEAF_PREFIX = 0;

/**
 * The root of a Merkle tree (RFC 6962, section 2.1) over leaves that come one after the other. It keeps at
 * most eight hashes of each level and no leaf.
 */
export class MerkleRoot {
  readonly #hasher: LaneHasher;
  /** What waits on each level for its neighbours, the leaves first. */
  readonly #levels: WaitingNodes[] = [];
  #count = 0;

  /** @param kernel - What hashes; the fastest where it is left out. */
  constructor(kernel?: Sha256Kernel) {
    this.#hasher = new LaneHasher(kernel);
  }

  /** Adds the hash of the next leaf, 32 bytes of `bytes` from `at` on. */
  push(bytes: Uint8Array, at: number): void {
    this.#count += 1;
    const leaves = this.#level(0);
    copyHash(bytes, at, this.#hasher.bytes, leaves.nodes.addressBelow(leaves.count));
    leaves.count += 1;
    if (leaves.count === HASHES_BELOW) this.#raise(leaves, 1);
  }

  /** How many leaves there are. */
  get count(): number {
    return this.#count;
  }

  /** The root of all leaves so far, of which there must be one. */
  root(): Uint8Array {
    const hasher = new NodeHasher();
    let hashes: readonly Uint8Array[] = [];
    for (const level of this.#levels) {
      hashes = levelAbove(hasher, [...this.#waiting(level), ...hashes]);
    }
    while (hashes.length > 1) hashes = levelAbove(hasher, hashes);
    return defined(hashes[0], 'the root of a leaf or more');
  }

  #level(height: number): WaitingNodes {
    return (this.#levels[height] ??= { nodes: new NodeLanes(this.#hasher), count: 0 });
  }

  /** Makes four nodes of the eight that wait, on the level of this height. */
  #raise(below: WaitingNodes, height: number): void {
    const above = this.#level(height);
    for (let lane = 0; lane < LANES; lane += 1) {
      below.nodes.setTarget(lane, above.nodes.addressBelow(above.count + lane));
    }
    below.nodes.hash();
    below.count = 0;
    above.count += LANES;
    if (above.count === HASHES_BELOW) this.#raise(above, height + 1);
  }

  #waiting({ nodes, count }: WaitingNodes): readonly Uint8Array[] {
    const { bytes } = this.#hasher;
    return Array.from({ length: count }, (_, index) => copyOf(bytes, nodes.addressBelow(index)));
  }
}

/** The hashes of a level that wait for their neighbours, fewer than eight between two leaves. */
interface WaitingNodes {
  /** The nodes above them, which have them below. */
  readonly nodes: NodeLanes;
  count: number;
}

/** A whole Merkle tree, which shows the way from each leaf to the root. 64 bytes a leaf. */
export class MerkleTree {
  /** The hashes of each level, the leaves first and the root last. */
  readonly #levels: readonly Uint8Array[];

  /** @param leaves - The hashes of all leaves, 32 bytes each; at least one. */
  constructor(leaves: Uint8Array) {
    assert(leaves.length >= HASH_BYTES && leaves.length % HASH_BYTES === 0, 'leaves are hashes');
    const maker = new LevelMaker();
    const levels = [leaves];
    for (let level = leaves; level.length > HASH_BYTES; levels.push(level)) {
      level = maker.levelAbove(level);
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
  let hash = copyOf(leaf);
  const rest = [...path];
  let at = index;
  for (let last = size - 1; last > 0; last = Math.floor(last / 2)) {
    const isRight = at % 2 === 1;
    // The last node of an odd level has no neighbour, and goes up as it is.
    if (isRight || at < last) {
      const sibling = rest.shift();
      if (sibling?.length !== HASH_BYTES) return undefined;
      hash = isRight ? nodes.join(sibling, hash) : nodes.join(hash, sibling);
    }
    at = Math.floor(at / 2);
  }
  return rest.length === 0 ? hash : undefined;
}

/** A copy of a hash. (`slice` of a Buffer is none.) */
function copyOf(bytes: Uint8Array, at = 0): Uint8Array {
  return Uint8Array.from(bytes.subarray(at, at + HASH_BYTES));
}

/** For so few bytes a loop is quicker than a call of the engine's own. */
function copyHash(source: Uint8Array, from: number, target: Uint8Array, to: number): void {
  for (let at = 0; at < HASH_BYTES; at += 1) target[to + at] = source[from + at] ?? 0;
}

/** The level above some neighbours; the last one of an odd number goes up as it is. */
function levelAbove(hasher: NodeHasher, level: readonly Uint8Array[]): readonly Uint8Array[] {
  const above: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = defined(level[index], 'the left one of two');
    const right = level[index + 1];
    above.push(right === undefined ? left : hasher.join(left, right));
  }
  return above;
}

/** Makes whole levels of a tree. */
class LevelMaker {
  readonly #hasher = new LaneHasher();
  readonly #nodes = new NodeLanes(this.#hasher);
  readonly #hashes = this.#hasher.reserve(LANES * HASH_BYTES);

  constructor() {
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#nodes.setTarget(lane, this.#hashes + lane * HASH_BYTES);
    }
  }

  levelAbove(level: Uint8Array): Uint8Array {
    const count = level.length / HASH_BYTES;
    const pairs = Math.floor(count / 2);
    const above = new Uint8Array((count - pairs) * HASH_BYTES);
    for (let first = 0; first < pairs; first += LANES) {
      this.#join(level, above, { first, pairs: Math.min(LANES, pairs - first) });
    }
    if (count % 2 === 1) above.set(level.subarray(-HASH_BYTES), above.length - HASH_BYTES);
    return above;
  }

  /** Joins up to four pairs. */
  #join(
    level: Uint8Array,
    above: Uint8Array,
    { first, pairs }: { readonly first: number; readonly pairs: number },
  ): void {
    const { bytes } = this.#hasher;
    for (let index = 0; index < 2 * pairs; index += 1) {
      copyHash(level, (2 * first + index) * HASH_BYTES, bytes, this.#nodes.addressBelow(index));
    }
    this.#nodes.hash();
    const hashes = bytes.subarray(this.#hashes, this.#hashes + pairs * HASH_BYTES);
    above.set(hashes, first * HASH_BYTES);
  }
}
