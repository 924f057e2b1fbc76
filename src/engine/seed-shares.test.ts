import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { combineShares } from './seed-shares.js';

const SHARES = ['alice: 7c1f2e', 'bob: 99ab03', 'beacon: 17 4 33 8 21 40'].map((text) =>
  Buffer.from(text),
);
const [ALICE, BOB, BEACON] = SHARES as unknown as readonly [Buffer, Buffer, Buffer];

const text = (seed: Uint8Array): string => Buffer.from(seed).toString('latin1');

describe('shares of a seed', () => {
  test('make a seed of 64 hexadecimal digits, as the specification says', () => {
    const keys = SHARES.map((share) =>
      createHash('sha256')
        .update(Buffer.concat([Buffer.from('gen-block seed share\0'), share]))
        .digest('hex'),
    ).sort();
    const field = (value: string): string =>
      value.length.toString(16).padStart(8, '0') + Buffer.from(value).toString('hex');
    const label = field('gen-block combined seed') + field('3');
    const expected = createHmac('sha256', Buffer.from(keys.join(''), 'hex'))
      .update(Buffer.from(label, 'hex'))
      .digest('hex');
    expect(text(combineShares(SHARES))).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  test('make the same seed in any order', () => {
    const seeds = [
      [ALICE, BOB, BEACON],
      [BEACON, ALICE, BOB],
      [BOB, BEACON, ALICE],
      [BEACON, BOB, ALICE],
    ].map((shares) => text(combineShares(shares)));
    expect(new Set(seeds).size).toBe(1);
  });

  test('all count, and every bit of each', () => {
    const seeds = new Set([text(combineShares(SHARES))]);
    let changes = 1;
    for (const [index, share] of SHARES.entries()) {
      for (let bit = 0; bit < 8 * share.length; bit += 1) {
        const changed = Buffer.from(share);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        seeds.add(text(combineShares(SHARES.with(index, changed))));
        changes += 1;
      }
      seeds.add(text(combineShares(SHARES.toSpliced(index, 1))));
      changes += 1;
    }
    expect(seeds.size).toBe(changes);
  });

  test('do not run into one another', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 2 }), { minLength: 2 }), (words) => {
        const [first = '', second = ''] = words;
        const moved = [first + second.slice(0, 1), second.slice(1), ...words.slice(2)];
        fc.pre(new Set(moved).size === moved.length && moved.join('\0') !== words.join('\0'));
        fc.pre(moved.toSorted().join('\0') !== words.toSorted().join('\0'));
        const combine = (list: readonly string[]): string =>
          text(combineShares(list.map((word) => Buffer.from(word))));
        expect(combine(moved)).not.toBe(combine(words));
      }),
    );
  });

  test('make another seed than any of them, or all of them joined, would be', () => {
    const seed = text(combineShares([ALICE, BOB]));
    for (const other of [ALICE, BOB, Buffer.concat([ALICE, BOB])]) {
      expect(seed).not.toBe(text(other));
      expect(seed).not.toBe(createHash('sha256').update(other).digest('hex'));
    }
  });

  test('are refused where one comes twice, or there are too few or too many', () => {
    expect(() => combineShares([ALICE, BOB, Buffer.from(ALICE)])).toThrow(
      'two shares of the seed are the same; each must be of somebody else',
    );
    expect(() => combineShares([ALICE])).toThrow('1 shares make no seed; give from 2 to 100');
    const many = Array.from({ length: 101 }, (_, index) => Buffer.from(String(index)));
    expect(() => combineShares(many)).toThrow('101 shares make no seed');
    expect(combineShares(many.slice(1))).toHaveLength(64);
  });
});
