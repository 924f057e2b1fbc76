import type { Definition, DefinitionStake } from './definition.js';
import { findRepeats } from './list-checks.js';
import type { Problem } from './problem.js';

/** Holds the prize tables and pay tables of a definition against themselves and each other. */
export function checkTables(definition: Definition): readonly Problem[] {
  const { stakes, block_size } = definition;
  return [
    ...findRepeats(
      stakes.map((stake) => stake.stake_cents),
      (index) => `/stakes/${index}/stake_cents`,
    ),
    ...stakes.flatMap((stake, index) => [
      ...checkTiers(stake, `/stakes/${index}/tiers`),
      ...checkSums(stake, { pointer: `/stakes/${index}`, blockSize: block_size }),
      ...checkPayTable(stake, { first: stakes[0], pointer: `/stakes/${index}/pay_table` }),
    ]),
  ];
}

/** Each line's total must be its product, and the prizes must fall (so that none occurs twice). */
function checkTiers({ tiers }: DefinitionStake, pointer: string): readonly Problem[] {
  return tiers.flatMap(({ count, prize_cents, total_cents }, index) => {
    const problems: Problem[] = [];
    const product = BigInt(count) * BigInt(prize_cents);
    if (product !== BigInt(total_cents)) {
      problems.push({
        pointer: `${pointer}/${index}/total_cents`,
        found: String(total_cents),
        expected: `${product}, which is ${count} times ${prize_cents}`,
      });
    }
    const above = tiers[index - 1]?.prize_cents;
    if (above !== undefined && prize_cents >= above) {
      problems.push({
        pointer: `${pointer}/${index}/prize_cents`,
        found: String(prize_cents),
        expected: `less than ${above}, the prize in the line above`,
      });
    }
    return problems;
  });
}

/**
 * The sums that the regulation prints must be the sums of its table. They are at most 2^53 - 1 by
 * the schema, so after this check every sum of prizes is an exact number.
 */
function checkSums(
  { tiers, declared }: DefinitionStake,
  { pointer, blockSize }: { readonly pointer: string; readonly blockSize: number },
): readonly Problem[] {
  const problems: Problem[] = [];
  const winningTickets = tiers.reduce((sum, tier) => sum + tier.count, 0);
  if (winningTickets !== declared.winning_tickets) {
    problems.push({
      pointer: `${pointer}/declared/winning_tickets`,
      found: String(declared.winning_tickets),
      expected: `${winningTickets}, the sum of the counts`,
    });
  }
  const prizesCents = tiers.reduce(
    (sum, tier) => sum + BigInt(tier.count) * BigInt(tier.prize_cents),
    0n,
  );
  if (prizesCents !== BigInt(declared.prizes_cents)) {
    problems.push({
      pointer: `${pointer}/declared/prizes_cents`,
      found: String(declared.prizes_cents),
      expected: `${prizesCents}, the sum of the prizes`,
    });
  }
  if (winningTickets > blockSize) {
    problems.push({
      pointer: `${pointer}/tiers`,
      found: `${winningTickets} winning tickets`,
      expected: `at most the ${blockSize} tickets of a block`,
    });
  }
  return problems;
}

/** A combination stands once in a pay table, and in the same line at every stake. */
function checkPayTable(
  stake: DefinitionStake,
  { first, pointer }: { readonly first: DefinitionStake | undefined; readonly pointer: string },
): readonly Problem[] {
  const combinations = combinationsOf(stake);
  if (stake === first) return findRepeats(combinations, (index) => `${pointer}/${index}`);
  const expected = first === undefined ? [] : combinationsOf(first);
  const line = Array.from(
    { length: Math.max(combinations.length, expected.length) },
    (_, index) => index,
  ).find((index) => combinations[index] !== expected[index]);
  if (line === undefined) return [];
  return [
    {
      pointer: `${pointer}/${line}`,
      found: combinations[line] ?? 'nothing',
      expected: `${expected[line] ?? 'nothing'}, as at /stakes/0/pay_table/${line}`,
    },
  ];
}

/** As in the tickets: `4V` in the rows mechanic, `10` in the collect mechanic. */
function combinationsOf({ pay_table }: DefinitionStake): readonly string[] {
  return pay_table.map(({ symbol, count }) => `${count}${symbol ?? ''}`);
}
