import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CollectGame } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { sampleCollectGame } from '../../testing/sample-definitions.js';
import { fillersOf, fillingWays, gridsWith, playCodes } from './rules-counting.js';

const lagon = loadGame('lagon-paradis') as CollectGame;

describe('what may stand beside the chosen symbol', () => {
  test('is every other symbol, unchosen play symbols with their cap', () => {
    expect(playCodes(lagon)).toEqual(['T', 'P', 'H']);
    expect(fillersOf(lagon, 'P')).toEqual({
      capped: [
        { code: 'T', cap: 3 },
        { code: 'H', cap: 3 },
      ],
      free: ['C', 'E', 'N', 'V'],
    });
  });

  test('is free where there is no cap, and capped where neutral symbols have one', () => {
    expect(fillersOf(sampleCollectGame('collect-bare'), 'B')).toEqual({
      capped: [],
      free: ['A', 'C'],
    });
    const capped = sampleCollectGame('lagon-mini', ['/policy/neutral_cap', 5]);
    expect(fillersOf(capped, 'T').free).toEqual([]);
    expect(fillersOf(capped, 'T').capped.map(({ cap }) => cap)).toEqual([3, 3, 5, 5, 5, 5]);
  });
});

describe('the ways to fill cells', () => {
  test('are powers for free symbols', () => {
    expect(fillingWays({ capped: [], free: ['A', 'B', 'C'] }, 3)).toEqual([[1n, 3n, 9n, 27n]]);
    expect(fillingWays({ capped: [], free: [] }, 2)).toEqual([[1n, 0n, 0n]]);
  });

  test('start from all symbols and end with the free ones', () => {
    const capped = [
      { code: 'A', cap: 1 },
      { code: 'B', cap: 0 },
    ];
    expect(fillingWays({ capped, free: ['C'] }, 2)).toEqual([
      [1n, 2n, 3n],
      [1n, 1n, 1n],
      [1n, 1n, 1n],
    ]);
  });

  test('are those that a plain enumeration finds', () => {
    const caps = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(caps, fc.integer({ min: 0, max: 2 }), fc.nat(5), (limits, freeCount, cells) => {
        const capped = limits.map((cap, index) => ({ code: `C${index}`, cap }));
        const free = Array.from({ length: freeCount }, (_, index) => `F${index}`);
        expect(fillingWays({ capped, free }, cells)[0]?.[cells]).toBe(
          BigInt(fillings([...limits, ...free.map(() => Infinity)], cells)),
        );
      }),
    );
  });
});

/** Counts one by one the ways to fill cells with symbols that each may occur so often. */
function fillings(limits: readonly number[], cells: number): number {
  if (cells === 0) return 1;
  return limits.reduce((sum, limit, index) => {
    if (limit === 0) return sum;
    const left = limits.map((other, position) => (position === index ? other - 1 : other));
    return sum + fillings(left, cells - 1);
  }, 0);
}

describe('the number of grids', () => {
  test.each([
    // Of 18 cells 10 are chosen, and the other 8 filled with two symbols: C(18, 10) times 2^8.
    [10, 43_758n * 256n],
    [0, 2n ** 18n],
    [18, 1n],
    [19, 0n],
  ])('with %i of the chosen of three symbols without caps is known', (chosen, count) => {
    const game = sampleCollectGame('collect-bare');
    for (const code of playCodes(game)) expect(gridsWith(game, code, chosen)).toBe(count);
  });

  test('does not depend on the choice in Lagon Paradis', () => {
    for (let chosen = 0; chosen <= 10; chosen += 1) {
      const counts = playCodes(lagon).map((code) => gridsWith(lagon, code, chosen));
      expect(new Set(counts).size).toBe(1);
      expect(counts[0]! > 0n).toBe(true);
    }
  });
});
