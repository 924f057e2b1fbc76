import { beforeAll, describe, expect, test } from '@jest/globals';
import { findStake } from '../../definitions/load-game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import {
  ticketsOf,
  validBlock,
  writeBlock,
  type BlockCopy,
  type Ticket,
} from '../../testing/broken-blocks.js';
import { sampleRowsGame, type SampleName } from '../../testing/sample-definitions.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { momentsOf, ordersOf } from '../../testing/ticket-orders.js';
import { auditBlocks, type ObservedBlock } from '../../verify/audit/audit-blocks.js';
import { blockFigures, type BlockFigures } from './block-figures.js';

const newFolder = folderMaker();

/** Figures of a made-up order: at each place whether the ticket wins. */
function figuresOf(wins: readonly boolean[]): BlockFigures {
  const game = sampleRowsGame('rows-plain');
  const stake = findStake(game, 100);
  const { outcomes } = planOutcomes(game, stake);
  const winning = outcomes.findIndex(({ prizeCents }) => prizeCents > 0);
  const losing = outcomes.findIndex(({ prizeCents }) => prizeCents === 0);
  const outcomeOf = Uint16Array.from(wins, (wins) => (wins ? winning : losing));
  const observations = { outcomeOf } as unknown as ObservedBlock['observations'];
  return blockFigures({ game, stake, observations, measurements: [] });
}

/** Figures of an order that is written as one letter for each ticket: # wins. */
function figuresOfOrder(order: string): BlockFigures {
  return figuresOf(Array.from(order, (letter) => letter === '#'));
}

/** The figures of all orders of so many tickets of which so many win. */
function figuresOfAllOrders(total: number, winners: number): readonly BlockFigures[] {
  return ordersOf(total, winners).map((places) =>
    figuresOf(Array.from({ length: total }, (_, place) => places.includes(place))),
  );
}

type Counted = 'gaps' | 'runs' | 'slices';

