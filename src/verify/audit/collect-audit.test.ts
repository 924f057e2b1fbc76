import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { planBlock } from '../../block/plan-block.js';
import { byteWindow } from '../../formats/record-decoder.js';
import { packAscii } from '../../core/row-text.js';
import { observePlanned } from '../../testing/observe-planned.js';
import { sampleCollectGame } from '../../testing/sample-definitions.js';
import { sampleRequest } from '../../testing/sample-requests.js';
import { momentsOf } from '../../testing/ticket-orders.js';
import { CollectCounts } from './collect-counts.js';
import { collectLaw } from './collect-law.js';
import type { EventsEvidence, Measurement } from './evidence.js';
import { measureCollect } from './measure-collect.js';
import { makeSymbolAudit } from './symbol-audits.js';

function find(measured: readonly Measurement[], name: string): Measurement['evidence'] {
  return defined(
    measured.find((measurement) => measurement.name === name),
    `the test "${name}"`,
  ).evidence;
}

describe('the symbols of the collect mechanic', () => {
  test('are expected as often as they are observed, in every table', async () => {
    for (const name of ['lagon-mini', 'collect-bare'] as const) {
      const { game, stake, ...planned } = await planBlock(sampleRequest(name));
      const audit = makeSymbolAudit(game, stake);
      const { symbols } = observePlanned({ game, stake, ...planned }, audit);
      const measured = symbols.measure();
      expect(new Set(measured.map((test) => test.name)).size).toBe(measured.length);
      for (const { evidence } of measured) {
        if (evidence.kind !== 'counts') continue;
        for (const { observed, expected } of evidence.strata.values()) {
          const sum = (values: ArrayLike<number>): number =>
            Array.from(values).reduce((total, value) => total + value, 0);
          expect(sum(expected)).toBeCloseTo(sum(observed), 6);
        }
      }
      const classes = symbols.collisionClasses();
      expect(classes.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(game.blockSize);
    }
  });
});

/** Counts tickets of two rows of three cells for two choices, each given as its letters. */
function countTickets(tickets: readonly (readonly [string, string])[], chosen: number) {
  const bare = sampleCollectGame('collect-bare');
  const game = {
    ...bare,
    grid: { rows: 2, columns: 3 },
    symbols: [...bare.symbols.slice(0, 2), { code: 'N', id: 'neutral', role: 'neutral' } as const],
  };
  const law = collectLaw(game, defined(game.stakes[0], 'a stake'));
  const counts = new CollectCounts(law);
  for (const grids of tickets) {
    const rows = grids.flatMap((grid) => [grid.slice(0, 3), grid.slice(3)]);
    const words = Float64Array.from(rows, packAscii);
    const record = {
      ticket: 1,
      prizeCents: 0,
      combinationStart: 0,
      combinationEnd: 0,
      gridCount: 2,
      rowStarts: Int32Array.of(0, 8, 16, 24),
    };
    counts.take(byteWindow(new Uint8Array(words.buffer)), record, chosen);
  }
  return { counts, law };
}

/** Every order of some letters. */
function ordersOf(letters: string): readonly string[] {
  if (letters === '') return [''];
  return [...new Set(letters)].flatMap((letter) =>
    ordersOf(letters.replace(letter, '')).map((order) => letter + order),
  );
}

describe('neighbours and common cells', () => {
  const orders = ordersOf('AABNNN');

  test.each(['horizontal', 'vertical'] as const)(
    'have the exact mean and variance over all grids of the same symbols: %s',
    (direction) => {
      const evidence = orders.map((order) => {
        const { counts, law } = countTickets([[order, 'BBAAAN']], 2);
        const name = `equal ${direction} neighbours in choice A, losing tickets`;
        return find(measureCollect(counts, law, new Set()), name) as EventsEvidence;
      });
      const { mean, variance } = momentsOf(evidence.map(({ count }) => count));
      expect(evidence[0]?.mean).toBeCloseTo(mean, 10);
      expect(evidence[0]?.variance).toBeCloseTo(variance, 10);
    },
  );

  test('have the exact mean and variance of cells that two choices share', () => {
    const name = 'chosen cells common to choices A and B, losing tickets';
    const evidence = orders.map((order) => {
      const { counts, law } = countTickets([[order, 'NBNNBA']], 2);
      return find(measureCollect(counts, law, new Set()), name) as EventsEvidence;
    });
    const { mean, variance } = momentsOf(evidence.map(({ count }) => count));
    expect(evidence[0]?.mean).toBeCloseTo(mean, 10);
    expect(evidence[0]?.variance).toBeCloseTo(variance, 10);
  });

  test('are counted where they are', () => {
    const { counts } = countTickets([['AABNAB', 'BNNNNB']], 2);
    expect(counts.joinsOf(0, false)).toMatchObject({ horizontal: 1, vertical: 2 });
    expect(counts.joinsOf(1, false)).toMatchObject({ horizontal: 2, vertical: 1 });
    expect(counts.overlapOf(0, 1, 2)).toBe(1);
    expect(Array.from(counts.chosenInRow(0, 2, 0))).toEqual([0, 0, 1, 0]);
    expect(Array.from(counts.countsOf(0, 2, 1))).toEqual([0, 0, 1, 0, 0, 0, 0]);
    expect(counts.cellsOf(0, 2)[0]).toBe(1);
  });
});

test('cells of a symbol are held to draws without replacement', () => {
  // Every grid of these symbols once: each cell has each symbol equally often.
  const all = ordersOf('AABNNN').map((order) => [order, 'NBNNBA'] as const);
  const { counts, law } = countTickets(all, 2);
  const evidence = find(measureCollect(counts, law, new Set()), 'cells of A in choice A');
  if (evidence.kind !== 'counts') throw new Error('places are counts');
  const [stratum] = evidence.strata.values();
  expect(Array.from(stratum?.observed ?? [])).toEqual(new Array(6).fill(20));
  // Two of six cells: 2/6 times 4/6, over 2/6, with the correction 6/5.
  expect(stratum?.scale).toBeCloseTo((4 / 6) * (6 / 5), 12);
});
