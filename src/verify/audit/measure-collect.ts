import { binomial } from '../../core/binomial.js';
import type { CollectCounts } from './collect-counts.js';
import type { ChoiceLaw, CollectLaw } from './collect-law.js';
import {
  countsEvidence,
  eventsEvidence,
  type CountsStratum,
  type Measurement,
  type VectorEvidence,
} from './evidence.js';
import { sumOf } from '../../core/sum-of.js';

/** The tickets whose grids are measured, by their numbers of chosen symbols. */
interface Tickets {
  readonly name: string;
  readonly isWinning: boolean;
  readonly chosen: readonly number[];
}

interface Input {
  readonly counts: CollectCounts;
  readonly law: CollectLaw;
}

/** A choice, and its place among them. */
interface Choice {
  readonly law: ChoiceLaw;
  readonly index: number;
}

/** The grids of every choice against their law, given the number of chosen symbols. */
export function measureCollect(
  counts: CollectCounts,
  law: CollectLaw,
  winningCounts: ReadonlySet<number>,
): readonly Measurement[] {
  const input = { counts, law };
  const present = [...counts.tickets.keys()].filter((chosen) => (counts.tickets[chosen] ?? 0) > 0);
  const winning = present.filter((chosen) => winningCounts.has(chosen));
  const losing = present.filter((chosen) => !winningCounts.has(chosen));
  const kinds = [
    { name: 'losing', isWinning: false, chosen: losing },
    { name: 'winning', isWinning: true, chosen: winning },
  ];
  const choices = law.choices.map((choice, index) => ({ law: choice, index }));
  return [
    ...choices.flatMap((choice) => [
      ...kinds.flatMap((tickets) => [
        ...cells(input, choice, tickets),
        ...symbolCounts(input, choice, tickets),
        ...rows(input, choice, tickets),
        ...neighbours(input, choice, tickets),
      ]),
      ...places(input, choice, present),
      ...nearWins(input, choice, present),
    ]),
    ...kinds.flatMap((tickets) => overlaps(input, choices, tickets)),
  ];
}

/** Each cell: its symbols, against their expected number out of all cells. */
function cells(input: Input, choice: Choice, tickets: Tickets): readonly Measurement[] {
  const { law } = input;
  return Array.from({ length: law.cells }, (_, cell): Measurement => ({
    name: `cell ${cellName(cell, law)} of choice ${choice.law.letter}, ${tickets.name} tickets`,
    subject: { kind: 'cell', grids: `choice ${choice.law.letter}, ${tickets.name} tickets`, cell },
    group: tickets.isWinning ? 'pick-out' : 'symbols',
    evidence: cellEvidence(input, choice, { cell, chosen: tickets.chosen }),
  }));
}

function cellName(cell: number, { columns }: CollectLaw): string {
  return `${Math.floor(cell / columns) + 1}.${(cell % columns) + 1}`;
}

function cellEvidence(
  { counts, law }: Input,
  choice: Choice,
  where: { readonly cell: number; readonly chosen: readonly number[] },
): VectorEvidence {
  const size = law.letters.length;
  const observed = new Float64Array(size);
  const expected = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  for (const chosen of where.chosen) {
    const found = counts.cellsOf(choice.index, chosen);
    const tickets = counts.tickets[chosen] ?? 0;
    const chances = choice.law
      .countChances(chosen)
      .map(
        (ofCount) => ofCount.reduce((sum, chance, count) => sum + chance * count, 0) / law.cells,
      );
    chances.forEach((chance, symbol) => {
      observed[symbol] = (observed[symbol] ?? 0) + (found[where.cell * size + symbol] ?? 0);
      expected[symbol] = (expected[symbol] ?? 0) + tickets * chance;
      chances.forEach((other, second) => {
        const at = symbol * size + second;
        const own = symbol === second ? chance : 0;
        covariance[at] = (covariance[at] ?? 0) + tickets * (own - chance * other);
      });
    });
  }
  return { kind: 'vector', observed, expected, covariance };
}

/** How many there are of each symbol that was not chosen. */
function symbolCounts(input: Input, choice: Choice, tickets: Tickets): readonly Measurement[] {
  const { counts, law } = input;
  return law.letters.flatMap((letter, symbol): readonly Measurement[] => {
    if (symbol === choice.law.chosen) return [];
    const strata = new Map<string, CountsStratum>();
    for (const chosen of tickets.chosen) {
      const chances = choice.law.countChances(chosen)[symbol] ?? [];
      const expected = chances.map((chance) => chance * (counts.tickets[chosen] ?? 0));
      const observed = counts.countsOf(choice.index, chosen, symbol).subarray(0, chances.length);
      strata.set(String(chosen), { observed, expected });
    }
    return [
      {
        name: `number of ${letter} beside choice ${choice.law.letter}, ${tickets.name} tickets`,
        group: tickets.isWinning ? 'pick-out' : 'symbols',
        evidence: { kind: 'counts', strata, isTwoSided: false },
      },
    ];
  });
}

