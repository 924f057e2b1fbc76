import { formatEuros } from '../../core/money.js';
import {
  countsEvidence,
  eventsEvidence,
  type CountsStratum,
  type Measurement,
  type TestGroup,
  type VectorEvidence,
} from './evidence.js';
import type { Place, RowsCounts } from './rows-counts.js';
import type { RowKind, RowsLaw } from './rows-law.js';
import { patternsOf, type RowPatterns } from './rows-patterns.js';
import { sumOf } from '../../core/sum-of.js';

/** From so many rows on a kind's counts must not be too even either. */
const TWO_SIDED = 90;

/** Tickets of one kind, in words. */
const WINS = [
  { isWinning: false, of: 'of losing tickets' },
  { isWinning: true, of: 'of winning tickets' },
];

const GRIDS = [
  { isStage: false, in: 'in the main grid' },
  { isStage: true, in: 'in EXTRA stages' },
];

/** Rows, cells and neighbours of a block against the law of rows, enumerated. */
export function measureRows(counts: RowsCounts, law: RowsLaw): readonly Measurement[] {
  const input = { counts, law, patterns: patternsOf(law) };
  return [
    ...WINS.flatMap((win) => GRIDS.flatMap((grid) => plainRows(input, win, grid))),
    ...otherRows(input),
    ...GRIDS.flatMap((grid) => cellsOfAll(input, grid)),
    ...WINS.flatMap((win) => horizontalPairs(input, win)),
    ...WINS.flatMap((win) => verticalPairs(input, win)),
    ...WINS.flatMap((win) => GRIDS.flatMap((grid) => nearWins(input, win, grid))),
    ...winningCells(input),
    ...fillers(input),
  ];
}

interface Input {
  readonly counts: RowsCounts;
  readonly law: RowsLaw;
  readonly patterns: RowPatterns;
}

type Win = (typeof WINS)[number];
type Grid = (typeof GRIDS)[number];

/** The rows of all places together, by code. */
function rowsOf({ counts, law }: Input, places: readonly Place[]): Float64Array {
  const sums = new Float64Array(law.rowCount);
  for (const place of places) {
    counts.rowsAt(place).forEach((count, code) => (sums[code] = (sums[code] ?? 0) + count));
  }
  return sums;
}

function placesOf(law: RowsLaw, wins: readonly Win[], grids: readonly Grid[]): readonly Place[] {
  return wins.flatMap(({ isWinning }) =>
    grids.flatMap(({ isStage }) =>
      Array.from({ length: law.rows }, (_, row) => ({ isWinning, isStage, row })),
    ),
  );
}

/** The rows of one kind, all equally likely. */
function kindStratum(rows: Float64Array, kind: RowKind): CountsStratum {
  const observed = Float64Array.from(kind.codes, (code) => rows[code] ?? 0);
  const total = sumOf(observed);
  const expected = new Float64Array(observed.length).fill(total / observed.length);
  return { observed, expected };
}

/** Losing rows without EXTRA, each against all others. */
function plainRows(input: Input, win: Win, grid: Grid): readonly Measurement[] {
  const { law } = input;
  const stratum = kindStratum(rowsOf(input, placesOf(law, [win], [grid])), law.plain);
  const isTwoSided = law.plain.codes.length >= TWO_SIDED;
  const name = `${law.plain.name} ${grid.in} ${win.of}: each`;
  return [{ name, group: 'symbols', evidence: countsEvidence(stratum, isTwoSided) }];
}

/** Rows with EXTRA symbols, and winning rows: each against the others of its kind. */
function otherRows(input: Input): readonly Measurement[] {
  const { law } = input;
  const rows = rowsOf(input, placesOf(law, WINS, GRIDS));
  const evidenceOf = (kinds: readonly RowKind[]): Measurement['evidence'] => ({
    kind: 'counts',
    strata: new Map(kinds.map((kind) => [kind.name, kindStratum(rows, kind)])),
    isTwoSided: false,
  });
  const isOther = (kind: RowKind): boolean => kind !== law.plain && kind.codes.length > 1;
  const losing = law.kinds.filter((kind) => kind.line < 0 && isOther(kind));
  const winning = law.kinds.filter((kind) => kind.line >= 0 && isOther(kind));
  return [
    { name: 'losing rows with EXTRA: each', group: 'symbols', evidence: evidenceOf(losing) },
    { name: 'winning rows: each', group: 'symbols', evidence: evidenceOf(winning) },
  ];
}

function cellsOfAll(input: Input, grid: Grid): readonly Measurement[] {
  return cells(input, { grid, wins: WINS, of: 'of all tickets', group: 'symbols' });
}

function winningCells(input: Input): readonly Measurement[] {
  const wins = WINS.filter(({ isWinning }) => isWinning);
  return GRIDS.filter(({ isStage }) => !isStage).flatMap((grid) =>
    cells(input, { grid, wins, of: 'of winning tickets', group: 'pick-out' }),
  );
}

/** Each cell of a grid: its symbols, given the kinds of its rows. */
function cells(
  input: Input,
  where: {
    readonly grid: Grid;
    readonly wins: readonly Win[];
    readonly of: string;
    readonly group: TestGroup;
  },
): readonly Measurement[] {
  const { law, patterns } = input;
  const { grid, wins, of, group } = where;
  return Array.from({ length: law.rows }, (_, row) => row).flatMap((row) => {
    const places = wins.map(({ isWinning }) => ({ isWinning, isStage: grid.isStage, row }));
    const rows = rowsOf(input, places);
    return Array.from({ length: law.columns }, (_, column): Measurement => ({
      name: `cell ${row + 1}.${column + 1} ${grid.in} ${of}`,
      group,
      subject: { kind: 'cell', grids: `${grid.in} ${of}`, cell: row * law.columns + column },
      evidence: cellEvidence(rows, column, { law, patterns }),
    }));
  });
}

