import { describe, expect, test } from '@jest/globals';
import { InvariantError } from '../../core/assert.js';
import { ENGINE_IDS } from '../../core/algorithm.js';
import type { ExtraStageLaw, RowsGame, Stake } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import type { RandomStream } from '../../engine/random-stream.js';
import type { Synthesizer } from '../../engine/synthesizer.js';
import { chiSquareP, evenChiSquareP } from '../../testing/goodness-of-fit.js';
import { enumerateDraws, seededStream } from '../../testing/random-streams.js';
import { readRows, toGrids } from '../../testing/row-reading.js';
import { sampleCollectGame, sampleRowsGame } from '../../testing/sample-definitions.js';
import { rowsSynthesizer } from './synthesizer.js';

const ELDORADO = loadGame('eldorado') as RowsGame;

/** Synthesizer and outcomes of a game at one stake. */
interface Setup {
  readonly game: RowsGame;
  readonly stake: Stake;
  readonly outcomes: readonly Outcome[];
  readonly synthesizer: Synthesizer;
}

function setUp(game: RowsGame, stake = game.stakes[0]!): Setup {
  const { outcomes } = planOutcomes(game, stake);
  return { game, stake, outcomes, synthesizer: rowsSynthesizer({ game, stake, outcomes }) };
}

/** Draws tickets of these outcomes one after the other: for each its grids, for each its rows. */
function drawTickets(
  { game, outcomes, synthesizer }: Setup,
  indexes: readonly number[],
  stream: RandomStream,
): readonly (readonly string[][])[] {
  const gridCounts = indexes.map((index) => outcomes[index]!.gridCount);
  const rowCount = gridCounts.reduce((sum, count) => sum + count, 0) * game.grid.rows;
  const rows = new Float64Array(rowCount);
  const drawn = synthesizer.draw(Uint16Array.from(indexes), stream, rows);
  if (drawn !== rowCount) throw new Error(`${drawn} rows were drawn, ${rowCount} were expected`);
  const grids = [...toGrids(readRows(rows, drawn), game.grid.rows)];
  return gridCounts.map((count) => grids.splice(0, count));
}

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

/** What a ticket is, told by its symbols alone. */
function judge(grids: readonly string[][], stake: Stake) {
  const wins = grids
    .flat()
    .flatMap((row) =>
      stake.payTable.filter(({ symbol, count }) => countOf(row, symbol!) === count),
    );
  const byAmount = wins.toSorted((a, b) => stake.payTable.indexOf(a) - stake.payTable.indexOf(b));
  const extra = grids.map((rows) => countOf(rows.join(''), 'E'));
  return {
    prizeCents: wins.reduce((sum, { prizeCents }) => sum + prizeCents, 0),
    combination: byAmount.map(({ count, symbol }) => `${count}${symbol!}`).join('+'),
    stages: grids.length - 1,
    extra,
    extraTotal: extra.reduce((sum, count) => sum + count, 0),
  };
}

describe.each(
  [ELDORADO, sampleRowsGame('rows-plain')].flatMap((game) =>
    game.stakes.map((stake) => ({ game, stake, id: game.id, stakeCents: stake.stakeCents })),
  ),
)('the tickets of $id at $stakeCents cents', ({ game, stake }) => {
  const setup = setUp(game, stake);
  const { outcomes } = setup;
  const RUNS = 4;
  const indexes = outcomes.flatMap((_, index) => new Array<number>(RUNS).fill(index));
  const tickets = drawTickets(setup, indexes, seededStream(`${game.id} ${stake.stakeCents}`));

  test('win the prize of their outcome by its combination, whatever the outcome', () => {
    tickets.forEach((grids, ticket) => {
      const { prizeCents, combination } = outcomes[indexes[ticket]!]!;
      expect(judge(grids, stake)).toMatchObject({ prizeCents, combination });
    });
  });

  test('have as many EXTRA symbols as stages, by a vector of the law', () => {
    tickets.forEach((grids, ticket) => {
      const { feature } = outcomes[indexes[ticket]!]!;
      const { stages, extra, extraTotal } = judge(grids, stake);
      expect({ stages, extraTotal }).toEqual({ stages: feature, extraTotal: feature });
      const law = game.policy.extraStages.find((item) => item.stages === feature)!;
      expect(law.vectors.map((vector) => vector.extra)).toContainEqual(extra);
    });
  });

  test('open each stage by EXTRA symbols in the grids before it', () => {
    for (const grids of tickets) {
      const { extra } = judge(grids, stake);
      let found = 0;
      for (let stage = 1; stage < grids.length; stage += 1) {
        found += extra[stage - 1]!;
        expect(found).toBeGreaterThanOrEqual(stage);
      }
    }
  });

  test('have full rows of the symbols of the game', () => {
    const codes = game.symbols.map(({ code }) => code).join('');
    const row = new RegExp(`^[${codes}]{${game.grid.columns}}$`);
    const grids = tickets.flat();
    expect(grids.filter((rows) => rows.length !== game.grid.rows)).toEqual([]);
    expect(grids.flat().filter((text) => !row.test(text))).toEqual([]);
  });
});