/** How often each length was found, by length; those that were not found are left out. */
function lengths(figures: BlockFigures, which: 'gaps' | 'runs'): Readonly<Record<string, number>> {
  const first = which === 'gaps' ? 0 : 1;
  const found = figures[which].map((count, index) => [index + first, count.found] as const);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

describe('gaps and runs', () => {
  test.each([
    ['at both ends too', '..#.##...#.', { 0: 1, 1: 2, 2: 1, 3: 1 }, { 1: 2, 2: 1 }],
    ['of nothing at the ends', '#..#', { 0: 2, 2: 1 }, { 1: 2 }],
    ['of losing tickets only', '....', { 4: 1 }, {}],
    ['of winning tickets only', '###', { 0: 4 }, { 3: 1 }],
    ['that are the longest of their own group', '######', { 0: 7 }, { 6: 1 }],
    ['that are longer than the last group', `#######${'.'.repeat(31)}`, { 0: 7, 30: 1 }, { 6: 1 }],
  ])('are counted by hand %s', (_, order, gaps, runs) => {
    const figures = figuresOfOrder(order);
    expect([lengths(figures, 'gaps'), lengths(figures, 'runs')]).toEqual([gaps, runs]);
  });

  test.each([
    [9, 3, 'all lengths are groups of their own'],
    [37, 2, 'the longest gaps are one group'],
    [12, 8, 'the longest runs are one group'],
    [6, 6, 'all tickets win'],
    [6, 0, 'no ticket wins'],
  ])(
    'have their mean over all orders of %i tickets, %i winning, for expectation: %s',
    (...block) => {
      const all = figuresOfAllOrders(block[0], block[1]);
      for (const which of ['gaps', 'runs'] as const) {
        const [{ [which]: expected } = figuresOfOrder('')] = all;
        const means = expected.map(
          (_, index) => momentsOf(all.map((figures) => figures[which][index]?.found ?? NaN)).mean,
        );
        expected.forEach((count, index) => expect(count.expected).toBeCloseTo(means[index]!, 9));
      }
    },
  );
});

describe('slices of the block', () => {
  test.each([
    ['fewer tickets than slices', 7],
    ['as many', 90],
    ['one more', 91],
    ['a number that slices do not divide', 1234],
  ])('hold every winning ticket once: %s', (_, total) => {
    const wins = Array.from({ length: total }, (_ticket, place) => place % 3 === 0);
    const { slices } = figuresOf(wins);
    const sum = (counted: 'found' | 'expected'): number =>
      slices.reduce((all, slice) => all + slice[counted], 0);
    const winners = Math.ceil(total / 3);
    expect([slices.length, sum('found')]).toEqual([Math.min(90, total), winners]);
    expect(sum('expected')).toBeCloseTo(winners, 9);
  });

  test('go from the start of the block to its end', () => {
    const { slices } = figuresOf(Array.from({ length: 180 }, (_, place) => place < 3));
    expect(slices.map(({ found }) => found)).toEqual([2, 1, ...new Array<number>(88).fill(0)]);
  });

  test.each([
    [8, 3],
    [93, 1],
  ])('have mean and deviation over all orders of %i tickets, %i winning', (total, winners) => {
    const all = figuresOfAllOrders(total, winners);
    const [{ slices } = figuresOfOrder('')] = all;
    slices.forEach(({ expected, deviation }, slice) => {
      const moments = momentsOf(all.map((figures) => figures.slices[slice]?.found ?? NaN));
      expect(expected).toBeCloseTo(moments.mean, 9);
      expect(deviation ** 2).toBeCloseTo(moments.variance, 9);
    });
  });
});

/** A block on the disk as an audit counts it, and its tickets as they are written. */
interface Observed {
  readonly block: BlockCopy;
  readonly tickets: readonly Ticket[];
  readonly figures: BlockFigures;
}

async function observe(name: SampleName): Promise<Observed> {
  const block = await validBlock(name);
  const folder = writeBlock(block, newFolder());
  let figures: BlockFigures | undefined;
  const { game } = block;
  await auditBlocks([folder], { game, onObserved: (seen) => (figures = blockFigures(seen)) });
  return { block, tickets: ticketsOf(block), figures: figures! };
}

/** Standard deviations of a count from its expectation. */
function distance({ found, expected, deviation }: BlockFigures[Counted][number]): number {
  return (found - expected) / deviation;
}

const NAMES: readonly SampleName[] = ['eldorado-mini', 'lagon-mini', 'rows-plain', 'collect-bare'];

describe.each(NAMES)('a block of %s', (name) => {
  let seen: Observed;

  beforeAll(async () => {
    seen = await observe(name);
  });

  test('has quotas that sum to the tiers and to the whole block, each next to its law', () => {
    const { block, figures, tickets } = seen;
    const sums = figures.quotas.map(({ prizeCents, features }) => [
      prizeCents,
      features.reduce((sum, { found }) => sum + found, 0),
    ]);
    const tiers = block.stake.tiers.map(({ prizeCents, count }) => [prizeCents, count]);
    const losing = tickets.filter(({ prize_cents }) => prize_cents === 0).length;
    expect(sums).toEqual([...tiers, [0, losing]]);
    for (const { found, expected } of figures.quotas.flatMap(({ features }) => features)) {
      expect([Math.floor(expected + 1e-9), Math.ceil(expected - 1e-9)]).toContain(found);
    }
  });

  test('has every ticket of its rare prizes by its number', () => {
    const { block, figures, tickets } = seen;
    const rare = block.stake.tiers.filter(({ count }) => count <= 250);
    expect(figures.rarePrizes.length).toBeGreaterThan(0);
    expect(figures.rarePrizes).toEqual(
      rare.map(({ prizeCents }) => ({
        prizeCents,
        tickets: tickets
          .filter(({ prize_cents }) => prize_cents === prizeCents)
          .map(({ ticket }) => ticket),
      })),
    );
  });

  test('has win rates by last digit that a naive reader counts too', () => {
    const { figures, tickets } = seen;
    const naive = Array.from({ length: 10 }, (_, digit) => {
      const own = tickets.filter(({ ticket }) => String(ticket).endsWith(String(digit)));
      const winning = own.filter(({ prize_cents }) => prize_cents > 0).length;
      return { name: String(digit), tickets: own.length, winning };
    });
    expect(figures.winRates[0]?.groups).toMatchObject(naive);
  });

  test('has heat maps whose counts a naive reader finds too, cell by cell', () => {
    const { block, figures, tickets } = seen;
    const { rows, columns } = block.game.grid;
    for (const { grids, symbols } of figures.heatMaps) {
      const naive = gridsOf(tickets, grids, block);
      expect(naive.length).toBeGreaterThan(0);
      for (const { code, cells } of symbols) {
        const counts = Array.from({ length: rows * columns }, (_, cell) => {
          const [row, column] = [Math.floor(cell / columns), cell % columns];
          return naive.filter((grid) => grid[row]?.[column] === code).length;
        });
        expect([grids, code, cells.map(({ found }) => found)]).toEqual([grids, code, counts]);
      }
      for (let cell = 0; cell < rows * columns; cell += 1) {
        const sum = symbols.reduce((all, { cells }) => all + (cells[cell]?.expected ?? NaN), 0);
        expect(sum).toBeCloseTo(naive.length, 6);
      }
    }
  });

  test('has heat maps of its winning tickets that are kept apart as pick-out', () => {
    const apart = seen.figures.heatMaps.filter(({ group }) => group === 'pick-out');
    expect(apart.length).toBeGreaterThan(0);
    expect(apart.map(({ grids }) => grids)).toEqual(
      seen.figures.heatMaps.map(({ grids }) => grids).filter((of) => of.includes('winning')),
    );
  });
});

/** The grids that a heat map is of, by its words: `in EXTRA stages of all tickets`, and such. */
function gridsOf(
  tickets: readonly Ticket[],
  words: string,
  { game }: BlockCopy,
): readonly (readonly string[])[] {
  const own = tickets.filter(({ prize_cents }) => {
    if (words.includes('all tickets')) return true;
    return words.includes('winning') ? prize_cents > 0 : prize_cents === 0;
  });
  const choice = /choice (?<letter>[A-Z])/.exec(words)?.groups?.['letter'];
  const index = game.symbols.findIndex(({ code }) => code === choice);
  return own.flatMap(({ grids }) => {
    if (choice !== undefined) return grids.slice(index, index + 1);
    return words.includes('EXTRA') ? grids.slice(1) : grids.slice(0, 1);
  });
}

test('EXTRA stages have win rates of their own, and the collect mechanic has none', async () => {
  const { figures, tickets } = await observe('eldorado-mini');
  const naive = [0, 1, 2, 3].map((stages) => {
    const own = tickets.filter(({ grids }) => grids.length === stages + 1);
    const winning = own.filter(({ prize_cents }) => prize_cents > 0).length;
    return { name: String(stages), tickets: own.length, winning };
  });
  expect(figures.winRates[1]?.groups).toMatchObject(naive);
  expect((await observe('collect-bare')).figures.winRates).toHaveLength(1);
});

test('a game without EXTRA stages has no pictures of them', async () => {
  const { figures } = await observe('rows-plain');
  expect(figures.heatMaps.map(({ grids }) => grids)).toEqual([
    'in the main grid of all tickets',
    'in the main grid of winning tickets',
  ]);
  expect(figures.nearWins.map(({ name }) => name)).toEqual([
    'near wins in the main grid of losing tickets',
    'near wins in the main grid of winning tickets',
  ]);
  expect(figures.winRates).toHaveLength(1);
});

/** For any row of a small game, all rows that win what it wins. */
function rowsByLine(letters: readonly string[], columns: number): (row: string) => string[] {
  let rows = [''];
  for (let column = 0; column < columns; column += 1) {
    rows = rows.flatMap((row) => letters.map((letter) => row + letter));
  }
  return (row) => rows.filter((other) => lineOf(other) === lineOf(row));
}

/** What a row of the sample game with plain rows wins: three or four of a kind. */
function lineOf(row: string): string {
  for (const letter of new Set(row)) {
    const count = row.split(letter).length - 1;
    if (count >= 3) return `${count}${letter}`;
  }
  return '';
}

describe('the distance of a cell from its expectation', () => {
  test('is, with rows, the one that follows from all rows that there are', async () => {
    const { block, figures, tickets } = await observe('rows-plain');
    const { columns } = block.game.grid;
    const rowsLike = rowsByLine(['A', 'B', 'C'], columns);
    const [map] = figures.heatMaps;
    for (const { code, cells } of map?.symbols ?? []) {
      cells.forEach((cell, index) => {
        const own = tickets.map(({ grids }) => grids[0]?.[Math.floor(index / columns)] ?? '');
        const chances = own.map((row) => {
          const alike = rowsLike(row);
          return alike.filter((other) => other[index % columns] === code).length / alike.length;
        });
        const expected = chances.reduce((sum, chance) => sum + chance, 0);
        const variance = chances.reduce((sum, chance) => sum + chance * (1 - chance), 0);
        const found = own.filter((row) => row[index % columns] === code).length;
        expect(distance(cell)).toBeCloseTo((found - expected) / Math.sqrt(variance), 6);
      });
    }
    expect(map?.symbols.map(({ code }) => code)).toEqual(['A', 'B', 'C']);
  });

  test('is, with choices, the one of so many chosen symbols in any of the cells', async () => {
    const { block, figures, tickets } = await observe('collect-bare');
    const cellCount = block.game.grid.rows * block.game.grid.columns;
    for (const { grids: words, symbols } of figures.heatMaps) {
      const code = /choice (?<letter>[A-Z])/.exec(words)?.groups?.['letter'] ?? '';
      const cells = symbols.find((symbol) => symbol.code === code)?.cells ?? [];
      const chances = gridsOf(tickets, words, block).map(
        (grid) => (grid.join('').split(code).length - 1) / cellCount,
      );
      const expected = chances.reduce((sum, chance) => sum + chance, 0);
      const variance = chances.reduce((sum, chance) => sum + chance * (1 - chance), 0);
      expect(cells).toHaveLength(cellCount);
      for (const cell of cells) {
        expect(distance(cell)).toBeCloseTo((cell.found - expected) / Math.sqrt(variance), 6);
      }
    }
  });
});
