import type { PayLine, RowsGame } from '../../definitions/game.js';
import type { Explanation, Fault } from '../../verify/evaluator.js';

/** What the careful judge of the rows mechanic needs to know. */
export interface RowsJudge {
  readonly game: RowsGame;
  readonly payTable: readonly PayLine[];
  /** The EXTRA vectors that the definition lists, joined by commas. */
  readonly allowedVectors: ReadonlySet<string>;
}

type Grids = readonly (readonly string[])[];

/** Judges a ticket's grids step by step, as the regulation tells it, and says all that is wrong. */
export function explainRows(grids: Grids, judge: RowsJudge): Explanation {
  const { game, payTable } = judge;
  const vector = grids.map((rows) => rows.join('').split('').filter(isTriggerOf(game)).length);
  const extraCount = vector.reduce((sum, count) => sum + count, 0);
  const won = grids
    .flat()
    .flatMap((row) => payTable.filter((line) => pays(line, row)))
    .sort((a, b) => payTable.indexOf(a) - payTable.indexOf(b));
  return {
    faults: [...symbolFaults(grids, game), ...stageFaults(vector, judge)],
    evaluation: {
      prizeCents: won.reduce((sum, line) => sum + line.prizeCents, 0),
      combination: won.map(({ count, symbol }) => `${count}${symbol ?? ''}`).join('+'),
      feature: extraCount,
    },
  };
}

function isTriggerOf(game: RowsGame): (letter: string) => boolean {
  const triggers = game.symbols.filter(({ role }) => role === 'trigger').map(({ code }) => code);
  return (letter) => triggers.includes(letter);
}

/** Articles 4.4: so many identical symbols on one row, wherever in the row they stand. */
function pays({ symbol, count }: PayLine, row: string): boolean {
  return Array.from(row).filter((letter) => letter === symbol).length === count;
}

function symbolFaults(grids: Grids, game: RowsGame): readonly Fault[] {
  const known = game.symbols.map(({ code }) => code);
  return grids.flatMap((rows, grid) =>
    rows.flatMap((row, rowIndex) => {
      const unknown = Array.from(row).filter((letter) => !known.includes(letter));
      if (unknown.length === 0) return [];
      const place = { grid: grid + 1, row: rowIndex + 1 };
      return [
        { code: 'symbol' as const, ...place, expected: `only ${known.join('')}`, found: row },
      ];
    }),
  );
}

/** Article 4.5: as many EXTRA stages as EXTRA symbols, each opened by one found before it. */
function stageFaults(vector: readonly number[], judge: RowsJudge): readonly Fault[] {
  const extraCount = vector.reduce((sum, count) => sum + count, 0);
  const stages = vector.length - 1;
  if (extraCount !== stages) {
    return [
      {
        code: 'stage-count',
        expected: `${extraCount} EXTRA stages for ${extraCount} EXTRA symbols`,
        found: `${stages} EXTRA stages`,
      },
    ];
  }
  let found = 0;
  for (const [grid, count] of vector.entries()) {
    if (found < grid) {
      return [
        {
          code: 'stage-reachability',
          grid: grid + 1,
          expected: `at least ${grid} EXTRA symbols in the grids before EXTRA stage ${grid}`,
          found: String(found),
        },
      ];
    }
    found += count;
  }
  if (judge.allowedVectors.has(vector.join())) return [];
  return [
    {
      code: 'extra-vector',
      expected: `EXTRA symbols per grid as one of ${[...judge.allowedVectors].join(' | ')}`,
      found: vector.join(),
    },
  ];
}
