import type { ExtraStageLaw } from '../../definitions/game.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import {
  countsEvidence,
  eventsEvidence,
  type CountsStratum,
  type Measurement,
} from './evidence.js';
import { digitsKey, type RowsCounts, type VectorTally } from './rows-counts.js';
import { LOSING, type RowsLaw } from './rows-law.js';
import { Placements, spreads } from './rows-placements.js';
import { winRateEvidence } from './win-rate.js';
import { sumOf } from '../../core/sum-of.js';

/** Compositions with more placements are tested by the rows they win in alone. */
const MOST_PLACEMENTS = 1000;

/** The law of the tickets whose choices are measured. */
export interface ChoicesInput {
  readonly counts: RowsCounts;
  readonly law: RowsLaw;
  readonly outcomes: readonly Outcome[];
  readonly stageLaws: readonly ExtraStageLaw[];
  readonly knowledge: ChoicesKnowledge;
}

/** What is known of an outcome with a vector of EXTRA symbols, worked out when it is first met. */
interface ChoicesKnowledge {
  readonly placements: Map<string, PlacementLaw>;
}

interface PlacementLaw {
  /** All placements; `undefined` where they are too many. */
  readonly list: readonly string[] | undefined;
  /** By row of the main grid: the chance that it wins. */
  readonly rowChances: readonly number[];
}

/** What is drawn of a ticket before its rows: vector, placement, and the rows of EXTRA symbols. */
export function measureRowsChoices(input: ChoicesInput): readonly Measurement[] {
  return [
    ...placements(input),
    ...winningRows(input),
    ...[false, true].flatMap((isWinning) => spreadRows(input, isWinning)),
    ...[false, true].flatMap((isWinning) => vectors(input, isWinning)),
    ...[false, true].flatMap((isStage) => singleExtras(input, isStage)),
    ...firstRowWins(input),
    stageWins(input),
  ];
}

function isWinningTally({ outcomes }: ChoicesInput, { outcome }: VectorTally): boolean {
  return (outcomes[outcome]?.prizeCents ?? 0) > 0;
}

function placementLaw(input: ChoicesInput, [key, tally]: [string, VectorTally]): PlacementLaw {
  const { law, outcomes, knowledge } = input;
  let known = knowledge.placements.get(key);
  if (known === undefined) {
    const composition = outcomes[tally.outcome]?.composition ?? [];
    const all = new Placements(law, { composition, extra: tally.extra });
    const count = all.sum();
    const rowChances = Array.from({ length: law.rows }, (_, row) => {
      const winning = all.sum((lines, grid) => (grid > 0 || lines[row] !== LOSING ? 1 : 0));
      return winning / count;
    });
    known = { list: count <= MOST_PLACEMENTS ? all.list() : undefined, rowChances };
    knowledge.placements.set(key, known);
  }
  return known;
}

function winningTallies(input: ChoicesInput): readonly [string, VectorTally][] {
  return [...input.counts.vectors].filter(([, tally]) => isWinningTally(input, tally));
}

/** Where the winning rows are: all placements with room are equally likely. */
function placements(input: ChoicesInput): readonly Measurement[] {
  const measure = (name: string, isMeant: (rows: number) => boolean): Measurement => {
    const strata = new Map<string, CountsStratum>();
    for (const [key, tally] of winningTallies(input)) {
      const rows = input.outcomes[tally.outcome]?.composition.length ?? 0;
      const { list } = placementLaw(input, [key, tally]);
      if (list === undefined || !isMeant(rows)) continue;
      const observed = list.map((placement) => tally.placements.get(placement) ?? 0);
      strata.set(key, { observed, expected: list.map(() => tally.tickets / list.length) });
    }
    return { name, group: 'symbols', evidence: { kind: 'counts', strata, isTwoSided: false } };
  };
  return [
    measure('places of single winning rows', (rows) => rows === 1),
    measure('places of several winning rows', (rows) => rows > 1),
  ];
}

/** How many tickets win in each row of the main grid. */
function winningRows(input: ChoicesInput): readonly Measurement[] {
  return Array.from({ length: input.law.rows }, (_, row): Measurement => {
    let count = 0;
    const chances = winningTallies(input).map(([key, tally]) => {
      for (const [placement, tickets] of tally.placements) {
        if (placement.split(',')[row] !== String(LOSING)) count += tickets;
      }
      const probability = placementLaw(input, [key, tally]).rowChances[row] ?? 0;
      return { trials: tally.tickets, probability };
    });
    return {
      name: `wins in row ${row + 1} of the main grid`,
      group: 'pick-out',
      evidence: eventsEvidence(count, chances),
    };
  });
}

