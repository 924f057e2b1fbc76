import { describe, expect, test } from '@jest/globals';
import { loadGame } from '../../definitions/load-game.js';
import { sampleCollectGame } from '../../testing/sample-definitions.js';
import { collectRules } from './rules.js';

describe('the law of outcomes in the collect mechanic', () => {
  test('gives each prize its count of chosen symbols, and splits the losing tickets', () => {
    const game = loadGame('lagon-paradis');
    const law = collectRules.outcomeLaw(game, game.stakes[1]!);
    const text = law.map(({ prizeCents, count, features }) => [
      prizeCents,
      count,
      ...features.map(({ weight, outcomes }) => [
        weight,
        outcomes.map((item) => item.outcome.feature),
      ]),
    ]);
    expect(text).toEqual([
      [500_000, 1, [1, [10]]],
      [50_000, 1, [1, [9]]],
      [10_000, 200, [1, [8]]],
      [2000, 11_000, [1, [7]]],
      [500, 14_100, [1, [6]]],
      [200, 99_000, [1, [5]]],
      [100, 46_000, [1, [4]]],
      [0, 629_698, [10, [0]], [25, [1]], [35, [2]], [30, [3]]],
    ]);
  });

  test('has all of an outcome', () => {
    const game = loadGame('lagon-paradis');
    const law = collectRules.outcomeLaw(game, game.stakes[0]!);
    expect(law[3]?.features[0]?.outcomes).toEqual([
      {
        weight: 1,
        outcome: {
          prizeCents: 1000,
          combination: '7',
          feature: 7,
          composition: [3],
          gridCount: 3,
        },
      },
    ]);
    expect(law.at(-1)?.features[0]?.outcomes).toEqual([
      {
        weight: 1,
        outcome: { prizeCents: 0, combination: '', feature: 0, composition: [], gridCount: 3 },
      },
    ]);
  });

  test('finds the count of a prize by its amount, whatever the order of the counts', () => {
    const game = sampleCollectGame('collect-bare', ['/stakes/0/pay_table/4/count', 9]);
    const [stake] = game.stakes;
    const law = collectRules.outcomeLaw(game, stake!);
    expect(law.map(({ features }) => features[0]?.outcomes[0]?.outcome.combination)).toEqual([
      '8',
      '7',
      '6',
      '5',
      '9',
      '',
    ]);
  });

  test('leaves out losing counts of weight 0', () => {
    const game = sampleCollectGame('collect-bare', ['/policy/losing_counts/1/weight', 0]);
    const losing = collectRules.outcomeLaw(game, game.stakes[0]!).at(-1);
    const counts = losing?.features.map(({ outcomes }) => outcomes[0]?.outcome.feature);
    expect(counts).toEqual([0, 2, 3]);
  });
});
