import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyChunk, ticketsIn } from '../testing/any-chunk.js';
import { encodeTickets, type Ticket } from '../testing/broken-blocks.js';
import { csvEncoder } from './csv-encoder.js';
import { ndjsonEncoder } from './ndjson-encoder.js';
import { byteWindow, READ_AHEAD_BYTES, RecordDecoder, type ByteWindow } from './record-decoder.js';
import { HEADERS, RECORD_PATTERNS, TICKET_FORMATS, type TicketFormat } from './ticket-formats.js';

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** A record as its places in the window say it. */
interface Reading {
  readonly ticket: Ticket;
  /** Where the next record starts. */
  readonly next: number;
}

/** Text as bytes, with the bytes behind it that a window must have. */
function readable(text: string): Uint8Array {
  return Buffer.from(text + '\0'.repeat(READ_AHEAD_BYTES), 'latin1');
}

/** A function that decodes the record at a place of a window; `undefined` where it is refused. */
function makeReader(format: TicketFormat, grid: Grid) {
  const decoder = new RecordDecoder(RECORD_PATTERNS[format], grid);
  const record = decoder.newRecord();
  return (window: ByteWindow, start = 0): Reading | undefined => {
    const next = decoder.decode(window, start, record);
    if (next < 0) return undefined;
    const text = (from: number, to: number): string =>
      Buffer.from(window.bytes.buffer, window.bytes.byteOffset).toString('latin1', from, to);
    const rows = Array.from(
      record.rowStarts.subarray(0, record.gridCount * grid.rows),
      (rowStart) => text(rowStart, rowStart + grid.columns),
    );
    const grids = Array.from({ length: record.gridCount }, (_, index) =>
      rows.slice(index * grid.rows, (index + 1) * grid.rows),
    );
    const ticket = {
      ticket: record.ticket,
      prize_cents: record.prizeCents,
      combination: text(record.combinationStart, record.combinationEnd),
      grids,
    };
    return { ticket, next };
  };
}

/** One ticket as a line. */
function lineOf(ticket: Ticket, format: TicketFormat): string {
  return encodeTickets([ticket], format).slice(HEADERS[format].length);
}

/** A line out of what was decoded; letters that JSON would escape stand as they are. */
function lineOfReading({ ticket, prize_cents, combination, grids }: Ticket, format: TicketFormat) {
  if (format === 'csv') return lineOf({ ticket, prize_cents, combination, grids }, 'csv');
  const texts = grids.map((rows) => `["${rows.join('","')}"]`).join();
  return `{"ticket":${ticket},"prize_cents":${prize_cents},"combination":"${combination}","grids":[${texts}]}\n`;
}

const GRID = { rows: 3, columns: 5 };

const SAMPLE: Ticket = {
  ticket: 1203,
  prize_cents: 1500,
  combination: '4V+4B',
  grids: [
    ['PSVVV', 'VSXPB', 'BDDVS'],
    ['SBBPD', 'PPSVB', 'DVSBS'],
  ],
};

describe('the decoder', () => {
  test('reads back whatever the encoders write', () => {
    let memory = new Uint8Array();
    fc.assert(
      fc.property(anyChunk, ({ grid, outcomes, chunk }) => {
        for (const format of TICKET_FORMATS) {
          const encoder = (format === 'csv' ? csvEncoder : ndjsonEncoder)(grid, outcomes);
          if (memory.length < encoder.bufferBytes) memory = new Uint8Array(encoder.bufferBytes);
          const length = encoder.encode(chunk, memory);
          const window = byteWindow(memory.subarray(0, length + READ_AHEAD_BYTES));
          const read = makeReader(format, grid);
          const tickets: Ticket[] = [];
          let at = 0;
          while (at < length) {
            const reading = read(window, at);
            if (reading === undefined) break;
            tickets.push(reading.ticket);
            at = reading.next;
          }
          expect(at).toBe(length);
          expect(tickets).toEqual(ticketsIn(chunk, grid, outcomes));
        }
      }),
    );
  });

  test.each(TICKET_FORMATS)(
    'expects the header and the separators that are written to %s',
    (format) => {
      const outcome = {
        prizeCents: 5,
        combination: '4A',
        feature: 0,
        composition: [],
        gridCount: 1,
      };
      const encoder = (format === 'csv' ? csvEncoder : ndjsonEncoder)(GRID, [outcome]);
      expect(Buffer.from(encoder.header).toString('latin1')).toBe(HEADERS[format]);
    },
  );
});