/** Of the 8 rows of A and B only ABB, BAB and BBA lose; E is the trigger. */
const TINY_STAKE: Stake = {
  stakeCents: 100,
  tiers: [1800, 1300, 1000, 900, 500, 400].map((prizeCents) => ({ prizeCents, count: 1 })),
  payTable: [
    { symbol: 'A', count: 3, prizeCents: 900 },
    { symbol: 'A', count: 2, prizeCents: 500 },
    { symbol: 'B', count: 3, prizeCents: 400 },
  ],
};

function tinyGame(rows: number, extraStages: readonly ExtraStageLaw[]): RowsGame {
  return {
    mechanic: 'rows',
    id: 'tiny',
    name: 'Tiny',
    definitionSha256: 'no hash',
    blockSize: 100,
    grid: { rows, columns: 3 },
    symbols: [
      { code: 'A', id: 'apple', role: 'pay' },
      { code: 'B', id: 'banana', role: 'pay' },
      { code: 'E', id: 'EXTRA', role: 'trigger' },
    ],
    stakes: [TINY_STAKE],
    policy: { extraStages, compositionWeights: [2, 1] },
  };
}

/** Two rows with no EXTRA stage or one; one row with two stages, by vectors of unequal weight. */
const TINY_GAMES = [
  tinyGame(2, [
    { stages: 0, weight: 3, vectors: [{ extra: [0], weight: 1 }] },
    { stages: 1, weight: 1, vectors: [{ extra: [1, 0], weight: 1 }] },
  ]),
  tinyGame(1, [
    { stages: 0, weight: 1, vectors: [{ extra: [0], weight: 1 }] },
    {
      stages: 2,
      weight: 1,
      vectors: [
        { extra: [1, 1, 0], weight: 1 },
        { extra: [2, 0, 0], weight: 3 },
      ],
    },
  ]),
];

/** A probability is so many parts of this; it has enough divisors for all of the tiny games. */
const WHOLE = (2n * 3n * 5n * 7n) ** 12n;

function divide(parts: bigint, by: number): bigint {
  if (parts % BigInt(by) !== 0n) throw new Error(`a ${by}th of ${parts} parts is broken`);
  return parts / BigInt(by);
}

/** A choice among equally likely items, each followed by further choices. */
function spread<T>(
  law: ReadonlyMap<string, bigint>,
  itemsAfter: (text: string) => readonly T[],
  textOf: (text: string, item: T) => string,
): Map<string, bigint> {
  const next = new Map<string, bigint>();
  for (const [text, parts] of law) {
    const items = itemsAfter(text);
    for (const item of items) {
      const nextText = textOf(text, item);
      next.set(nextText, (next.get(nextText) ?? 0n) + divide(parts, items.length));
    }
  }
  return next;
}

/** All ways to take so many of some items. */
function subsetsOf<T>(items: readonly T[], taken: number): readonly (readonly T[])[] {
  if (taken === 0) return [[]];
  return items.flatMap((item, index) =>
    subsetsOf(items.slice(index + 1), taken - 1).map((rest) => [item, ...rest]),
  );
}

/**
 * The law of an outcome's tickets, from the rules: the vector by its weight; the winning rows over
 * all placements with room; the cells of their symbols; EXTRA over all cells left of its grid; every
 * other cell over what complies. Tickets are the letters of all cells, row after row.
 */
