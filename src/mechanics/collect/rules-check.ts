import type { CollectGame, Stake } from '../../definitions/game.js';
import { checkWeights, findDescents } from '../../definitions/list-checks.js';
import type { Problem } from '../../definitions/problem.js';
import { gridsWith, playCodes } from './rules-counting.js';

/** One draw of 32 bits chooses the cells of a symbol: of 32 cells there are 601,080,390 halves. */
const MOST_CELLS = 32;

/** Article 4.3 of Lagon Paradis' regulation has three symbols to choose from. */
const CHOICES = { least: 2, most: 6 };

/** The counts pay the same way at every stake, only their amounts differ. */
const COUNTS_POINTER = '/stakes/0/pay_table';

/**
 * What the collect mechanic asks of a game beyond the schema and the sums: choices, counts and caps
 * that fit each other, and for every choice a grid with each count that may occur.
 */
export function checkCollect(game: CollectGame): readonly Problem[] {
  const problems = [
    ...checkShape(game),
    ...checkCounts(payingCounts(game)),
    ...checkLosingCounts(game),
    ...game.stakes.flatMap((stake, index) => checkAmounts(stake, `/stakes/${index}`)),
  ];
  // The number of grids is only bounded for a game of this shape.
  return problems.length > 0 ? problems : checkGrids(game);
}

function checkShape(game: CollectGame): readonly Problem[] {
  const problems: Problem[] = [];
  const choiceCount = playCodes(game).length;
  if (choiceCount < CHOICES.least || choiceCount > CHOICES.most) {
    const expected = `${CHOICES.least} to ${CHOICES.most} to choose from`;
    problems.push({ pointer: '/symbols', found: `${choiceCount} play symbols`, expected });
  }
  const cellCount = game.grid.rows * game.grid.columns;
  if (cellCount > MOST_CELLS) {
    const found = `a grid of ${cellCount} cells`;
    problems.push({ pointer: '/grid', found, expected: `at most ${MOST_CELLS} cells` });
  }
  return problems;
}

/** Ascending. */
function payingCounts(game: CollectGame): readonly number[] {
  const lines = game.stakes[0]?.payTable ?? [];
  return lines.map(({ count }) => count).toSorted((a, b) => a - b);
}

/** Between two paying counts there is none that does not pay; above the largest none occurs. */
function checkCounts(counts: readonly number[]): readonly Problem[] {
  return counts.flatMap((count, index) => {
    const next = counts[index + 1];
    if (next === undefined || next === count + 1) return [];
    const expected = 'every count from the smallest that pays up to the largest';
    return [{ pointer: COUNTS_POINTER, found: `${count} and ${next} without between`, expected }];
  });
}

function checkLosingCounts(game: CollectGame): readonly Problem[] {
  const pointer = '/policy/losing_counts';
  const { losingCounts } = game.policy;
  const smallest = Math.min(...payingCounts(game));
  return [
    ...checkWeights(
      losingCounts.map(({ weight }) => weight),
      pointer,
    ),
    ...findDescents(
      losingCounts.map(({ chosen }) => chosen),
      (index) => `${pointer}/${index}/chosen`,
    ),
    ...losingCounts.flatMap(({ chosen }, index) => {
      if (chosen < smallest) return [];
      const expected = `less than ${smallest}, the smallest count that pays`;
      return [{ pointer: `${pointer}/${index}/chosen`, found: String(chosen), expected }];
    }),
  ];
}

/**
 * A ticket wins one prize at most, so an amount must tell its count: no amount is paid twice, and
 * every tier is the amount of a count (article 4.4 of Lagon Paradis' regulation).
 */
function checkAmounts({ payTable, tiers }: Stake, pointer: string): readonly Problem[] {
  const amounts = payTable.map(({ prizeCents }) => prizeCents);
  const problems = payTable.flatMap(({ prizeCents, count }, index): Problem[] => {
    // By amount, so equal ones are neighbours.
    const before = payTable[index - 1];
    if (before?.prizeCents !== prizeCents) return [];
    const found = `${prizeCents} for ${before.count} and for ${count}`;
    return [{ pointer: `${pointer}/pay_table`, found, expected: 'another amount for each count' }];
  });
  const unpaid = tiers.flatMap(({ prizeCents }, index): Problem[] => {
    if (amounts.includes(prizeCents)) return [];
    const expected = `an amount of ${pointer}/pay_table`;
    const place = `${pointer}/tiers/${index}/prize_cents`;
    return [{ pointer: place, found: String(prizeCents), expected }];
  });
  return [...problems, ...unpaid];
}

/** Each count that may occur must be possible whatever the player chooses: cells, and room beside it. */
function checkGrids(game: CollectGame): readonly Problem[] {
  const { losingCounts } = game.policy;
  const counts = [
    ...payingCounts(game).map((chosen) => ({ chosen, pointer: COUNTS_POINTER })),
    ...losingCounts.flatMap(({ chosen, weight }, index) =>
      weight > 0 ? [{ chosen, pointer: `/policy/losing_counts/${index}/chosen` }] : [],
    ),
  ];
  const cells = game.grid.rows * game.grid.columns;
  const tooMany = counts.filter(({ chosen }) => chosen > cells);
  if (tooMany.length > 0) {
    const expected = `at most ${cells}, the cells of a grid`;
    return tooMany.map(({ chosen, pointer }) => ({ pointer, found: String(chosen), expected }));
  }
  const crowded = counts.filter(({ chosen }) =>
    playCodes(game).some((code) => gridsWith(game, code, chosen) === 0n),
  );
  // The fewer are chosen, the more room the others must have: one line says it for all counts.
  const least = Math.min(...crowded.map(({ chosen }) => chosen));
  return crowded.length === 0 ? [] : [capsProblem(game, least)];
}

/** Caps that leave cells empty beside so many chosen symbols. */
function capsProblem({ grid, symbols, policy }: CollectGame, chosen: number): Problem {
  const { unchosenCap, neutralCap } = policy;
  const neutral = symbols.filter(({ role }) => role === 'neutral').length;
  // A cap of null leaves room for anything, so these are numbers.
  const terms = [
    { name: 'unchosen_cap', count: symbols.length - neutral - 1, cap: unchosenCap ?? 0 },
    { name: 'neutral_cap', count: neutral, cap: neutralCap ?? 0 },
  ].filter(({ count }) => count > 0);
  const room = terms.reduce((sum, { count, cap }) => sum + count * cap, 0);
  const sum = `${terms.map(({ count, cap }) => `${count}×${cap}`).join(' + ')} = ${room}`;
  const cells = grid.rows * grid.columns - chosen;
  return {
    pointer: '/policy/unchosen_cap',
    found: `${unchosenCap ?? 'null'}: with ${chosen} chosen the caps leave room for ${sum} of ${cells} other cells`,
    expected: `room for all of them; raise ${terms.map(({ name }) => name).join(' or ')}`,
  };
}
