import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { loadGame } from '../../definitions/load-game.js';
import type { CollectGame, Stake } from '../../definitions/game.js';
import { gridsWith } from '../../mechanics/collect/rules-counting.js';
import { sampleCollectGame } from '../../testing/sample-definitions.js';
import { collectLaw } from './collect-law.js';

/** A game of two rows of two, whose every grid can be listed. */
function smallGame(caps: { unchosenCap: number | null; neutralCap: number | null }): CollectGame {
  const game = sampleCollectGame('collect-bare');
  const [a, b] = game.symbols;
  const neutral = { code: 'N', id: 'neutral', role: 'neutral' } as const;
  return {
    ...game,
    grid: { rows: 2, columns: 2 },
    symbols: [defined(a, 'A'), defined(b, 'B'), neutral],
    policy: { ...game.policy, ...caps },
  };
}

/** All fillings of four cells with so many A, and the caps kept. */
function grids(game: CollectGame, chosen: number): readonly string[] {
  const letters = game.symbols.map(({ code }) => code);
  let all: readonly string[] = [''];
  for (let cell = 0; cell < 4; cell += 1) {
    all = all.flatMap((grid) => letters.map((letter) => grid + letter));
  }
  const count = (grid: string, letter: string): number => grid.split(letter).length - 1;
  return all.filter(
    (grid) =>
      count(grid, 'A') === chosen &&
      count(grid, 'B') <= (game.policy.unchosenCap ?? 4) &&
      count(grid, 'N') <= (game.policy.neutralCap ?? 4),
  );
}

function stakeOf(game: CollectGame): Stake {
  return defined(game.stakes[0], 'a stake');
}

describe('the law of grids', () => {
  test.each([
    { unchosenCap: null, neutralCap: null },
    { unchosenCap: 1, neutralCap: null },
    { unchosenCap: 2, neutralCap: 3 },
  ])('is right by enumeration with caps %o', (caps) => {
    const game = smallGame(caps);
    const [choice] = collectLaw(game, stakeOf(game)).choices;
    for (let chosen = 0; chosen <= 4; chosen += 1) {
      const all = grids(game, chosen);
      if (all.length === 0) continue;
      expect(choice?.gridCount(chosen)).toBeCloseTo(all.length, 10);
      const chances = choice?.countChances(chosen) ?? [];
      for (const [symbol, letter] of ['A', 'B', 'N'].entries()) {
        for (let count = 0; count <= 4; count += 1) {
          const having = all.filter((grid) => grid.split(letter).length - 1 === count).length;
          expect(chances[symbol]?.[count] ?? 0).toBeCloseTo(having / all.length, 10);
        }
      }
    }
  });

  test('counts as many grids as the rules do', () => {
    const game = loadGame('lagon-paradis') as CollectGame;
    const law = collectLaw(game, stakeOf(game));
    for (const choice of law.choices) {
      for (const chosen of [0, 3, 7, 10]) {
        const counted = Number(gridsWith(game, choice.letter, chosen));
        expect(choice.gridCount(chosen) / counted).toBeCloseTo(1, 10);
      }
    }
  });

  test('takes a cap, or one less than wins, for a near win', () => {
    const capped = loadGame('lagon-paradis') as CollectGame;
    expect(collectLaw(capped, stakeOf(capped)).nearCount).toBe(3);
    const bare = sampleCollectGame('collect-bare');
    expect(collectLaw(bare, stakeOf(bare)).nearCount).toBe(3);
  });
});