function lawOf({ game, stake }: Setup, outcome: Outcome): ReadonlyMap<string, bigint> {
  const { rows, columns } = game.grid;
  const { vectors } = game.policy.extraStages.find(({ stages }) => stages === outcome.feature)!;
  const totalWeight = vectors.reduce((sum, { weight }) => sum + weight, 0);
  const law = new Map<string, bigint>();
  for (const { extra, weight } of vectors) {
    const rowCount = rows * extra.length;
    const linesOfRows = subsetsOf(
      Array.from({ length: rowCount }, (_, row) => row),
      outcome.composition.length,
    ).flatMap((winningRows) =>
      orders(outcome.composition).map((lines) =>
        Array.from({ length: rowCount }, (_, row) => lines[winningRows.indexOf(row)]),
      ),
    );
    const placements = linesOfRows.filter((lines) =>
      extra.every((need, grid) => {
        const inGrid = lines.slice(grid * rows, (grid + 1) * rows);
        const taken = inGrid.map((line) => (line === undefined ? 0 : stake.payTable[line]!.count));
        return rows * columns - taken.reduce((sum, count) => sum + count, 0) >= need;
      }),
    );
    const parts = divide(divide(WHOLE, totalWeight) * BigInt(weight), placements.length);
    for (const lines of placements) {
      for (const [text, share] of lawOfPlacement(lines, extra, parts)) {
        law.set(text, (law.get(text) ?? 0n) + share);
      }
    }
  }
  return law;

  /** Open cells are dots until they are decided. */
  function lawOfPlacement(
    lines: readonly (number | undefined)[],
    extra: readonly number[],
    parts: bigint,
  ): ReadonlyMap<string, bigint> {
    let law: ReadonlyMap<string, bigint> = new Map([['.'.repeat(lines.length * columns), parts]]);
    const fill = (text: string, cells: readonly number[], letter: string): string =>
      Array.from(text, (cell, index) => (cells.includes(index) ? letter : cell)).join('');
    const openCells = (text: string, from: number, count: number): readonly number[] =>
      Array.from({ length: count }, (_, index) => from + index).filter(
        (cell) => text[cell] === '.',
      );
    lines.forEach((line, row) => {
      if (line === undefined) return;
      const { symbol, count } = stake.payTable[line]!;
      law = spread(
        law,
        (text) => subsetsOf(openCells(text, row * columns, columns), count),
        (text, cells) => fill(text, cells, symbol!),
      );
    });
    extra.forEach((count, grid) => {
      const cellCount = rows * columns;
      law = spread(
        law,
        (text) => subsetsOf(openCells(text, grid * cellCount, cellCount), count),
        (text, cells) => fill(text, cells, 'E'),
      );
    });
    lines.forEach((line, row) => {
      const start = row * columns;
      law = spread(
        law,
        (text) => fillings(text.slice(start, start + columns), line),
        (text, filling) => text.slice(0, start) + filling + text.slice(start + columns),
      );
    });
    return law;
  }

  /** The rows that a begun row can become: no further EXTRA, and it wins its line only, or nothing. */
  function fillings(begun: string, line: number | undefined): readonly string[] {
    const pay = game.symbols.filter(({ role }) => role === 'pay');
    let texts = [''];
    for (const cell of begun) {
      const letters = cell === '.' ? pay.map(({ code }) => code) : [cell];
      texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    }
    const expected = line === undefined ? '' : combinationOf(line);
    return texts.filter((text) => judge([[text]], stake).combination === expected);
  }

  function combinationOf(line: number): string {
    const { count, symbol } = stake.payTable[line]!;
    return `${count}${symbol!}`;
  }
}

/** All orders of some items, equal ones not told apart. */
function orders(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return [...new Set(items)].flatMap((first) =>
    orders(items.toSpliced(items.indexOf(first), 1)).map((rest) => [first, ...rest]),
  );
}

describe.each(
  TINY_GAMES.flatMap((game) => {
    const setup = setUp(game);
    return setup.outcomes.map((outcome, index) => ({
      setup,
      outcome,
      index,
      rows: game.grid.rows,
      stages: outcome.feature,
      combination: outcome.combination || 'nothing',
    }));
  }),
)(
  'over all its draws, a ticket with $rows rows a grid and $stages stages that wins $combination',
  ({ setup, outcome, index }) => {
    test('is every ticket that the rules allow, with exactly the probability that they give', () => {
      const found = new Map<string, bigint>();
      // The vectors' weights are 1 and 3, so a quarter of the words is always one vector.
      const draw = (stream: RandomStream): string =>
        drawTickets(setup, [index], stream).flat(2).join('');
      for (const { result, outOf } of enumerateDraws(draw, 4)) {
        found.set(result, (found.get(result) ?? 0n) + divide(WHOLE, Number(outOf)));
      }
      const expected = lawOf(setup, outcome);
      const total = [...expected.values()].reduce((sum, parts) => sum + parts, 0n);
      expect(total).toBe(WHOLE);
      expect(found.size).toBe(expected.size);
      const wrong = [...expected].filter(([ticket, parts]) => found.get(ticket) !== parts);
      expect(wrong).toEqual([]);
    });
  },
);

