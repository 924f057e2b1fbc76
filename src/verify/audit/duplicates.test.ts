import { describe, expect, test } from '@jest/globals';
import {
  duplicatePairs,
  measureDuplicates,
  measureDuplicatesBetween,
  sampleFingerprints,
  sortFingerprints,
} from './duplicates.js';
import type { Fingerprints } from './observations.js';

function prints(...pairs: readonly (readonly [key: number, rest: number])[]): Fingerprints {
  return {
    keys: Float64Array.from(pairs, ([key]) => key),
    rests: Uint32Array.from(pairs, ([, rest]) => rest),
  };
}

describe('duplicates', () => {
  test('are counted in pairs', () => {
    const three = prints([5, 1], [7, 1], [5, 1], [5, 1], [7, 2], [8, 8]);
    expect(duplicatePairs(three)).toBe(3);
    expect(duplicatePairs(prints([1, 1], [2, 1]))).toBe(0);
  });

  test('are sorted by whether they should hardly ever occur', () => {
    const observations = {
      fingerprints: prints([1, 1], [1, 1], [2, 2], [2, 2], [2, 2]),
      outcomeOf: Uint16Array.of(0, 0, 1, 1, 1),
    };
    const classes = [
      { key: 'a', outcome: 0, tickets: 2, chance: 1e-9 },
      { key: 'b', outcome: 1, tickets: 2, chance: 0.1 },
      { key: 'c', outcome: 1, tickets: 1, chance: 1e-9 },
    ];
    const [rare, common] = measureDuplicates(sortFingerprints(observations, classes));
    expect(rare?.evidence).toMatchObject({ kind: 'events', count: 1, mean: 1e-9 });
    expect(common?.evidence).toMatchObject({ kind: 'events', count: 3, mean: 0.1 });
  });

  test('vary more where three of a kind are likely', () => {
    const observations = {
      fingerprints: prints(),
      outcomeOf: new Uint16Array(0),
    };
    const classes = [{ key: 'a', outcome: 0, tickets: 10, chance: 0.25 }];
    const [, common] = measureDuplicates(sortFingerprints(observations, classes));
    const { evidence } = common ?? {};
    if (evidence?.kind !== 'events') throw new Error('events are measured');
    expect(evidence.mean).toBeCloseTo(45 / 4, 12);
    expect(evidence.variance).toBeCloseTo((45 * 3) / 16, 12);
    expect(evidence.third).toBeCloseTo((45 * 3) / 32 + (6 * 120 * 3) / 64, 12);
  });

  test('between blocks are counted in a sample, without those within a block', () => {
    const first = sampleFingerprints(prints([1, 64], [1, 64], [2, 128], [3, 1]));
    const second = sampleFingerprints(prints([1, 64], [2, 128], [3, 1]));
    expect(Array.from(first.keys)).toEqual([1, 1, 2]);
    const classes = [{ key: 'a', outcome: 0, tickets: 100, chance: 1e-4 }];
    const { evidence } = measureDuplicatesBetween([
      { sample: first, classes },
      { sample: second, classes },
    ]);
    if (evidence.kind !== 'events') throw new Error('events are measured');
    // Two tickets of the first block with one of the second, and one with one.
    expect(evidence.count).toBe(3);
    expect(evidence.mean).toBeCloseTo((100 * 100 * 1e-4) / 64, 12);
  });
});
