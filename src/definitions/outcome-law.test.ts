import { expect, test } from '@jest/globals';
import { featureTellsWin, lawOutcomes, type Outcome, type TierLaw } from './outcome-law.js';

test("a law's outcomes stand in the order of tiers, features and weights", () => {
  const outcome = (prizeCents: number, feature: number, combination: string): Outcome => ({
    prizeCents,
    combination,
    feature,
    composition: [],
    gridCount: feature + 1,
  });
  const [a, b, c, d] = [
    outcome(9, 0, 'x'),
    outcome(9, 1, 'x'),
    outcome(9, 1, 'y'),
    outcome(0, 0, ''),
  ];
  const law: TierLaw[] = [
    {
      prizeCents: 9,
      count: 3,
      features: [
        { weight: 1, outcomes: [{ weight: 5, outcome: a }] },
        {
          weight: 2,
          outcomes: [
            { weight: 1, outcome: b },
            { weight: 2, outcome: c },
          ],
        },
      ],
    },
    { prizeCents: 0, count: 7, features: [{ weight: 1, outcomes: [{ weight: 1, outcome: d }] }] },
  ];
  expect(lawOutcomes(law)).toEqual([a, b, c, d]);
  expect(lawOutcomes([])).toEqual([]);
});

test('a feature tells a win where no losing ticket shares it with a winning one', () => {
  const outcome = (prizeCents: number, feature: number): Outcome => ({
    prizeCents,
    combination: '',
    feature,
    composition: [],
    gridCount: 1,
  });
  expect(featureTellsWin([outcome(9, 4), outcome(9, 3), outcome(0, 2), outcome(0, 0)])).toBe(true);
  expect(featureTellsWin([outcome(9, 1), outcome(9, 0), outcome(0, 1)])).toBe(false);
});
