import { describe, expect, test } from '@jest/globals';
import { judgeStreak } from './judge-streak.js';

/** The longest losing streak of every order of a small block. */
function longestStreaks(tickets: number, winners: number): readonly number[] {
  const streaks: number[] = [];
  for (let bits = 0; bits < 2 ** tickets; bits += 1) {
    const order = bits.toString(2).padStart(tickets, '0');
    if (order.replaceAll('0', '').length !== winners) continue;
    streaks.push(Math.max(...order.split('1').map((streak) => streak.length)));
  }
  return streaks;
}

describe('the longest losing streak', () => {
  const streaks = longestStreaks(12, 4);

  test.each([2, 3, 4, 5, 6, 7, 8])('of %d has its exact tails', (longest) => {
    const evidence = { kind: 'streak', longest, tickets: 12, winners: 4, blocks: 1 } as const;
    const verdict = judgeStreak(evidence);
    const share = (holds: (streak: number) => boolean): number =>
      streaks.filter(holds).length / streaks.length;
    expect(verdict?.tails.above).toBeCloseTo(
      share((streak) => streak >= longest),
      10,
    );
    expect(verdict?.tails.below).toBeCloseTo(
      share((streak) => streak <= longest),
      10,
    );
    const mean = streaks.reduce((sum, streak) => sum + streak, 0) / streaks.length;
    expect(verdict?.note).toBe(`${longest} losing tickets in a row, ${mean.toFixed(3)} expected`);
  });

  test('of several blocks is the longest of all', () => {
    const one = { kind: 'streak', longest: 6, tickets: 12, winners: 4, blocks: 1 } as const;
    const above = judgeStreak(one)?.tails.above ?? 0;
    const ofThree = judgeStreak({ ...one, blocks: 3 })?.tails.above;
    expect(ofThree).toBeCloseTo(1 - (1 - above) ** 3, 10);
  });

  test('keeps its smallest chances apart', () => {
    const block = { kind: 'streak', tickets: 900_000, winners: 151_157, blocks: 1 } as const;
    const at = (longest: number): number => judgeStreak({ ...block, longest })?.tails.above ?? 1;
    // About W q^length: 151,158 times 0.832 to the power of 300.
    expect(at(300)).toBeLessThan(1e-17);
    expect(at(300)).toBeGreaterThan(1e-20);
    expect(judgeStreak({ ...block, longest: 30 })?.tails.below).toBeLessThan(1e-80);
  });

  // By mpmath with 60 digits. Between 10 and 12 of these streaks are expected: where few are too many.
  test.each([
    [151_157, 51, 2.3077818e-5],
    [151_157, 52, 1.3922805e-4],
    [129_910, 59, 1.236048953e-5],
    [255_532, 29, 1.113193928e-5],
  ])('of %d winning tickets is %d or less with its exact chance', (winners, longest, chance) => {
    const evidence = { kind: 'streak', longest, tickets: 900_000, winners, blocks: 1 } as const;
    const below = judgeStreak(evidence)?.tails.below ?? 0;
    expect(Math.abs(below / chance - 1)).toBeLessThan(1e-4);
  });

  test('has a bound, close to its chance, where many streaks that long are expected', () => {
    const evidence = { kind: 'streak', longest: 56, tickets: 900_000, blocks: 1 } as const;
    const ratio =
      (judgeStreak({ ...evidence, winners: 129_910 })?.tails.below ?? 0) / 1.418635955e-8;
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(1.2);
  });

  test('cannot be judged where all tickets win, or none', () => {
    const evidence = { kind: 'streak', longest: 12, tickets: 12, blocks: 1 } as const;
    expect(judgeStreak({ ...evidence, winners: 0 })).toBeUndefined();
    expect(judgeStreak({ ...evidence, winners: 12 })).toBeUndefined();
  });
});
