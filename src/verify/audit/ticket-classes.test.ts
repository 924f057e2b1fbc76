import { describe, expect, test } from '@jest/globals';
import { formatEuros } from '../../core/money.js';
import { planOutcomes, rulesOf } from '../../definitions/mechanics.js';
import { sampleRequest } from '../../testing/sample-requests.js';
import { planBlock } from '../../block/plan-block.js';
import { classifyTickets } from './ticket-classes.js';

async function classesOf(name: 'eldorado-mini' | 'lagon-mini') {
  const { game, stake, order } = await planBlock(sampleRequest(name));
  const { outcomes } = planOutcomes(game, stake);
  const { featureName } = rulesOf(game);
  const observations = { outcomes, outcomeOf: order, featureName };
  return { classes: classifyTickets(observations), stake, order, outcomes };
}

describe('the classes of tickets', () => {
  test('are all winning ones, top tiers, tiers, and EXTRA stages', async () => {
    const { classes, stake, order, outcomes } = await classesOf('eldorado-mini');
    const withStages = [1, 2, 3].map((stages) => [
      `with ${stages} EXTRA`,
      order.filter((outcome) => outcomes[outcome]?.feature === stages).length,
    ]);
    expect(classes.all.map(({ name, positions }) => [name, positions.length])).toEqual([
      ['winning', 1515],
      // With the 150 tickets of 15 EUR they would be more than 1 % of the winning ones.
      ['of the top tiers (50.00 EUR and more)', 5],
      ...stake.tiers.map(({ prizeCents, count }) => [`of ${formatEuros(prizeCents)} EUR`, count]),
      ...withStages,
    ]);
    expect(classes.winning).toBe(classes.all[0]);
    expect(classes.top).toBe(classes.all[1]);
  });

  test('are numbers of chosen symbols among losing tickets', async () => {
    const { classes, order, outcomes } = await classesOf('lagon-mini');
    const names = classes.all.map(({ name }) => name);
    expect(names.slice(-4)).toEqual([0, 1, 2, 3].map((chosen) => `losing with ${chosen} chosen`));
    const losing = classes.all.at(-1);
    const expected = [...order.keys()].filter((place) => {
      const outcome = outcomes[order[place] ?? 0];
      return outcome?.prizeCents === 0 && outcome.feature === 3;
    });
    expect(Array.from(losing?.positions ?? [])).toEqual(expected);
  });
});
