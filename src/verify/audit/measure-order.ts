import { countsEvidence, type Measurement } from './evidence.js';
import type { TicketClass, TicketClasses } from './ticket-classes.js';

/** Numbers of slices; from {@link TWO_SIDED} on a spread that is too even alarms as well. */
const SLICES = [900, 90, 10];

const TWO_SIDED = 90;

/** The least number of tickets of a class, and of all others, in each slice. */
const LEAST_EXPECTED = 10;

const MODULI = [2, 7, 10];

/** Up to this size, and this part of the block, a class is tested by its positions alone. */
const FEW = { tickets: 10_000, part: 0.01 };

/** How far a random walk in steps falls short of the extremes of a continuous one, in steps. */
const STEP_CORRECTION = 0.5826;

/** Parts of the block in which top tiers could be missing, or crowd. */
const EARLY_PARTS = [
  { part: 0.01, name: '1 %' },
  { part: 0.1, name: '10 %' },
];

/** Where the tickets of every class are: in slices, by their numbers, and as they come. */
export function measureOrder(classes: TicketClasses): readonly Measurement[] {
  return [...classes.all.flatMap(measureClass), ...measureEarly(classes.top)];
}

function measureClass(ticketClass: TicketClass): readonly Measurement[] {
  return [
    ...SLICES.flatMap((slices) => measureSlices(ticketClass, slices)),
    ...MODULI.flatMap((modulus) => measureNumbers(ticketClass, modulus)),
    ...measureDrift(ticketClass),
  ];
}

/** The tickets of a class, spread over parts of the block without replacement. */
function measureSlices(ticketClass: TicketClass, slices: number): readonly Measurement[] {
  const { name, total } = ticketClass;
  if (!isLarge(ticketClass, slices)) return [];
  const sizes = Array.from(
    { length: slices },
    (_, slice) => firstOf(slice + 1, slices, total) - firstOf(slice, slices, total),
  );
  const sliceOf = (position: number): number => Math.floor(((position + 1) * slices - 1) / total);
  return [
    {
      name: `tickets ${name}: ${slices} slices`,
      group: 'order',
      evidence: spreadEvidence(ticketClass, sizes, sliceOf, slices >= TWO_SIDED),
    },
  ];
}

/** The first position of a slice: the inverse of `sliceOf`. */
function firstOf(slice: number, slices: number, total: number): number {
  return Math.floor((slice * total) / slices);
}

/** The ticket's number modulo something, as anybody can see it. */
function measureNumbers(ticketClass: TicketClass, modulus: number): readonly Measurement[] {
  const { name, total } = ticketClass;
  if (!isLarge(ticketClass, modulus)) return [];
  const sizes = Array.from({ length: modulus }, (_, rest) =>
    Math.floor((total - 1 - rest) / modulus + 1),
  );
  return [
    {
      name: `tickets ${name}: number modulo ${modulus}`,
      group: 'pick-out',
      evidence: spreadEvidence(ticketClass, sizes, (position) => position % modulus, false),
    },
  ];
}

function isLarge({ positions, total }: TicketClass, parts: number): boolean {
  return Math.min(positions.length, total - positions.length) >= parts * LEAST_EXPECTED;
}

function spreadEvidence(
  { positions, total }: TicketClass,
  sizes: readonly number[],
  partOf: (position: number) => number,
  isTwoSided: boolean,
): Measurement['evidence'] {
  const observed = new Float64Array(sizes.length);
  for (const position of positions) {
    const part = partOf(position);
    observed[part] = (observed[part] ?? 0) + 1;
  }
  const expected = sizes.map((size) => (size * positions.length) / total);
  return countsEvidence({ observed, expected, sizes }, isTwoSided);
}

/** A trend through the block: by positions of a few tickets, by the running share of many. */
function measureDrift(ticketClass: TicketClass): readonly Measurement[] {
  const { name, positions, total } = ticketClass;
  const count = positions.length;
  if (count === 0 || count === total) return [];
  const isFew = count <= FEW.tickets && count <= total * FEW.part;
  return [
    {
      name: `tickets ${name}: drift`,
      group: 'order',
      evidence: isFew
        ? { kind: 'positions', positions: Float64Array.from(positions, (at) => (at + 0.5) / total) }
        : { kind: 'bridge', distance: bridgeDistance(positions, total) },
    },
  ];
}

/** The running count less its even growth, at its extremes, in units of its law's limit. */
function bridgeDistance(positions: Uint32Array, total: number): number {
  const share = positions.length / total;
  const most = positions.reduce((largest, position, index) => {
    const before = position * share - index;
    const after = index + 1 - (position + 1) * share;
    return Math.max(largest, before, after);
  }, 0);
  const unit = Math.sqrt((total * share * (1 - share) * total) / (total - 1));
  return most / unit + STEP_CORRECTION / Math.sqrt(total);
}

/** Top tiers in the first part of the block; over several blocks this tells whether they come early. */
function measureEarly({ name, positions, total }: TicketClass): readonly Measurement[] {
  return EARLY_PARTS.map(({ part, name: partName }) => {
    const early = Math.floor(total * part);
    return {
      name: `tickets ${name}: in the first ${partName}`,
      group: 'order',
      evidence: {
        kind: 'binomial',
        successes: positions.filter((position) => position < early).length,
        trials: positions.length,
        probability: early / total,
      },
    };
  });
}