describe.each(TICKET_FORMATS)('a %s record', (format) => {
  const read = makeReader(format, GRID);
  const line = lineOf(SAMPLE, format);

  /** Reads an altered line: what is not refused must say exactly what its bytes say. */
  function isSeen(window: ByteWindow): boolean {
    const reading = read(window);
    if (reading === undefined) return false;
    const said = lineOfReading(reading.ticket, format);
    const altered = Buffer.from(window.bytes.subarray(0, reading.next)).toString('latin1');
    // An assertion for each of some 70,000 lines would take long.
    if (said !== altered) expect(said).toBe(altered);
    return true;
  }

  test('is read as what it says', () => {
    expect(read(byteWindow(readable(line)))).toEqual({
      ticket: SAMPLE,
      next: line.length,
    });
  });

  test('with any byte replaced by any other is refused, or the change is seen', () => {
    const seenPlaces = new Set<number>();
    const bytes = readable(line);
    const window = byteWindow(bytes);
    for (let at = 0; at < line.length; at += 1) {
      const right = bytes[at]!;
      for (let change = 1; change < 256; change += 1) {
        bytes[at] = right ^ change;
        if (isSeen(window)) seenPlaces.add(at);
      }
      bytes[at] = right;
    }
    // What may differ without being refused: numbers, the combination, letters, and in the CSV the
    // bar that may become the line's end.
    const values =
      format === 'ndjson' ? /1203|1500|4V\+4B|[A-Z]{5}/g : /1203|1500|4V\+4B|[A-Z]{5}|\|/g;
    const expected = [...line.matchAll(values)].flatMap((match) =>
      Array.from(match[0], (_, offset) => match.index + offset),
    );
    expect([...seenPlaces].toSorted((a, b) => a - b)).toEqual(expected);
  });

  test('with any byte dropped or put in is refused, or the change is seen', () => {
    let seen = 0;
    for (let at = 0; at <= line.length; at += 1) {
      const [before, after] = [line.slice(0, at), line.slice(at)];
      if (isSeen(byteWindow(readable(before + after.slice(1))))) seen += 1;
      for (const byte of '\0\t\n\r "+,-./0159:A[]{|}\u00ff') {
        if (isSeen(byteWindow(readable(before + byte + after)))) seen += 1;
      }
    }
    // Only digits and signs of the numbers and of the combination can come and go.
    expect(seen).toBeGreaterThan(10);
    expect(seen).toBeLessThan(200);
  });

  test('of any shape with many bytes altered is refused, or the changes are seen', () => {
    const anyByte = fc.oneof(
      fc.nat({ max: 255 }),
      fc.constantFrom(...Array.from('\n",0[]{}|/+A', (text) => text.charCodeAt(0))),
    );
    const changes = fc.array(fc.tuple(fc.nat(), anyByte), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyChunk, changes, ({ grid, outcomes, chunk }, edits) => {
        for (const ticket of ticketsIn(chunk, grid, outcomes)) {
          const bytes = readable(lineOf(ticket, format));
          for (const [place, byte] of edits) bytes[place % bytes.length] = byte;
          const reading = makeReader(format, grid)(byteWindow(bytes));
          if (reading === undefined) continue;
          const line = Buffer.from(bytes.subarray(0, reading.next)).toString('latin1');
          expect(lineOfReading(reading.ticket, format)).toBe(line);
        }
      }),
    );
  });

  test('that the window cuts off anywhere is refused, whatever stands behind the window', () => {
    const memory = readable(line + line);
    for (let length = 0; length < line.length + READ_AHEAD_BYTES; length += 1) {
      expect(read(byteWindow(memory.subarray(0, length)))).toBeUndefined();
    }
    const whole = memory.subarray(0, line.length + READ_AHEAD_BYTES);
    expect(read(byteWindow(whole))?.next).toBe(line.length);
  });

  test('is read at any place of a window that lies anywhere in its memory', () => {
    for (let before = 0; before < 9; before += 1) {
      const bytes = readable('x'.repeat(before) + line).subarray(before > 4 ? 4 : 0);
      const start = before > 4 ? before - 4 : before;
      expect(read(byteWindow(bytes), start)).toEqual({
        ticket: SAMPLE,
        next: start + line.length,
      });
    }
  });

  test('is not found at the end of the window or behind it', () => {
    const window = byteWindow(readable(line));
    for (const start of [line.length, line.length + 7, line.length + 8, line.length + 1000]) {
      expect(read(window, start)).toBeUndefined();
    }
  });

  test.each([
    ['0', 0],
    ['7', 7],
    ['999999999999999', 999_999_999_999_999],
  ])('may have the number %s', (text, value) => {
    const altered = line.replace('1203', text).replace('1500', text);
    const reading = read(byteWindow(readable(altered)));
    expect(reading?.ticket).toEqual({ ...SAMPLE, ticket: value, prize_cents: value });
  });

  test.each([
    '',
    '00',
    '01203',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '1000000000000000',
    'A',
    '"1"',
  ])('with the number %j is refused', (text) => {
    for (const number of ['1203', '1500']) {
      const altered = line.replace(number, text);
      expect(read(byteWindow(readable(altered)))).toBeUndefined();
    }
  });

  test('may have as many as 64 grids and no more', () => {
    const grid = ['PSVVV', 'VSXPB', 'BDDVS'];
    const most = { ...SAMPLE, grids: new Array<string[]>(64).fill(grid) };
    const text = lineOf(most, format);
    expect(read(byteWindow(readable(text)))?.ticket).toEqual(most);
    const more = lineOf({ ...SAMPLE, grids: new Array<string[]>(65).fill(grid) }, format);
    expect(read(byteWindow(readable(more)))).toBeUndefined();
  });

  test.each([
    ['no grid', []],
    ['an empty grid', [[]]],
    ['a row too few', [['PSVVV', 'VSXPB']]],
    ['a row too many', [['PSVVV', 'VSXPB', 'BDDVS', 'BDDVS']]],
    ['a letter too few', [['PSVVV', 'VSXP', 'BDDVS']]],
    ['a letter too many', [['PSVVV', 'VSXPBB', 'BDDVS']]],
    ['a second grid that is shorter', [SAMPLE.grids[0]!, ['PSVVV', 'VSXPB']]],
  ])('with %s is refused', (_, grids) => {
    const altered = lineOf({ ...SAMPLE, grids }, format);
    expect(read(byteWindow(readable(altered)))).toBeUndefined();
  });
});
