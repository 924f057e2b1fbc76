import { formatEuros } from '../../core/money.js';
import { FEATURES } from '../../definitions/features.js';
import { featureTellsWin, type Outcome } from '../../definitions/outcome-law.js';
import type { Observations } from './observations.js';

/** Tickets that have something in common, by the places where they are. */
export interface TicketClass {
  readonly name: string;
  /** The tickets' places in the block, from 0, ascending. */
  readonly positions: Uint32Array;
  /** Tickets in the block. */
  readonly total: number;
}

/** The classes whose order is tested. */
export interface TicketClasses {
  readonly winning: TicketClass;
  /** The highest tiers that together are at most 1 % of the winning tickets. */
  readonly top: TicketClass;
  /** All, {@link winning} and {@link top} first. */
  readonly all: readonly TicketClass[];
}

/** The part of the winning tickets that counts as top tiers. */
const TOP_PART = 0.01;

interface Rule {
  readonly name: string;
  readonly holds: (outcome: Outcome) => boolean;
}

type ClassifiedTickets = Pick<Observations, 'outcomes' | 'outcomeOf' | 'featureName'>;

/**
 * Sorts a block's tickets into classes: all winning ones, the top tiers, each tier, and each number of
 * EXTRA stages (from one) or, of losing tickets, of chosen symbols.
 */
export function classifyTickets(observations: ClassifiedTickets): TicketClasses {
  const { outcomes, outcomeOf } = observations;
  const rules = [
    { name: 'winning', holds: isWinning },
    topRule(outcomes, outcomeOf),
    ...tierRules(outcomes),
    ...featureRules(observations),
  ];
  const positions = rules.map(() => [] as number[]);
  const listsOfOutcome = outcomes.map((outcome) =>
    positions.filter((_, index) => rules[index]?.holds(outcome)),
  );
  outcomeOf.forEach((outcome, position) => {
    for (const list of listsOfOutcome[outcome] ?? []) list.push(position);
  });
  const [winning, top, ...others] = rules.map(({ name }, index) => ({
    name,
    positions: Uint32Array.from(positions[index] ?? []),
    total: outcomeOf.length,
  }));
  const none = { name: '', positions: new Uint32Array(0), total: outcomeOf.length };
  const all = [winning ?? none, top ?? none, ...others];
  return { winning: winning ?? none, top: top ?? none, all };
}

function isWinning({ prizeCents }: Outcome): boolean {
  return prizeCents > 0;
}

function prizesOf(outcomes: readonly Outcome[]): readonly number[] {
  const prizes = new Set(outcomes.filter(isWinning).map(({ prizeCents }) => prizeCents));
  return [...prizes].sort((a, b) => b - a);
}

function tierRules(outcomes: readonly Outcome[]): readonly Rule[] {
  return prizesOf(outcomes).map((prize) => ({
    name: `of ${formatEuros(prize)} EUR`,
    holds: ({ prizeCents }) => prizeCents === prize,
  }));
}

function topRule(outcomes: readonly Outcome[], outcomeOf: Uint16Array): Rule {
  const counts = new Map<number, number>();
  let winners = 0;
  for (const outcome of outcomeOf) {
    const prize = outcomes[outcome]?.prizeCents ?? 0;
    counts.set(prize, (counts.get(prize) ?? 0) + 1);
    if (prize > 0) winners += 1;
  }
  const [highest = 0, ...lower] = prizesOf(outcomes);
  let least = highest;
  let count = counts.get(highest) ?? 0;
  for (const prize of lower) {
    count += counts.get(prize) ?? 0;
    if (count > winners * TOP_PART) break;
    least = prize;
  }
  const name = `of the top tiers (${formatEuros(least)} EUR and more)`;
  return { name, holds: ({ prizeCents }) => prizeCents >= least };
}

/** Where a feature tells a win, as the number of chosen symbols does, only losing tickets are told apart by it. */
function featureRules({ outcomes, featureName }: ClassifiedTickets): readonly Rule[] {
  const { short } = FEATURES[featureName];
  const losing = outcomes.filter((outcome) => !isWinning(outcome));
  const features = [...new Set(losing.map(({ feature }) => feature))].sort((a, b) => a - b);
  if (featureTellsWin(outcomes)) {
    return features.map((value) => ({
      name: `losing with ${value} ${short}`,
      holds: (outcome) => !isWinning(outcome) && outcome.feature === value,
    }));
  }
  return features
    .filter((value) => value > 0)
    .map((value) => ({
      name: `with ${value} ${short}`,
      holds: ({ feature }) => feature === value,
    }));
}
