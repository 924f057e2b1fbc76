import { expect } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../core/assert.js';
import { CHUNK_TICKETS } from '../core/ticket-chunk.js';
import { drawQuotas } from '../engine/quotas.js';
import { streamOf, type ContractCheck, type MechanicLab } from './mechanic-parts.js';

/** Some outcomes of a lab's game, by index. */
function someOutcomes({ outcomes }: MechanicLab): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(outcomes.length - 1), { minLength: 1, maxLength: 40 });
}

/** Has the evaluator say of drawn tickets what they were drawn as. */
function expectRecognised(lab: MechanicLab, ticketOutcomes: readonly number[], seed: number): void {
  const { outcomes, evaluator } = lab;
  const records = lab.records(ticketOutcomes, seed);
  const found = records.map(({ grids, prize_cents, combination }) => ({
    ...evaluator.explain(grids),
    gridCount: grids.length,
    stated: { prize_cents, combination },
  }));
  const expected = ticketOutcomes.map((index) => {
    const outcome = defined(outcomes[index], 'an outcome');
    const { prizeCents, combination, feature, gridCount } = outcome;
    const evaluation = { prizeCents, combination, feature };
    const stated = { prize_cents: prizeCents, combination };
    return { faults: [], evaluation, gridCount, stated };
  });
  expect(found).toEqual(expected);
}

/** What the rules part must keep. */
export const lawChecks: readonly ContractCheck[] = [
  {
    title: 'its rules find nothing wrong with the game',
    check({ game, parts }) {
      expect(parts.rules.check(game)).toEqual([]);
    },
  },
  {
    title: 'its law covers the whole block, tier by tier, and tells all outcomes apart',
    check({ game, stake, law, outcomes }) {
      const tickets = law.reduce((sum, tier) => sum + tier.count, 0);
      expect(tickets).toBe(game.blockSize);
      expect(law.map(({ prizeCents }) => prizeCents)).toEqual([
        ...stake.tiers.map(({ prizeCents }) => prizeCents),
        0,
      ]);
      expect(law.slice(0, -1).map(({ count }) => count)).toEqual(
        stake.tiers.map(({ count }) => count),
      );
      const weights = law.flatMap(({ features }) =>
        features.flatMap((feature) => [
          feature.weight,
          ...feature.outcomes.map(({ weight }) => weight),
        ]),
      );
      expect(Math.min(...weights)).toBeGreaterThan(0);
      const keys = outcomes.map((item) => `${item.prizeCents}|${item.combination}|${item.feature}`);
      expect(new Set(keys).size).toBe(outcomes.length);
    },
  },
  {
    title: 'its outcomes stand in their tiers, with their features, and pay what they are made of',
    check({ law, stake }) {
      for (const { prizeCents, features } of law) {
        for (const { outcomes } of features) {
          const [first] = outcomes;
          for (const { outcome } of outcomes) {
            expect(outcome.prizeCents).toBe(prizeCents);
            expect(outcome.feature).toBe(first?.outcome.feature);
            const lines = outcome.composition.map((index) =>
              defined(stake.payTable[index], 'a line of the pay table'),
            );
            expect(lines.reduce((sum, line) => sum + line.prizeCents, 0)).toBe(prizeCents);
            const words = lines.map(({ count, symbol }) => `${count}${symbol ?? ''}`);
            expect(outcome.combination).toBe(words.join('+'));
          }
        }
      }
    },
  },
  {
    title: 'its quotas add up to the block for any seed',
    check({ game, law }) {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const quotas = drawQuotas(law, streamOf(seed));
          expect(quotas.reduce((sum, count) => sum + count, 0)).toBe(game.blockSize);
        }),
        { numRuns: 20 },
      );
    },
  },
];

/** What the synthesizer must keep, and what it and the evaluator must agree about. */
export const synthesizerChecks: readonly ContractCheck[] = [
  {
    title: 'its synthesizer makes of every outcome what its evaluator recognises',
    check(lab) {
      expectRecognised(lab, lab.outcomes.map((_, index) => index).slice(0, CHUNK_TICKETS), 1);
      fc.assert(
        fc.property(someOutcomes(lab), fc.nat(), (ticketOutcomes, seed) => {
          expectRecognised(lab, ticketOutcomes, seed);
        }),
        { numRuns: 60 },
      );
    },
  },
  {
    title: 'its synthesizer writes the rows of its tickets, says how many, and no more',
    check(lab) {
      fc.assert(
        fc.property(someOutcomes(lab), fc.nat(), (ticketOutcomes, seed) => {
          const grids = ticketOutcomes.reduce(
            (sum, index) => sum + (lab.outcomes[index]?.gridCount ?? 0),
            0,
          );
          const { rowCount, touched } = lab.draw(ticketOutcomes, seed);
          expect(rowCount).toBe(grids * lab.game.grid.rows);
          expect(touched).toBe(rowCount);
        }),
        { numRuns: 20 },
      );
    },
  },
  {
    title: 'the same stream gives the same rows, whatever was drawn before',
    check(lab) {
      const chunk = lab.outcomes.map((_, index) => index).slice(0, CHUNK_TICKETS);
      const first = lab.lines(chunk, 7);
      lab.lines(chunk.toReversed(), 8);
      expect(Buffer.compare(lab.lines(chunk, 7), first)).toBe(0);
      expect(Buffer.compare(lab.lines(chunk, 9), first)).not.toBe(0);
    },
  },
];
