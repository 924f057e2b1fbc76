import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from './assert.js';
import { MerkleRoot, MerkleTree, rootOfPath } from './merkle-tree.js';
import { PlainKernel, type Sha256Kernel } from './sha256-kernel.js';

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

/** Section 2.1 of RFC 6962, word for word. */
function definedRoot(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves;
  if (leaves.length === 1 && first !== undefined) return Buffer.from(first);
  const half = halfOf(leaves.length);
  return sha256(
    Uint8Array.of(1),
    definedRoot(leaves.slice(0, half)),
    definedRoot(leaves.slice(half)),
  );
}

/** Section 2.1.1. */
function definedPath(index: number, leaves: readonly Uint8Array[]): readonly Buffer[] {
  if (leaves.length === 1) return [];
  const half = halfOf(leaves.length);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...definedPath(index, left), definedRoot(right)]
    : [...definedPath(index - half, right), definedRoot(left)];
}

/** The largest power of two below a number. */
function halfOf(count: number): number {
  let half = 1;
  while (2 * half < count) half *= 2;
  return half;
}

function leavesOf(count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    sha256(Uint8Array.of(0), Buffer.from(`${index}`)),
  );
}

function streamed(leaves: readonly Uint8Array[], kernel?: Sha256Kernel): Uint8Array {
  const root = new MerkleRoot(kernel);
  for (const leaf of leaves) root.push(leaf, 0);
  expect(root.count).toBe(leaves.length);
  return root.root();
}

const hex = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('hex');

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 513];

describe.each(SIZES)('a tree of %i leaves', (size) => {
  const leaves = leavesOf(size);
  const tree = new MerkleTree(Buffer.concat(leaves));

  test('has the root that RFC 6962 defines, streamed or whole', () => {
    expect(hex(streamed(leaves))).toBe(hex(definedRoot(leaves)));
    expect(hex(streamed(leaves, new PlainKernel()))).toBe(hex(definedRoot(leaves)));
    expect(hex(tree.root())).toBe(hex(definedRoot(leaves)));
  });

  test('has the paths that RFC 6962 defines, and each leads to the root from its own place only', () => {
    for (const [index, leaf] of leaves.entries()) {
      const path = tree.path(index);
      expect(path.map(hex)).toEqual(definedPath(index, leaves).map(hex));
      expect(hex(rootOfPath(leaf, { index, size }, path))).toBe(hex(tree.root()));
      const other = (index + 1) % size;
      if (size === 1) continue;
      expect(hex(rootOfPath(leaf, { index: other, size }, path))).not.toBe(hex(tree.root()));
    }
  });
});

test('the root of a stream can be asked for at any time', () => {
  const leaves = leavesOf(150);
  const root = new MerkleRoot();
  for (const [index, leaf] of leaves.entries()) {
    root.push(leaf, 0);
    expect(hex(root.root())).toBe(hex(definedRoot(leaves.slice(0, index + 1))));
  }
});

test('the tree of the test vectors of Certificate Transparency has its published roots', () => {
  const data = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
  const last = '606162636465666768696a6b6c6d6e6f';
  const leaves = [...data, last].map((text) => sha256(Uint8Array.of(0), Buffer.from(text, 'hex')));
  expect(hex(streamed(leaves.slice(0, 1)))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  expect(hex(streamed(leaves.slice(0, 2)))).toBe(
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  );
  expect(hex(streamed(leaves.slice(0, 3)))).toBe(
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  );
  expect(hex(streamed(leaves))).toBe(
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  );
});

test('a path that is changed in any way leads elsewhere or nowhere', () => {
  const leaves = leavesOf(21);
  const tree = new MerkleTree(Buffer.concat(leaves));
  fc.assert(
    fc.property(fc.nat(20), fc.nat(4), fc.nat(31), fc.integer({ min: 1, max: 255 }), (...at) => {
      const [index, step, byte, change] = at;
      const path = tree.path(index).map((hash) => Uint8Array.from(hash));
      const leaf = defined(leaves[index], 'a leaf');
      const place = { index, size: 21 };
      expect(rootOfPath(leaf, place, path.slice(1))).toBeUndefined();
      expect(rootOfPath(leaf, place, [...path, leaf])).toBeUndefined();
      expect(rootOfPath(leaf, { index: 21, size: 21 }, path)).toBeUndefined();
      expect(rootOfPath(leaf, { index: -1, size: 21 }, path)).toBeUndefined();
      const hash = defined(path[step % path.length], 'a step of the path');
      hash[byte] = (hash[byte] ?? 0) ^ change;
      expect(hex(rootOfPath(leaf, place, path))).not.toBe(hex(tree.root()));
    }),
  );
});
