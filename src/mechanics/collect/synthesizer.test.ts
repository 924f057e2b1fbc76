import { describe, expect, test } from '@jest/globals';
import { InvariantError } from '../../core/assert.js';
import type { CollectGame } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import type { RandomStream } from '../../engine/random-stream.js';
import { binomialP, evenChiSquareP } from '../../testing/goodness-of-fit.js';
import { enumerateDraws, seededStream } from '../../testing/random-streams.js';
import { readRows, toGrids } from '../../testing/row-reading.js';
import { sampleCollectGame, sampleRowsGame } from '../../testing/sample-definitions.js';
import { fillersOf, fillingWays, gridsWith } from './rules-counting.js';
import { collectSynthesizer } from './synthesizer.js';

const LAGON = loadGame('lagon-paradis') as CollectGame;

interface TinyInput {
  readonly rows: number;
  readonly columns: number;
  /** Codes of the symbols, those to choose from in capitals. */
  readonly symbols: string;
  readonly unchosenCap: number | null;
  readonly neutralCap: number | null;
}

/** A game of a shape of its own; what it pays does not matter to its grids. */
function tinyGame({ rows, columns, symbols, unchosenCap, neutralCap }: TinyInput): CollectGame {
  return {
    ...sampleCollectGame('collect-bare'),
    grid: { rows, columns },
    symbols: Array.from(symbols, (letter) => {
      const isPlay = letter === letter.toUpperCase();
      return { code: letter.toUpperCase(), id: letter, role: isPlay ? 'play' : 'neutral' };
    }),
    policy: { losingCounts: [], unchosenCap, neutralCap },
  };
}

function codesOf(game: CollectGame, role: 'play' | 'neutral'): readonly string[] {
  return game.symbols.filter((symbol) => symbol.role === role).map(({ code }) => code);
}

/** Outcomes whose index is the number of chosen symbols. */
function outcomesUpTo(chosen: number, gridCount: number): readonly Outcome[] {
  return Array.from({ length: chosen + 1 }, (_, feature) => ({
    ...{ prizeCents: 0, combination: '', composition: [] },
    feature,
    gridCount,
  }));
}

/** Makes a drawer of tickets, each with a number of chosen symbols: its grids, each a text. */
function ticketDrawer(game: CollectGame) {
  const gridCount = codesOf(game, 'play').length;
  const outcomes = outcomesUpTo(game.grid.rows * game.grid.columns, gridCount);
  const synthesizer = collectSynthesizer({ game, stake: game.stakes[0]!, outcomes });
  return (chosen: readonly number[], stream: RandomStream): readonly (readonly string[])[] => {
    const rowsPerTicket = gridCount * game.grid.rows;
    const rows = new Float64Array(chosen.length * rowsPerTicket);
    const drawn = synthesizer.draw(Uint16Array.from(chosen), stream, rows);
    if (drawn !== rows.length) throw new Error(`${drawn} rows drawn, ${rows.length} expected`);
    const grids = toGrids(readRows(rows, drawn), game.grid.rows).map((grid) => grid.join('/'));
    return chosen.map((_, ticket) => grids.slice(ticket * gridCount, (ticket + 1) * gridCount));
  };
}

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

/** Whether a grid has so many of the chosen symbol, and all others within their caps. */
function complies(
  grid: string,
  {
    game,
    code,
    chosen,
  }: { readonly game: CollectGame; readonly code: string; readonly chosen: number },
): boolean {
  const { unchosenCap, neutralCap } = game.policy;
  return game.symbols.every((symbol) => {
    const count = countOf(grid, symbol.code);
    if (symbol.code === code) return count === chosen;
    return count <= ((symbol.role === 'play' ? unchosenCap : neutralCap) ?? Infinity);
  });
}

/** All grids of a small game that comply, by trying every letter in every cell. */
function allGrids(game: CollectGame, code: string, chosen: number): readonly string[] {
  const { rows, columns } = game.grid;
  const letters = game.symbols.map((symbol) => symbol.code);
  let texts: readonly string[] = [''];
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const border = cell > 0 && cell % columns === 0 ? '/' : '';
    texts = texts.flatMap((text) => letters.map((letter) => text + border + letter));
  }
  return texts.filter((grid) => complies(grid, { game, code, chosen }));
}

