import fc from 'fast-check';
import { defined } from '../core/assert.js';
import { packAscii, ROW_BYTES } from '../core/row-text.js';
import type { TicketChunk } from '../core/ticket-chunk.js';
import type { Outcome } from '../definitions/outcome-law.js';
import type { Ticket } from './broken-blocks.js';

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** The tickets that a chunk stands for, as plain objects. */
export function ticketsIn(chunk: TicketChunk, grid: Grid, outcomes: readonly Outcome[]): Ticket[] {
  const letters = Buffer.from(chunk.rows.buffer, chunk.rows.byteOffset, chunk.rows.byteLength);
  let row = 0;
  const nextRow = (): string => {
    const start = row * ROW_BYTES;
    row += 1;
    return letters.toString('latin1', start, start + grid.columns);
  };
  return Array.from(chunk.outcomes, (outcome, index) => {
    const { prizeCents, combination, gridCount } = outcomeAt(outcomes, outcome);
    return {
      ticket: chunk.firstTicket + index,
      prize_cents: prizeCents,
      combination,
      grids: Array.from({ length: gridCount }, () => Array.from({ length: grid.rows }, nextRow)),
    };
  });
}

function outcomeAt(outcomes: readonly Outcome[], index: number): Outcome {
  return defined(outcomes[index], `outcome ${index}`);
}

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

const anyOutcome: fc.Arbitrary<Outcome> = fc.record({
  prizeCents: fc.oneof(fc.constant(0), fc.nat({ max: 2 ** 40 })),
  combination: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 64 }), fc.constantFrom('', ...LETTERS)), {
      maxLength: 8,
    })
    .map((lines) => lines.map((line) => line.join('')).join('+')),
  feature: fc.constant(0),
  composition: fc.constant([]),
  gridCount: fc.integer({ min: 1, max: 11 }),
});

/** A few tickets of any shape, and what it takes to encode them. */
export const anyChunk = fc
  .record({
    grid: fc.record({
      rows: fc.integer({ min: 1, max: 8 }),
      columns: fc.integer({ min: 2, max: 8 }),
    }),
    outcomes: fc.array(anyOutcome, { minLength: 1, maxLength: 4 }),
    firstTicket: fc.oneof(
      fc.constantFrom(1, 8, 98, 997, 9_998, 4_095, 99_999_990),
      fc.integer({ min: 1, max: 99_999_990 }),
    ),
    picks: fc.array(fc.nat(), { maxLength: 11 }),
    letterSeed: fc.nat(),
  })
  .map(({ grid, outcomes, firstTicket, picks, letterSeed }) => {
    const indexes = Uint16Array.from(picks, (pick) => pick % outcomes.length);
    const rowCount = Array.from(
      indexes,
      (index) => outcomeAt(outcomes, index).gridCount * grid.rows,
    );
    const rows = Float64Array.from(
      { length: rowCount.reduce((sum, count) => sum + count, 0) },
      (_, row) => {
        const cell = (column: number): string =>
          LETTERS[(letterSeed + row * 31 + column * 7 + row * column) % 26] ?? 'A';
        return packAscii(
          Array.from({ length: grid.columns }, (_, column) => cell(column)).join(''),
        );
      },
    );
    return { grid, outcomes, chunk: { firstTicket, outcomes: indexes, rows } };
  });