function cellEvidence(
  rows: Float64Array,
  column: number,
  { law, patterns }: Pick<Input, 'law' | 'patterns'>,
): VectorEvidence {
  const size = law.symbolCount;
  const observed = new Float64Array(size);
  const expected = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  law.kinds.forEach((kind, index) => {
    let total = 0;
    for (const code of kind.codes) {
      const count = rows[code] ?? 0;
      const symbol = law.symbolAt(code, column);
      observed[symbol] = (observed[symbol] ?? 0) + count;
      total += count;
    }
    const chances = patterns.cells[index]?.[column] ?? [];
    chances.forEach((chance, symbol) => {
      expected[symbol] = (expected[symbol] ?? 0) + total * chance;
      chances.forEach((other, second) => {
        const at = symbol * size + second;
        const own = symbol === second ? chance : 0;
        covariance[at] = (covariance[at] ?? 0) + total * (own - chance * other);
      });
    });
  });
  return { kind: 'vector', observed, expected, covariance };
}

/** Neighbours in the rows of the main grid, losing ones without EXTRA. */
function horizontalPairs(input: Input, win: Win): readonly Measurement[] {
  const { law, patterns } = input;
  const indexes = Array.from({ length: law.rows }, (_, row) => row);
  return indexes.flatMap((row) => {
    const rows = rowsOf(input, [{ isWinning: win.isWinning, isStage: false, row }]);
    return patterns.pairs.map((chances, column): Measurement => {
      const observed = new Float64Array(chances.length);
      let total = 0;
      for (const code of law.plain.codes) {
        const count = rows[code] ?? 0;
        const pair = law.symbolAt(code, column) * law.symbolCount + law.symbolAt(code, column + 1);
        observed[pair] = (observed[pair] ?? 0) + count;
        total += count;
      }
      const expected = chances.map((chance) => chance * total);
      return {
        name: `neighbours ${row + 1}.${column + 1} and ${row + 1}.${column + 2} ${win.of}`,
        group: 'pick-out',
        evidence: countsEvidence({ observed, expected }),
      };
    });
  });
}

/** Neighbours in the columns of the main grid: their rows are independent. */
function verticalPairs({ counts, law, patterns }: Input, win: Win): readonly Measurement[] {
  const { isWinning, of } = win;
  const plain = patterns.cells[law.kinds.indexOf(law.plain)] ?? [];
  return Array.from({ length: (law.rows - 1) * law.columns }, (_, pair): Measurement => {
    const upperRow = Math.floor(pair / law.columns);
    const column = pair % law.columns;
    const observed = counts.verticalPairsAt({ isWinning, upperRow, column });
    const total = sumOf(observed);
    const chances = plain[column] ?? [];
    const expected = chances.flatMap((upper) => chances.map((lower) => total * upper * lower));
    const place = (row: number): string => `${row + 1}.${column + 1}`;
    return {
      name: `neighbours ${place(upperRow)} and ${place(upperRow + 1)} ${of}`,
      group: 'pick-out',
      evidence: countsEvidence({ observed, expected }),
    };
  });
}

/** Rows that are one symbol short of a win: how many, and of which symbol. */
function nearWins(input: Input, win: Win, grid: Grid): readonly Measurement[] {
  const { law, patterns } = input;
  const rows = rowsOf(input, placesOf(law, [win], [grid]));
  const where = `${grid.in} ${win.of}`;
  let near = 0;
  const chances = law.kinds.flatMap((kind, index) => {
    const isNear = patterns.near[index];
    if (isNear === undefined) return [];
    const total = kind.codes.reduce((sum, code) => sum + (rows[code] ?? 0), 0);
    near += kind.codes.reduce(
      (sum, code, at) => sum + ((isNear.symbols[at] ?? 0) > 0 ? (rows[code] ?? 0) : 0),
      0,
    );
    return [{ trials: total, probability: isNear.chance }];
  });
  return [
    {
      name: `near wins ${where}`,
      group: 'symbols',
      subject: { kind: 'near wins' },
      evidence: eventsEvidence(near, chances),
    },
    {
      name: `near wins ${where}: their symbols`,
      group: 'symbols',
      evidence: countsEvidence(nearSymbols(rows, input)),
    },
  ];
}

function nearSymbols(rows: Float64Array, { law, patterns }: Input): CountsStratum {
  const near = patterns.near[law.kinds.indexOf(law.plain)];
  const observed = new Float64Array(law.symbolCount + 1);
  const share = new Float64Array(law.symbolCount + 1);
  let total = 0;
  law.plain.codes.forEach((code, at) => {
    const symbol = near?.symbols[at] ?? 0;
    const count = rows[code] ?? 0;
    observed[symbol] = (observed[symbol] ?? 0) + count;
    share[symbol] = (share[symbol] ?? 0) + 1 / law.plain.codes.length;
    total += count;
  });
  return { observed, expected: share.map((part) => part * total) };
}

/** The symbols of the losing rows of winning tickets, tier by tier. */
function fillers({ counts, patterns }: Input): readonly Measurement[] {
  return [...counts.fillers]
    .sort(([a], [b]) => b - a)
    .map(([prizeCents, { rows, symbols }]): Measurement => ({
      name: `symbols beside the win in tickets of ${formatEuros(prizeCents)} EUR`,
      group: 'pick-out',
      evidence: {
        kind: 'vector',
        observed: symbols,
        expected: patterns.filler.mean.map((mean) => mean * rows),
        covariance: patterns.filler.covariance.map((value) => value * rows),
      },
    }));
}
