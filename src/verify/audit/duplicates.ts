import { pairsEvidence, type Measurement } from './evidence.js';
import type { CollisionClass, Fingerprints, Observations } from './observations.js';

/** Pairs of tickets that have the same symbols everywhere. */
export function duplicatePairs(fingerprints: Fingerprints): number {
  const { keys, rests } = fingerprints;
  const repeated = repeatedKeys(keys);
  if (repeated.size === 0) return 0;
  const counts = new Map<string, number>();
  keys.forEach((key, ticket) => {
    if (!repeated.has(key)) return;
    // The key alone can be the same by accident.
    const whole = `${key}/${rests[ticket] ?? 0}`;
    counts.set(whole, (counts.get(whole) ?? 0) + 1);
  });
  let pairs = 0;
  for (const count of counts.values()) pairs += (count * (count - 1)) / 2;
  return pairs;
}

function repeatedKeys(keys: Float64Array): ReadonlySet<number> {
  const repeated = new Set<number>();
  const sorted = keys.toSorted();
  for (let index = 1; index < sorted.length; index += 1) {
    const key = sorted[index] ?? 0;
    if (key === sorted[index - 1]) repeated.add(key);
  }
  return repeated;
}

/** Below this chance two tickets of an outcome should hardly ever be the same. */
const RARE = 1e-6;

/** A block's fingerprints, by whether its tickets should hardly ever repeat each other. */
export interface SortedFingerprints {
  readonly rare: Fingerprints;
  readonly common: Fingerprints;
  readonly rareClasses: readonly CollisionClass[];
  readonly commonClasses: readonly CollisionClass[];
}

/** Sorts tickets by the chance that another one of their kind has the same symbols. */
export function sortFingerprints(
  { fingerprints, outcomeOf }: Pick<Observations, 'fingerprints' | 'outcomeOf'>,
  classes: readonly CollisionClass[],
): SortedFingerprints {
  const isCommon = new Set(
    classes.filter(({ chance }) => chance >= RARE).map(({ outcome }) => outcome),
  );
  const kinds = new Uint8Array(outcomeOf.length);
  outcomeOf.forEach((outcome, ticket) => (kinds[ticket] = isCommon.has(outcome) ? 1 : 0));
  return {
    rare: selectFingerprints(fingerprints, (ticket) => kinds[ticket] === 0),
    common: selectFingerprints(fingerprints, (ticket) => kinds[ticket] === 1),
    rareClasses: classes.filter(({ outcome }) => !isCommon.has(outcome)),
    commonClasses: classes.filter(({ outcome }) => isCommon.has(outcome)),
  };
}

function selectFingerprints(
  { keys, rests }: Fingerprints,
  isMeant: (ticket: number) => boolean,
): Fingerprints {
  const chosenKeys = new Float64Array(keys.length);
  const chosenRests = new Uint32Array(keys.length);
  let count = 0;
  for (let ticket = 0; ticket < keys.length; ticket += 1) {
    if (!isMeant(ticket)) continue;
    chosenKeys[count] = keys[ticket] ?? 0;
    chosenRests[count] = rests[ticket] ?? 0;
    count += 1;
  }
  return { keys: chosenKeys.subarray(0, count), rests: chosenRests.subarray(0, count) };
}

/**
 * Whole tickets that are the same, against the birthday expectation: those that should hardly ever be,
 * and those with so few free cells that they often are.
 */
export function measureDuplicates(sorted: SortedFingerprints): readonly Measurement[] {
  const { rare, common, rareClasses, commonClasses } = sorted;
  return [
    measureKind('many free cells', rare, rareClasses),
    measureKind('few free cells', common, commonClasses),
  ];
}

function measureKind(
  which: string,
  fingerprints: Fingerprints,
  classes: readonly CollisionClass[],
): Measurement {
  const compared = classes.map(({ tickets, chance }) => ({
    pairs: pairsOf(tickets),
    triples: triplesOf(tickets),
    chance,
  }));
  return {
    name: `same symbols everywhere, tickets with ${which}`,
    group: 'duplicates',
    evidence: pairsEvidence(duplicatePairs(fingerprints), compared),
  };
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}

function triplesOf(count: number): number {
  return (count * (count - 1) * (count - 2)) / 6;
}

/** One in so many tickets, chosen by its symbols, is kept to be compared with other blocks. */
const SAMPLE = 64;

/** The tickets of a block that are compared with those of others, out of those with many free cells. */
export function sampleFingerprints(fingerprints: Fingerprints): Fingerprints {
  const { rests } = fingerprints;
  const { keys: sampled, rests: others } = selectFingerprints(
    fingerprints,
    (ticket) => (rests[ticket] ?? 0) % SAMPLE === 0,
  );
  // Copies, so that the arrays of the whole block can go.
  return { keys: sampled.slice(), rests: others.slice() };
}

/** Tickets that are the same in two blocks, against the birthday expectation for the sample. */
export function measureDuplicatesBetween(
  blocks: readonly {
    readonly sample: Fingerprints;
    readonly classes: readonly CollisionClass[];
  }[],
): Measurement {
  const inAll = duplicatePairs(concatenate(blocks.map(({ sample }) => sample)));
  const inBlocks = blocks.reduce((sum, { sample }) => sum + duplicatePairs(sample), 0);
  const counts = new Map<string, { chance: number; tickets: number; within: number }>();
  for (const { key, tickets, chance } of blocks.flatMap(({ classes }) => classes)) {
    const known = counts.get(key) ?? { chance, tickets: 0, within: 0 };
    known.tickets += tickets;
    known.within += pairsOf(tickets);
    counts.set(key, known);
  }
  const compared = [...counts.values()].map(({ tickets, within, chance }) => ({
    pairs: (pairsOf(tickets) - within) / SAMPLE,
    triples: triplesOf(tickets) / SAMPLE,
    chance,
  }));
  return {
    name: `tickets with the same symbols in two blocks (one ticket in ${SAMPLE})`,
    group: 'between blocks',
    evidence: pairsEvidence(inAll - inBlocks, compared),
  };
}

function concatenate(samples: readonly Fingerprints[]): Fingerprints {
  const total = samples.reduce((sum, { keys }) => sum + keys.length, 0);
  const keys = new Float64Array(total);
  const rests = new Uint32Array(total);
  let end = 0;
  for (const sample of samples) {
    keys.set(sample.keys, end);
    rests.set(sample.rests, end);
    end += sample.keys.length;
  }
  return { keys, rests };
}