/** How many of the chosen symbols are in each row. */
function rows(input: Input, choice: Choice, tickets: Tickets): readonly Measurement[] {
  const { counts, law } = input;
  return Array.from({ length: law.rows }, (_, row): Measurement => {
    const strata = new Map<string, CountsStratum>();
    for (const chosen of tickets.chosen) {
      const observed = counts.chosenInRow(choice.index, chosen, row);
      const all = Number(binomial(law.cells, chosen));
      const expected = Array.from(observed, (_count, inRow) => {
        if (inRow > chosen) return 0;
        const ways =
          binomial(law.columns, inRow) * binomial(law.cells - law.columns, chosen - inRow);
        return ((counts.tickets[chosen] ?? 0) * Number(ways)) / all;
      });
      strata.set(String(chosen), { observed, expected });
    }
    return {
      name: `chosen in row ${row + 1} of choice ${choice.law.letter}, ${tickets.name} tickets`,
      group: 'pick-out',
      evidence: { kind: 'counts', strata, isTwoSided: false },
    };
  });
}

/** Where each symbol is, given how many there are of it: every cell alike. */
function places(input: Input, choice: Choice, present: readonly number[]): readonly Measurement[] {
  const { counts, law } = input;
  const size = law.letters.length;
  return law.letters.map((letter, symbol): Measurement => {
    const observed = new Float64Array(law.cells);
    let total = 0;
    let spread = 0;
    for (const chosen of present) {
      const found = counts.cellsOf(choice.index, chosen);
      observed.forEach((count, cell) => {
        observed[cell] = count + (found[cell * size + symbol] ?? 0);
      });
      counts.countsOf(choice.index, chosen, symbol).forEach((tickets, count) => {
        total += tickets * count;
        spread += tickets * count * (1 - count / law.cells);
      });
    }
    const expected = new Float64Array(law.cells).fill(total / law.cells);
    // The cells of a symbol are drawn without replacement within a ticket.
    const scale = total === 0 ? 1 : (spread / total) * (law.cells / (law.cells - 1));
    return {
      name: `cells of ${letter} in choice ${choice.law.letter}`,
      group: 'symbols',
      evidence: countsEvidence({ observed, expected, scale }),
    };
  });
}

/** Grids that look like a missed win of a symbol that was not chosen. */
function nearWins(
  input: Input,
  choice: Choice,
  present: readonly number[],
): readonly Measurement[] {
  const { counts, law } = input;
  return law.letters.flatMap((letter, symbol): readonly Measurement[] => {
    if (symbol === choice.law.chosen || law.isPlay[symbol] !== true) return [];
    let near = 0;
    const chances = present.map((chosen) => {
      const found = counts.countsOf(choice.index, chosen, symbol);
      near += sumOf(found.subarray(law.nearCount));
      const probability = sumOf(
        (choice.law.countChances(chosen)[symbol] ?? []).slice(law.nearCount),
      );
      return { trials: counts.tickets[chosen] ?? 0, probability };
    });
    return [
      {
        name: `near wins of ${letter} in choice ${choice.law.letter}`,
        group: 'symbols',
        subject: { kind: 'near wins' },
        evidence: eventsEvidence(near, chances),
      },
    ];
  });
}

/** Equal symbols side by side and one above the other, given each ticket's symbols. */
function neighbours(input: Input, choice: Choice, tickets: Tickets): readonly Measurement[] {
  const { counts, law } = input;
  const sums = counts.joinsOf(choice.index, tickets.isWinning);
  const count = sumOf(tickets.chosen.map((chosen) => counts.tickets[chosen] ?? 0));
  if (sums === undefined || law.cells < 4 || count === 0) return [];
  const two = law.cells * (law.cells - 1);
  const three = two * (law.cells - 2);
  const four = three * (law.cells - 3);
  return (['horizontal', 'vertical'] as const).map((direction): Measurement => {
    const { edges, meetings } = neighbourGraph(law, direction);
    const mean = (edges * sums.pairs) / two;
    const apart = edges ** 2 - edges - meetings;
    const second = mean + (meetings * sums.triples) / three + (apart * sums.fours) / four;
    const variance = second - (edges / two) ** 2 * sums.squaredPairs;
    return {
      name: `equal ${direction} neighbours in choice ${choice.law.letter}, ${tickets.name} tickets`,
      group: 'pick-out',
      evidence: { kind: 'events', count: sums[direction], mean, variance, third: 0 },
    };
  });
}

function neighbourGraph(
  { rows: rowCount, columns }: CollectLaw,
  direction: 'horizontal' | 'vertical',
): { readonly edges: number; readonly meetings: number } {
  const [lines, length] = direction === 'horizontal' ? [rowCount, columns] : [columns, rowCount];
  return { edges: lines * (length - 1), meetings: 2 * lines * Math.max(0, length - 2) };
}

/** Cells that have the chosen symbol in two choices' grids, which must not know of each other. */
function overlaps(
  { counts, law }: Input,
  choices: readonly Choice[],
  tickets: Tickets,
): readonly Measurement[] {
  return choices.flatMap((choice) =>
    choices.slice(choice.index + 1).map((other): Measurement => {
      const sums = { count: 0, mean: 0, variance: 0 };
      for (const chosen of tickets.chosen) {
        const part = chosen / law.cells;
        const each = counts.tickets[chosen] ?? 0;
        sums.count += counts.overlapOf(choice.index, other.index, chosen);
        sums.mean += each * chosen * part;
        sums.variance += (each * (chosen * (1 - part)) ** 2) / (law.cells - 1);
      }
      return {
        name: `chosen cells common to choices ${choice.law.letter} and ${other.law.letter}, ${tickets.name} tickets`,
        group: 'symbols',
        evidence: { kind: 'events', ...sums, third: 0 },
      };
    }),
  );
}
