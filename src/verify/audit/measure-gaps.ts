import { countsEvidence, type Measurement } from './evidence.js';
import type { TicketClass, TicketClasses } from './ticket-classes.js';
import { sumOf } from '../../core/sum-of.js';

/** A class needs so many tickets for its gaps to be sorted by length. */
const LEAST_TICKETS = 500;

/** A category of gaps holds so many at least, and about this part of all. */
const CATEGORY = { gaps: 20, part: 1 / 200 };

/** Longer gaps than this chance allows are left in the last category. */
const NEGLIGIBLE = 1e-15;

/** How far the tickets of a class are apart, and the longest losing streak. */
export function measureGaps({ winning, all }: TicketClasses): readonly Measurement[] {
  return [
    {
      name: 'longest losing streak',
      group: 'order',
      evidence: {
        kind: 'streak',
        longest: gapsOf(winning).reduce((most, gap) => Math.max(most, gap), 0),
        tickets: winning.total,
        winners: winning.positions.length,
        blocks: 1,
      },
    },
    ...all
      .filter(({ positions, total }) => {
        const others = total - positions.length;
        return Math.min(positions.length, others) >= LEAST_TICKETS;
      })
      .map(gapMeasurement),
  ];
}

/** Other tickets before the first of a class, between two neighbours, and behind the last. */
function gapsOf({ positions, total }: TicketClass): Uint32Array {
  const gaps = new Uint32Array(positions.length + 1);
  let next = 0;
  positions.forEach((position, index) => {
    gaps[index] = position - next;
    next = position + 1;
  });
  gaps[positions.length] = total - next;
  return gaps;
}

/**
 * Gaps by their length. Each follows the law of a first success without replacement (nearly
 * geometric); that all of them add up to the other tickets takes a part of a degree of freedom away:
 * the part of a gap's variance that its category tells.
 */
function gapMeasurement(ticketClass: TicketClass): Measurement {
  const gaps = gapsOf(ticketClass);
  const { categoryOf, chances, constrained } = gapCategories(ticketClass, gaps.length);
  const observed = new Float64Array(chances.length);
  for (const gap of gaps) {
    const category = categoryOf[gap] ?? chances.length - 1;
    observed[category] = (observed[category] ?? 0) + 1;
  }
  const expected = chances.map((chance) => chance * gaps.length);
  return {
    name: `tickets ${ticketClass.name}: gaps`,
    group: 'order',
    evidence: countsEvidence({ observed, expected, constrained }),
  };
}

interface GapCategories {
  /** By length; longer gaps are in the last category. */
  readonly categoryOf: readonly number[];
  readonly chances: readonly number[];
  readonly constrained: number;
}

function gapCategories({ positions, total }: TicketClass, gapCount: number): GapCategories {
  const taken = positions.length;
  const others = total - taken;
  const least = Math.max(CATEGORY.gaps / gapCount, CATEGORY.part);
  const categoryOf: number[] = [];
  const sums: { chance: number; length: number; square: number }[] = [];
  let sum = { chance: 0, length: 0, square: 0 };
  // The chance that a gap is at least this long.
  let reached = 1;
  for (let length = 0; length <= others && reached > NEGLIGIBLE; length += 1) {
    const longer = (reached * (others - length)) / (total - length);
    categoryOf.push(sums.length);
    sum.chance += reached - longer;
    sum.length += length * (reached - longer);
    sum.square += length ** 2 * (reached - longer);
    reached = longer;
    if (sum.chance >= least && reached >= least) {
      sums.push(sum);
      sum = { chance: 0, length: 0, square: 0 };
    }
  }
  sums.push(sum);
  const mean = sumOf(sums.map(({ length }) => length));
  const variance = sumOf(sums.map(({ square }) => square)) - mean ** 2;
  const between = sumOf(sums.map(({ length, chance }) => length ** 2 / chance)) - mean ** 2;
  return { categoryOf, chances: sums.map(({ chance }) => chance), constrained: between / variance };
}
