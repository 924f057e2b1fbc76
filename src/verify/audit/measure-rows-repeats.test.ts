import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { sampleRowsGame } from '../../testing/sample-definitions.js';
import type { EventsEvidence } from './evidence.js';
import { measureRowsRepeats } from './measure-rows-repeats.js';
import { RowsLaw } from './rows-law.js';

const game = sampleRowsGame('rows-plain');
const law = new RowsLaw(game, defined(game.stakes[0], 'a stake'));
const [one = 0, two = 0] = law.plain.codes;
const winning = law.kindOf.findIndex((kind) => law.kinds[kind] !== law.plain);

function repeatsOf(firstRows: readonly number[]): readonly EventsEvidence[] {
  return measureRowsRepeats({ firstRows: Uint32Array.from(firstRows) }, law).map(({ evidence }) => {
    if (evidence.kind !== 'events') throw new Error('events are measured');
    return evidence;
  });
}

describe('first rows that repeat', () => {
  test('are counted among losing rows, as far as twenty tickets before', () => {
    const [near] = repeatsOf([one, winning, winning, one, two, one]);
    // Three of one kind are three pairs; of four known rows there are six pairs.
    expect(near?.count).toBe(3);
    expect(near?.mean).toBeCloseTo(6 / law.plain.codes.length, 12);
    const rows = new Array<number>(41).fill(winning);
    const [apart] = repeatsOf(rows.with(0, one).with(20, one).with(40, one));
    expect(apart?.count).toBe(2);
  });

  test('come in threes where three tickets are near each other', () => {
    const chance = 1 / law.plain.codes.length;
    const ofPairs = (pairs: number): number => pairs * chance * (1 - chance) * (1 - 2 * chance);
    const [near] = repeatsOf([one, two, one, two]);
    expect(near?.third).toBeCloseTo(ofPairs(6) + 6 * 4 * chance ** 2 * (1 - chance), 12);
    const rows = new Array<number>(41).fill(winning);
    const [apart] = repeatsOf(rows.with(0, one).with(20, one).with(40, one));
    expect(apart?.third).toBeCloseTo(ofPairs(2), 12);
  });

  test('are counted a chunk before', () => {
    const rows = new Array<number>(4097).fill(winning);
    const [, far] = repeatsOf(rows.with(0, two).with(4096, two));
    expect(far?.count).toBe(1);
    expect(far?.mean).toBeCloseTo(1 / law.plain.codes.length, 12);
  });
});
