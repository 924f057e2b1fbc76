import { describe, expect, test } from '@jest/globals';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { gameIds, loadGame } from './load-game.js';
import { planOutcomes, rulesOf } from './mechanics.js';
import { lawOutcomes } from './outcome-law.js';

const GAMES = [
  ...gameIds().map(loadGame),
  sampleRowsGame('eldorado-mini'),
  sampleRowsGame('rows-plain'),
  sampleCollectGame('lagon-mini'),
  sampleCollectGame('collect-bare'),
].map((game) => [game.id, game] as const);

describe.each(GAMES)('the outcomes of %s', (_, game) => {
  test.each(game.stakes.map((stake) => [stake.stakeCents, stake] as const))(
    'at %i cents fit its tables',
    (_stakeCents, stake) => {
      const { law, outcomes } = planOutcomes(game, stake);
      expect(outcomes).toEqual(lawOutcomes(law));
      expect(law.map(({ prizeCents }) => prizeCents)).toEqual([
        ...stake.tiers.map(({ prizeCents }) => prizeCents),
        0,
      ]);
      expect(law.reduce((sum, { count }) => sum + count, 0)).toBe(game.blockSize);
      for (const outcome of outcomes) {
        const amounts = outcome.composition.map((index) => stake.payTable[index]!.prizeCents);
        expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe(outcome.prizeCents);
      }
      const names = outcomes.map(({ combination, feature }) => `${combination}/${feature}`);
      expect(new Set(names).size).toBe(outcomes.length);
    },
  );

  test('are the same at every stake but for their prizes', () => {
    const namesAt = game.stakes.map((stake) =>
      planOutcomes(game, stake).outcomes.map(({ combination, feature }) => [combination, feature]),
    );
    for (const names of namesAt) expect(names).toEqual(namesAt[0]);
  });
});

test('a mechanic is only given its own games', () => {
  const rows = sampleRowsGame('rows-plain');
  const collect = sampleCollectGame('collect-bare');
  expect(rulesOf(rows).featureName).toBe('extra_stages');
  expect(rulesOf(collect).featureName).toBe('chosen');
  expect(() => rulesOf(rows).check(collect)).toThrow('the rows rules were given a collect game');
  expect(() => rulesOf(collect).check(rows)).toThrow('the collect rules were given a rows game');
});