/** On which rows the EXTRA symbols of a grid fall: all cells beside the winning ones are alike. */
function spreadRows({ counts }: ChoicesInput, isWinning: boolean): readonly Measurement[] {
  const strata = new Map<string, CountsStratum>();
  for (const [key, tally] of counts.spreads) {
    if (tally.isWinning !== isWinning) continue;
    const ways = spreads(tally.spareCells, tally.extra);
    const observed = ways.map(({ extraOfRow }) => tally.ways.get(digitsKey(extraOfRow)) ?? 0);
    const total = sumOf(observed);
    strata.set(String(key), { observed, expected: ways.map(({ chance }) => chance * total) });
  }
  const name = `rows of the EXTRA symbols of ${isWinning ? 'winning' : 'losing'} tickets`;
  return [{ name, group: 'pick-out', evidence: { kind: 'counts', strata, isTwoSided: false } }];
}

/** How many EXTRA symbols are in each grid, given the number of stages. */
function vectors(input: ChoicesInput, isWinning: boolean): readonly Measurement[] {
  const strata = new Map<string, CountsStratum>();
  for (const { stages, vectors: choices } of input.stageLaws) {
    const total = choices.reduce((sum, { weight }) => sum + weight, 0);
    const observed = choices.map(({ extra }) => {
      let tickets = 0;
      for (const tally of input.counts.vectors.values()) {
        const isMeant = isWinningTally(input, tally) === isWinning;
        if (isMeant && tally.extra.join() === extra.join()) tickets += tally.tickets;
      }
      return tickets;
    });
    const tickets = sumOf(observed);
    const expected = choices.map(({ weight }) => (tickets * weight) / total);
    strata.set(String(stages), { observed, expected });
  }
  const name = `EXTRA symbols in each grid of ${isWinning ? 'winning' : 'losing'} tickets`;
  return [{ name, group: 'pick-out', evidence: { kind: 'counts', strata, isTwoSided: false } }];
}

/** The cell of a grid's single EXTRA symbol: all alike, and the same for winning tickets. */
function singleExtras({ counts }: ChoicesInput, isStage: boolean): readonly Measurement[] {
  const losing = counts.singleExtrasOf(false, isStage);
  const winning = counts.singleExtrasOf(true, isStage);
  const where = isStage ? 'in EXTRA stages' : 'in the main grid';
  const evenly = (observed: Uint32Array): Measurement['evidence'] => {
    const total = sumOf(observed);
    const expected = new Float64Array(observed.length).fill(total / observed.length);
    return countsEvidence({ observed, expected });
  };
  return [
    {
      name: `cell of a single EXTRA ${where} of losing tickets`,
      group: 'pick-out',
      evidence: evenly(losing),
    },
    {
      name: `cell of a single EXTRA ${where} of winning tickets`,
      group: 'pick-out',
      evidence: evenly(winning),
    },
  ];
}

/** The win rate given the main grid's first row, where that is a losing row without EXTRA. */
function firstRowWins({ counts, law }: ChoicesInput): readonly Measurement[] {
  const first = { isStage: false, row: 0 };
  const losing = counts.rowsAt({ ...first, isWinning: false });
  const winning = counts.rowsAt({ ...first, isWinning: true });
  const rates = law.plain.codes.map((code) => {
    const winners = winning[code] ?? 0;
    return { tickets: winners + (losing[code] ?? 0), winners };
  });
  return [{ name: 'win rate by first row', group: 'pick-out', evidence: winRateEvidence(rates) }];
}

/** The win rate given the number of EXTRA stages, which quotas fix. */
function stageWins(input: ChoicesInput): Measurement {
  const byStages = input.stageLaws.map(({ stages }) => {
    const counted = { tickets: 0, winners: 0 };
    for (const tally of input.counts.vectors.values()) {
      if (tally.extra.length - 1 !== stages) continue;
      counted.tickets += tally.tickets;
      if (isWinningTally(input, tally)) counted.winners += tally.tickets;
    }
    return counted;
  });
  const evidence = winRateEvidence(byStages);
  return { name: 'win rate by EXTRA stages', group: 'pick-out', evidence, isFixedByQuotas: true };
}