test('the tiny games have outcomes with no, one and two winning rows, and with and without EXTRA', () => {
  const names = TINY_GAMES.map((game) =>
    setUp(game).outcomes.map(({ combination, feature }) => `${combination}/${feature}`),
  );
  expect(names[0]).toEqual([
    ...['3A+3A/0', '3A+3A/1', '3A+3B/0', '3A+3B/1', '2A+2A/0', '2A+2A/1', '3A/0', '2A+3B/0'],
    ...['3A/1', '2A+3B/1', '2A/0', '2A/1', '3B/0', '3B/1', '/0', '/1'],
  ]);
  expect(names[1]).toContain('2A/2');
});

describe.each(ENGINE_IDS)("Eldorado's tickets with the engine %s", (engine) => {
  const setup = setUp(ELDORADO, ELDORADO.stakes[1]);
  const indexOf = (combination: string, feature: number): number =>
    setup.outcomes.findIndex(
      (outcome) => outcome.combination === combination && outcome.feature === feature,
    );

  test('take the 3,020 losing rows equally often where they lose without EXTRA', () => {
    const indexes = new Array<number>(12_000).fill(indexOf('', 0));
    const counts = new Map<string, number>();
    for (const row of drawTickets(setup, indexes, seededStream('losing rows', engine)).flat(2)) {
      counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    expect(counts.size).toBe(3020);
    expect(evenChiSquareP([...counts.values()])).toBeGreaterThan(0.001);
  });

  test.each([
    ['', 2],
    ['', 3],
    ['4D', 2],
    ['4D', 3],
    ['5P', 3],
    ['4D+4D+4D+4D+4D', 3],
  ])('that win "%s" with %i stages take all vectors equally often', (combination, stages) => {
    const index = indexOf(combination, stages);
    const indexes = new Array<number>(1000).fill(index);
    const { vectors } = ELDORADO.policy.extraStages[stages]!;
    const counts = vectors.map(() => 0);
    for (const grids of drawTickets(setup, indexes, seededStream('vectors', engine))) {
      const found = judge(grids, setup.stake).extra.join();
      counts[vectors.findIndex(({ extra }) => extra.join() === found)]! += 1;
    }
    expect(
      chiSquareP(
        counts,
        vectors.map(({ weight }) => weight),
      ),
    ).toBeGreaterThan(0.001);
  });

  test('that lose with one stage have its EXTRA symbol in each cell equally often', () => {
    const indexes = new Array<number>(6000).fill(indexOf('', 1));
    const counts = new Array<number>(15).fill(0);
    for (const [main] of drawTickets(setup, indexes, seededStream('cells', engine))) {
      counts[main!.join('').indexOf('E')]! += 1;
    }
    expect(evenChiSquareP(counts)).toBeGreaterThan(0.001);
  });
});

describe('a synthesizer', () => {
  test('draws ticket after ticket out of one stream, each with the draws that it needs', () => {
    const setup = setUp(sampleRowsGame('eldorado-mini'));
    const indexes = setup.outcomes.map((_, index) => index).toReversed();
    const together = drawTickets(setup, indexes, seededStream('one after the other'));
    const stream = seededStream('one after the other');
    const alone = indexes.flatMap((index) => drawTickets(setup, [index], stream));
    expect(alone).toEqual(together);
  });

  test('draws the same whatever it has drawn before', () => {
    const game = sampleRowsGame('eldorado-mini');
    const used = setUp(game);
    const indexes = used.outcomes.map((_, index) => index);
    drawTickets(used, indexes.toReversed(), seededStream('before'));
    expect(drawTickets(used, indexes, seededStream('now'))).toEqual(
      drawTickets(setUp(game), indexes, seededStream('now')),
    );
  });

  test('writes no row behind the ones that it reports', () => {
    const { synthesizer } = setUp(ELDORADO);
    const rows = new Float64Array(9).fill(-1);
    const losing = ELDORADO.stakes[0]!;
    const index = planOutcomes(ELDORADO, losing).outcomes.findIndex(
      ({ combination, feature }) => combination === '' && feature === 1,
    );
    expect(synthesizer.draw(Uint16Array.of(index), seededStream('behind'), rows)).toBe(6);
    expect([...rows.slice(6)]).toEqual([-1, -1, -1]);
  });

  test('of the rows mechanic refuses a game of another', () => {
    const game = sampleCollectGame('lagon-mini');
    expect(() => rowsSynthesizer({ game, stake: game.stakes[0]!, outcomes: [] })).toThrow(
      InvariantError,
    );
  });
});