describe.each([
  { game: LAGON, most: 10 },
  { game: sampleCollectGame('lagon-mini'), most: 10 },
  { game: sampleCollectGame('collect-bare'), most: 8 },
])('the tickets of $game.id', ({ game, most }) => {
  const play = codesOf(game, 'play');
  const chosen = Array.from({ length: 40 * (most + 1) }, (_, ticket) => ticket % (most + 1));
  const tickets = ticketDrawer(game)(chosen, seededStream(game.id, 'chacha20'));

  test('have one grid for each choice, with exactly so many of the chosen symbol', () => {
    const counts = tickets.map((grids) =>
      grids.map((grid, choice) => countOf(grid, play[choice]!)),
    );
    expect(counts).toEqual(chosen.map((count) => play.map(() => count)));
  });

  test('keep the cap of every symbol that was not chosen', () => {
    const wrong = tickets.flatMap((grids, ticket) =>
      grids.filter(
        (grid, choice) => !complies(grid, { game, code: play[choice]!, chosen: chosen[ticket]! }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('have full rows of the symbols of the game', () => {
    const row = `[${game.symbols.map(({ code }) => code).join('')}]{${game.grid.columns}}`;
    const grid = new RegExp(`^${row}(/${row}){${game.grid.rows - 1}}$`);
    expect(tickets.flat().filter((text) => !grid.test(text))).toEqual([]);
  });
});

test.each(LAGON.stakes)(
  "Lagon Paradis' outcomes at $stakeCents cents are drawn by their number of chosen symbols",
  (stake) => {
    const { outcomes } = planOutcomes(LAGON, stake);
    const synthesizer = collectSynthesizer({ game: LAGON, stake, outcomes });
    const rows = new Float64Array(outcomes.length * 9);
    const indexes = Uint16Array.from(outcomes, (_, index) => index);
    expect(synthesizer.draw(indexes, seededStream('outcomes'), rows)).toBe(rows.length);
    const grids = toGrids(readRows(rows, rows.length), 3).map((grid) => grid.join(''));
    const found = outcomes.map((_, index) =>
      ['T', 'P', 'H'].map((code, choice) => countOf(grids[3 * index + choice]!, code)),
    );
    expect(found).toEqual([10, 9, 8, 7, 6, 5, 4, 0, 1, 2, 3].map((count) => [count, count, count]));
  },
);

/** Tiny games and numbers of chosen symbols whose grids can all be listed. */
const TINY_CASES = [
  {
    name: 'a cap on unchosen play symbols, as in the game shipped',
    shape: { rows: 2, columns: 2, symbols: 'ABCxy', unchosenCap: 1, neutralCap: null },
    chosen: [0, 1, 2, 4],
  },
  {
    name: 'a cap on unchosen play symbols in a larger grid',
    shape: { rows: 2, columns: 3, symbols: 'ABCx', unchosenCap: 2, neutralCap: null },
    chosen: [2, 3],
  },
  {
    name: 'neither caps nor neutral symbols',
    shape: { rows: 2, columns: 3, symbols: 'ABC', unchosenCap: null, neutralCap: null },
    chosen: [0, 1, 3],
  },
  {
    name: 'caps on all symbols',
    shape: { rows: 2, columns: 3, symbols: 'AxByC', unchosenCap: 1, neutralCap: 2 },
    chosen: [2, 3],
  },
  {
    name: 'a cap on neutral symbols only',
    shape: { rows: 2, columns: 2, symbols: 'xAByC', unchosenCap: null, neutralCap: 1 },
    chosen: [0, 1, 2],
  },
  {
    name: 'a cap of 0',
    shape: { rows: 2, columns: 3, symbols: 'ABxy', unchosenCap: 0, neutralCap: null },
    chosen: [1, 2],
  },
  {
    name: 'caps that leave no choice of counts',
    shape: { rows: 2, columns: 2, symbols: 'ABCx', unchosenCap: 1, neutralCap: 1 },
    chosen: [1],
  },
].map(({ name, shape, chosen }) => ({ name, game: tinyGame(shape), chosen }));

describe.each(TINY_CASES)('with $name', ({ game, chosen: chosenCounts }) => {
  const play = codesOf(game, 'play');
  const drawTickets = ticketDrawer(game);

  test.each(chosenCounts)('all grids with %i chosen come out, equally often', (chosen) => {
    const grids = play.map((code) => allGrids(game, code, chosen));
    const sizes = grids.map((list) => list.length);
    const draws = 20 * Math.max(...sizes);
    const counts = grids.map((list) => new Map(list.map((grid) => [grid, 0])));
    const stream = seededStream(`tiny ${chosen}`, 'chacha20');
    for (const ticket of drawTickets(new Array<number>(draws).fill(chosen), stream)) {
      ticket.forEach((grid, choice) => {
        counts[choice]!.set(grid, (counts[choice]!.get(grid) ?? 0) + 1);
      });
    }
    counts.forEach((found, choice) => {
      // No grid that the brute force does not list has been added.
      expect(found.size).toBe(sizes[choice]);
      expect([...found.values()].filter((count) => count === 0)).toEqual([]);
      if (found.size > 1) expect(evenChiSquareP([...found.values()])).toBeGreaterThan(0.001);
    });
  });

  test('the grids are counted right, for every number of chosen symbols', () => {
    const cells = game.grid.rows * game.grid.columns;
    for (const code of play) {
      for (let chosen = 0; chosen <= cells + 1; chosen += 1) {
        expect(gridsWith(game, code, chosen)).toBe(BigInt(allGrids(game, code, chosen).length));
      }
    }
  });
});

/** Games so tiny that all ways in which the draws of a ticket can come out can be gone through. */
describe.each([
  // The words choose by weights that add up to the parts, or to a divisor of them.
  { symbols: 'ABx', rows: 2, columns: 2, unchosenCap: 1, neutralCap: null, chosen: 2, parts: 3 },
  { symbols: 'ABx', rows: 1, columns: 4, unchosenCap: 1, neutralCap: null, chosen: 1, parts: 4 },
  { symbols: 'ABxy', rows: 1, columns: 3, unchosenCap: 1, neutralCap: null, chosen: 2, parts: 3 },
  { symbols: 'Abcx', rows: 1, columns: 4, unchosenCap: null, neutralCap: 2, chosen: 1, parts: 24 },
  { symbols: 'ABC', rows: 1, columns: 3, unchosenCap: null, neutralCap: null, chosen: 1, parts: 1 },
])('over all draws of $symbols in $rows rows of $columns', ({ chosen, parts, ...shape }) => {
  test('every choice has all its grids, in every combination, with exactly equal probability', () => {
    const game = tinyGame(shape);
    const drawTickets = ticketDrawer(game);
    const expected = codesOf(game, 'play')
      .map((code) => allGrids(game, code, chosen))
      .reduce(
        (tickets, grids) => tickets.flatMap((text) => grids.map((grid) => `${text} ${grid}`)),
        [''],
      );
    // A number that all products of bounds divide.
    const whole = (2n * 3n * 5n * 7n) ** 16n;
    const found = new Map<string, bigint>();
    for (const { result, outOf } of enumerateDraws(
      (stream) => drawTickets([chosen], stream)[0]!,
      parts,
    )) {
      const ticket = result.map((grid) => ` ${grid}`).join('');
      if (whole % outOf !== 0n) throw new Error(`1 of ${outOf} is not a whole number of parts`);
      found.set(ticket, (found.get(ticket) ?? 0n) + whole / outOf);
    }
    expect([...found.keys()].toSorted()).toEqual(expected.toSorted());
    expect(new Set(found.values())).toEqual(new Set([whole / BigInt(expected.length)]));
  });
});

describe('the ways to fill cells', () => {
  test.each(TINY_CASES)('are those that brute force finds, with $name', ({ game }) => {
    for (const code of codesOf(game, 'play')) {
      const fillers = fillersOf(game, code);
      const ways = fillingWays(fillers, 5);
      expect(ways).toHaveLength(fillers.capped.length + 1);
      ways.forEach((byCells, first) => {
        const capped = fillers.capped.slice(first);
        for (let cells = 0; cells <= 5; cells += 1) {
          const letters = [...capped.map((symbol) => symbol.code), ...fillers.free];
          let texts: readonly string[] = [''];
          for (let cell = 0; cell < cells; cell += 1) {
            texts = texts.flatMap((text) => letters.map((letter) => text + letter));
          }
          const right = texts.filter((text) =>
            capped.every((symbol) => countOf(text, symbol.code) <= symbol.cap),
          );
          expect(byCells[cells]).toBe(BigInt(right.length));
        }
      });
    }
  });

  test('say how many grids Lagon Paradis has, whatever is chosen', () => {
    const byChoice = ['T', 'P', 'H'].map((code) =>
      Array.from({ length: 11 }, (_, chosen) => gridsWith(LAGON, code, chosen)),
    );
    expect(byChoice[1]).toEqual(byChoice[0]);
    expect(byChoice[2]).toEqual(byChoice[0]);
    // With 10 chosen: 8 cells of four neutral symbols, up to 3 of each of the other two.
    const fillings = [0, 1, 2, 3].flatMap((first) =>
      [0, 1, 2, 3].map(
        (second) =>
          (factorial(8) / (factorial(first) * factorial(second) * factorial(8 - first - second))) *
          4 ** (8 - first - second),
      ),
    );
    const total = fillings.reduce((sum, ways) => sum + ways, 0);
    expect(byChoice[0]![10]).toBe(BigInt(43_758 * total));
  });

  function factorial(n: number): number {
    return n < 2 ? 1 : n * factorial(n - 1);
  }
});

describe('with so many free symbols that a row is drawn in segments', () => {
  // 19 symbols of which one is chosen and two are capped: 16 free, and 16^4 = 65,536 fillings.
  const game = tinyGame({
    ...{ rows: 2, columns: 5, symbols: 'ABCdefghijklmnopqrs' },
    ...{ unchosenCap: 2, neutralCap: null },
  });
  const chosen = 3;
  const tickets = ticketDrawer(game)(new Array<number>(8000).fill(chosen), seededStream('wide'));

  test('all grids comply', () => {
    const wrong = tickets.flatMap((grids) =>
      grids.filter((grid, choice) => !complies(grid, { game, code: 'ABC'[choice]!, chosen })),
    );
    expect(wrong).toEqual([]);
  });

  test('the chosen symbol takes every subset of the cells equally often', () => {
    const places = new Map<string, number>();
    for (const [grid] of tickets) {
      const cells = grid!.replace('/', '').replace(/[^A]/g, '.');
      places.set(cells, (places.get(cells) ?? 0) + 1);
    }
    expect(places.size).toBe(120);
    expect(evenChiSquareP([...places.values()])).toBeGreaterThan(0.001);
  });

  test('in every cell each neutral symbol is equally frequent', () => {
    for (let cell = 0; cell < 10; cell += 1) {
      const counts = codesOf(game, 'neutral').map(
        (code) => tickets.filter((grids) => grids[1]!.replace('/', '')[cell] === code).length,
      );
      expect(evenChiSquareP(counts)).toBeGreaterThan(0.0001);
    }
  });

  test('neighbours on both sides of a segment border are independent', () => {
    const neutral = codesOf(game, 'neutral');
    const counts = new Map(neutral.flatMap((a) => neutral.map((b) => [a + b, 0])));
    for (const pair of tickets.flatMap((grids) => grids.map((grid) => grid.slice(3, 5)))) {
      const count = counts.get(pair);
      if (count !== undefined) counts.set(pair, count + 1);
    }
    expect(counts.size).toBe(256);
    expect(evenChiSquareP([...counts.values()])).toBeGreaterThan(0.001);
  });
});

describe('with so many cells that their subsets are worked out one by one', () => {
  const game = tinyGame({
    ...{ rows: 4, columns: 8, symbols: 'ABCxyz' },
    ...{ unchosenCap: 6, neutralCap: 9 },
  });
  const chosen = Array.from({ length: 300 }, (_, ticket) => 8 + (ticket % 5));
  const tickets = ticketDrawer(game)(chosen, seededStream('large grid'));

  test('all grids comply', () => {
    const wrong = tickets.flatMap((grids, ticket) =>
      grids.filter(
        (grid, choice) => !complies(grid, { game, code: 'ABC'[choice]!, chosen: chosen[ticket]! }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('the chosen symbol takes every cell equally often', () => {
    const counts = new Array<number>(32).fill(0);
    for (const [grid] of tickets) {
      Array.from(grid!.replaceAll('/', ''), (letter, cell) => {
        if (letter === 'A') counts[cell]! += 1;
      });
    }
    const drawn = counts.reduce((sum, count) => sum + count, 0);
    expect(drawn).toBe(chosen.reduce((sum, count) => sum + count, 0));
    for (const count of counts)
      expect(binomialP(count, 300, drawn / 32 / 300)).toBeGreaterThan(0.00003);
  });
});

describe('a synthesizer', () => {
  const chosen = [3, 0, 10, 4, 1, 7, 2, 9, 5, 6, 8, 0];

  test('draws ticket after ticket out of one stream, each with the draws that it needs', () => {
    const drawTickets = ticketDrawer(LAGON);
    const together = drawTickets(chosen, seededStream('one after the other'));
    const stream = seededStream('one after the other');
    expect(chosen.flatMap((count) => drawTickets([count], stream))).toEqual(together);
  });

  test('draws the same whatever it has drawn before', () => {
    const used = ticketDrawer(LAGON);
    used(chosen.toReversed(), seededStream('before'));
    expect(used(chosen, seededStream('now'))).toEqual(
      ticketDrawer(LAGON)(chosen, seededStream('now')),
    );
  });

  test('leaves nothing of what stood in the rows before', () => {
    const { outcomes } = planOutcomes(LAGON, LAGON.stakes[0]!);
    const synthesizer = collectSynthesizer({ game: LAGON, stake: LAGON.stakes[0]!, outcomes });
    const rows = [0, 1, -1e300].map((before) => {
      const packed = new Float64Array(10).fill(before);
      expect(synthesizer.draw(Uint16Array.of(2), seededStream('over'), packed)).toBe(9);
      expect(packed[9]).toBe(before);
      return readRows(packed, 9);
    });
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
  });

  test('of the collect mechanic refuses a game of another', () => {
    const game = sampleRowsGame('rows-plain');
    expect(() => collectSynthesizer({ game, stake: game.stakes[0]!, outcomes: [] })).toThrow(
      InvariantError,
    );
  });
});
