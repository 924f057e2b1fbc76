import { describe, expect, test } from '@jest/globals';
import { InputError } from '../core/errors.js';
import { evenChiSquareP } from '../testing/goodness-of-fit.js';
import { sampleRowsGame } from '../testing/sample-definitions.js';
import { checkPrize, chooseTickets, prizeOfTier } from './choose-tickets.js';

const PRIZES = [0, 200, 0, 500, 200, 0, 200, 0];

describe('tickets of a block', () => {
  test.each([
    ['the first of all', { count: 1 }, [1]],
    ['the first three', { count: 3 }, [1, 2, 3]],
    ['the first of a prize', { prizeCents: 200, count: 1 }, [2]],
    ['the first two of a prize', { prizeCents: 200, count: 2 }, [2, 5]],
    ['all of a prize that has fewer', { prizeCents: 200, count: 9 }, [2, 5, 7]],
    ['losing ones', { prizeCents: 0, count: 2 }, [1, 3]],
    ['none of a prize that is not there', { prizeCents: 100, count: 3 }, []],
    [
      'by chance all, where as many are wanted',
      { isRandom: true, prizeCents: 200, count: 3 },
      [2, 5, 7],
    ],
    ['by chance none', { isRandom: true, prizeCents: 100, count: 1 }, []],
  ])('are chosen: %s', (_, wish, numbers) => {
    expect(chooseTickets(wish, PRIZES)).toEqual(numbers);
  });

  // The operating system's chance has no seed: each of these two fails once in a billion runs.
  test('by chance, each is as likely as the other', () => {
    const drawn = new Array<number>(PRIZES.length).fill(0);
    for (let round = 0; round < 4_000; round += 1) {
      const [ticket = 0, ...others] = chooseTickets({ isRandom: true, count: 1 }, PRIZES);
      expect(others).toEqual([]);
      drawn[ticket - 1] = (drawn[ticket - 1] ?? 0) + 1;
    }
    expect(evenChiSquareP(drawn)).toBeGreaterThan(1e-9);
  });

  test('by chance, each pair of one prize is as likely as the other, ascending', () => {
    const drawn = new Map([
      ['1,3', 0],
      ['1,6', 0],
      ['1,8', 0],
      ['3,6', 0],
      ['3,8', 0],
      ['6,8', 0],
    ]);
    for (let round = 0; round < 4_000; round += 1) {
      const pair = chooseTickets({ isRandom: true, prizeCents: 0, count: 2 }, PRIZES).join();
      drawn.set(pair, (drawn.get(pair) ?? 0) + 1);
    }
    expect(drawn.size).toBe(6);
    expect(evenChiSquareP([...drawn.values()])).toBeGreaterThan(1e-9);
  });
});

describe('a prize', () => {
  const [stake] = sampleRowsGame('rows-plain').stakes;
  if (stake === undefined) throw new Error('no stake');

  test('stands on its line of the prize table', () => {
    expect([1, 5].map((tier) => prizeOfTier(stake, tier))).toEqual([4000, 100]);
  });

  test.each([0, 6])('of line %d is refused, with the lines that there are', (tier) => {
    expect(() => prizeOfTier(stake, tier)).toThrow(
      new InputError(
        'bad-number',
        `there is no tier ${tier}; choose one from 1, the highest prize, to 5`,
      ),
    );
  });

  test('that no ticket wins is refused, with those that there are', () => {
    expect(() => {
      checkPrize(stake, 100);
    }).not.toThrow();
    expect(() => {
      checkPrize(stake, 150);
    }).toThrow('no ticket wins 1.50 euros; choose a prize of 40.00; 10.00; 6.00; 2.00; 1.00');
  });
});
