import { describe, expect, test } from '@jest/globals';
import type { RowsGame } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { sampleRowsGame, type Edit } from '../../testing/sample-definitions.js';
import { rowsRules } from './rules.js';

/** The outcomes of a game's first stake as text, tier by tier, feature by feature. */
function lawText(game: RowsGame): unknown {
  return rowsRules
    .outcomeLaw(game, game.stakes[0]!)
    .map(({ prizeCents, count, features }) => [
      prizeCents,
      count,
      ...features.map(({ weight, outcomes }) => [
        weight,
        ...outcomes.map(({ weight, outcome }) => `${outcome.combination} x${weight}`),
      ]),
    ]);
}

describe('the law of outcomes in the rows mechanic', () => {
  test('splits each tier by stages, then by compositions', () => {
    expect(lawText(sampleRowsGame('rows-plain'))).toEqual([
      [4000, 2, [1, '4A x2']],
      [1000, 10, [1, '3A x2', '4B+4B x1']],
      [600, 20, [1, '4B+3C x1', '3B+3B x1']],
      [200, 60, [1, '4C x2', '3C+3C x1']],
      [100, 80, [1, '3C x2']],
      [0, 828, [1, ' x1']],
    ]);
  });

  test('has all of an outcome', () => {
    const game = sampleRowsGame('eldorado-mini');
    const [top] = rowsRules.outcomeLaw(game, game.stakes[0]!);
    expect(top?.features[1]?.outcomes[1]?.outcome).toEqual({
      prizeCents: 500_000,
      combination: '4P+4P',
      feature: 1,
      composition: [1, 1],
      gridCount: 2,
    });
  });

  test('has one law of stages for every tier and for losing tickets', () => {
    const game = loadGame('eldorado');
    for (const stake of game.stakes) {
      for (const { features } of rowsRules.outcomeLaw(game, stake)) {
        expect(features.map(({ weight }) => weight)).toEqual([850, 120, 25, 5]);
        expect(features.every(({ outcomes }) => outcomes.length > 0)).toBe(true);
      }
    }
  });

  test('leaves out stages and compositions of weight 0', () => {
    const edits: Edit[] = [
      ['/policy/extra_stages/0/weight', 0],
      ['/policy/extra_stages/2/weight', 0],
      ['/policy/composition_weights', [1, 0]],
    ];
    const [top, ...others] = rowsRules.outcomeLaw(
      sampleRowsGame('eldorado-mini', ...edits),
      sampleRowsGame('eldorado-mini').stakes[0]!,
    );
    expect(top?.features.map(({ weight }) => weight)).toEqual([120, 5]);
    expect(
      top?.features.map(({ outcomes }) => outcomes.map((item) => item.outcome.feature)),
    ).toEqual([[1], [3]]);
    expect(others.at(-1)?.features.map(({ outcomes }) => outcomes.length)).toEqual([1, 1]);
  });
});
