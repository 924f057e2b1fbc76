import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TICKET_FORMATS, type TicketFormat } from '../formats/ticket-formats.js';
import {
  encodeTickets,
  textOf,
  ticketsBytes,
  ticketsOf,
  validBlock,
  type BlockCopy,
  type Ticket,
} from '../testing/broken-blocks.js';
import { FindingLog } from './finding.js';
import { TicketsVerifier, type TicketsCount } from './tickets-verifier.js';

let rowsPlain: BlockCopy;
let collectBare: BlockCopy;

beforeAll(async () => {
  rowsPlain = await validBlock('rows-plain');
  collectBare = await validBlock('collect-bare');
});

interface Result {
  readonly count: TicketsCount;
  readonly findings: FindingLog['examples'];
  readonly counts: ReadonlyMap<string, number>;
}

/** Verifies bytes that come in pieces. No piece can be looked at once it has been taken. */
async function verifyPieces(
  { game, stake }: BlockCopy,
  format: TicketFormat,
  pieces: Iterable<Uint8Array>,
): Promise<Result> {
  const log = new FindingLog();
  const verifier = new TicketsVerifier({ game, stake, format, file: 'tickets', log });
  for (const piece of pieces) {
    const bytes = Uint8Array.from(piece);
    await verifier.push(bytes);
    bytes.fill(0xee);
  }
  return { count: await verifier.end(), findings: log.examples, counts: log.counts };
}

/** Cuts bytes at the given places, of which some may be equal. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
  let start = 0;
  return ends
    .toSorted((a, b) => a - b)
    .map((end) => {
      const piece = bytes.subarray(start, end);
      start = end;
      return piece;
    });
}

function oneByOne(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** A small file, right but for the tickets that it does not have. */
function fileOf(block: BlockCopy, format: TicketFormat, count = 12): Uint8Array {
  return Buffer.from(encodeTickets(ticketsOf(block).slice(0, count), format), 'latin1');
}

/** A file with a fault of every kind that bytes can have. */
function brokenFile(block: BlockCopy, format: TicketFormat): Uint8Array {
  const lines = textOf(fileOf(block, format, 20))
    .trimEnd()
    .split('\n');
  lines[2] = `\u00ef\u00bb\u00bf${lines[2]!}`;
  lines[4] = `${lines[4]!}\r`;
  lines[5] = '';
  lines[7] = `${lines[7]!}\u00ff`;
  lines[8] = 'x'.repeat(70_000);
  lines[9] = lines[9]!.replace(/[A-Z]{2}/, 'ZZ');
  lines[11] = lines[10]!;
  lines[13] = lines[13]!.slice(1);
  lines[15] = `${lines[15]!}\0`;
  return Buffer.from(`${lines.join('\n')}\n\n{"ticket":`, 'latin1');
}

const CASES = [
  ['rows-plain', () => rowsPlain],
  ['collect-bare', () => collectBare],
] as const;

describe.each(CASES)('the verifier of tickets of %s', (_, block) => {
  test.each(TICKET_FORMATS)(
    'finds nothing in a valid %s file, in one piece or many',
    async (format) => {
      const bytes = ticketsBytes(block(), format);
      const whole = await verifyPieces(block(), format, [bytes]);
      expect(whole.findings).toEqual([]);
      expect(whole.count).toMatchObject({ bytes: bytes.length, records: block().game.blockSize });
      const pieces = cut(
        bytes,
        Array.from({ length: 500 }, (__, index) => index * 7919),
      );
      expect(await verifyPieces(block(), format, pieces)).toEqual(whole);
    },
  );

  test('takes the same rows out of both formats', async () => {
    const [ndjson, csv] = await Promise.all(
      TICKET_FORMATS.map((format) =>
        verifyPieces(block(), format, [ticketsBytes(block(), format)]),
      ),
    );
    expect(ndjson!.count.rowsSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(csv!.count.rowsSha256).toBe(ndjson!.count.rowsSha256);
    expect(csv!.count.tallies).toEqual(ndjson!.count.tallies);
  });

  test.each(TICKET_FORMATS)(
    'says the same of a %s file whose bytes come one by one',
    async (format) => {
      for (const bytes of [fileOf(block(), format), brokenFile(block(), format)]) {
        const whole = await verifyPieces(block(), format, [bytes]);
        expect(await verifyPieces(block(), format, oneByOne(bytes))).toEqual(whole);
      }
    },
  );

  test.each(TICKET_FORMATS)(
    'says the same of a broken %s file wherever it is cut',
    async (format) => {
      const bytes = brokenFile(block(), format);
      const whole = await verifyPieces(block(), format, [bytes]);
      expect(whole.counts.size).toBeGreaterThan(8);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (places) => {
          const pieces = cut(bytes, places);
          expect(await verifyPieces(block(), format, pieces)).toEqual(whole);
        }),
        { numRuns: 40 },
      );
    },
  );

  test.each(TICKET_FORMATS)(
    'says the same of a %s file with any bytes altered, put in or left out, wherever it is cut',
    async (format) => {
      const text = textOf(fileOf(block(), format, 5));
      const anyText = fc.oneof(
        fc.constantFrom(
          '',
          '\n',
          '\r',
          '\0',
          '"',
          ',',
          '/',
          '|',
          '[',
          '0',
          ':',
          'A',
          '{}',
          '\u00ef\u00bb\u00bf',
        ),
        fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)),
      );
      const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), anyText), {
        minLength: 1,
        maxLength: 3,
      });
      await fc.assert(
        fc.asyncProperty(edits, fc.array(fc.nat(), { maxLength: 4 }), async (changes, places) => {
          let altered = text;
          for (const [at, dropped, added] of changes) {
            const start = at % altered.length;
            altered = altered.slice(0, start) + added + altered.slice(start + dropped);
          }
          const bytes = Buffer.from(altered, 'latin1');
          const whole = await verifyPieces(block(), format, [bytes]);
          expect(whole.count.bytes).toBe(bytes.length);
          expect(await verifyPieces(block(), format, cut(bytes, places))).toEqual(whole);
        }),
        { numRuns: 150 },
      );
    },
  );
});

/** The findings of one CSV file of the collect mechanic. */
async function findingsOfCsv(text: string): Promise<Result> {
  return verifyPieces(collectBare, 'csv', [Buffer.from(text, 'latin1')]);
}

describe('the verifier of tickets', () => {
  test('goes on to the end, counts every fault and keeps the first five of a kind', async () => {
    const lines = textOf(ticketsBytes(collectBare, 'csv')).split('\n');
    const broken = [3, 50, 51, 300, 301, 302, 599, 600];
    for (const line of broken) lines[line] = lines[line]!.replace(/[BC]/, 'Z');
    lines[400] = '';
    const { findings, counts, count } = await findingsOfCsv(lines.join('\n'));
    expect(Object.fromEntries(counts)).toEqual({
      symbol: 8,
      'blank-line': 1,
      'ticket-missing': 1,
    });
    const symbols = findings.filter(({ code }) => code === 'symbol');
    expect(symbols.map(({ place }) => place.ticket)).toEqual([3, 50, 51, 300, 301]);
    expect(count.records).toBe(599);
    expect(count.rowsSha256).toBeUndefined();
  });

  test('does not count a blank line as a record', async () => {
    const text = textOf(ticketsBytes(collectBare, 'csv')).replace('\n', '\n\n\r\n');
    const { counts, count } = await findingsOfCsv(text);
    expect(Object.fromEntries(counts)).toEqual({ 'blank-line': 2, 'line-ending': 1 });
    expect(count.records).toBe(600);
  });

  test('has nothing against the number of a ticket behind one that could not be read', async () => {
    const lines = textOf(ticketsBytes(collectBare, 'csv')).split('\n');
    lines[10] = 'x';
    lines[11] = 'y';
    const { findings } = await findingsOfCsv(lines.join('\n'));
    expect(findings.map(({ code, place }) => [code, place.line ?? place.ticket])).toEqual([
      ['record-syntax', 11],
      ['record-syntax', 12],
      ['ticket-missing', 10],
    ]);
    expect(findings.at(-1)).toMatchObject({ expected: 'tickets 10 to 11 (2)' });
  });

  test('has nothing against the number of a ticket behind lines that are too many', async () => {
    const text = textOf(ticketsBytes(collectBare, 'csv')).replace('\n7,', '\nx\ny\n7,');
    const { counts, count } = await findingsOfCsv(text);
    expect(Object.fromEntries(counts)).toEqual({ 'record-syntax': 2 });
    expect(count.records).toBe(602);
  });

  test('takes an empty file for one without header and tickets', async () => {
    const { findings, count } = await findingsOfCsv('');
    expect(findings).toEqual([
      {
        code: 'csv-header',
        place: { file: 'tickets', line: 1, byteOffset: 0 },
        expected: 'ticket,prize_cents,combination,grids',
        found: 'none',
      },
      {
        code: 'ticket-missing',
        place: { file: 'tickets', ticket: 1 },
        expected: 'tickets 1 to 600 (600)',
        found: 'none',
      },
    ]);
    expect(count).toMatchObject({ bytes: 0, records: 0, tallies: [] });
  });

  test('takes a header without a line end for a header', async () => {
    const { findings, count } = await findingsOfCsv('ticket,prize_cents,combination,grids');
    expect(findings.map(({ code }) => code)).toEqual(['final-newline', 'ticket-missing']);
    expect(count).toMatchObject({ bytes: 36, records: 0 });
  });

  test('does not take the first ticket for the header where the header is too long a line', async () => {
    const text = textOf(ticketsBytes(collectBare, 'csv')).replace('grids', 'x'.repeat(70_000));
    const { findings, count } = await findingsOfCsv(text);
    expect(findings).toEqual([
      {
        code: 'line-length',
        place: { file: 'tickets', line: 1, byteOffset: 0 },
        expected: 'at most 65535 bytes before the LF',
        found: '70031 bytes',
      },
    ]);
    expect(count.records).toBe(600);
  });

  test.each([
    [65_535, ['record-syntax', 'ticket-missing']],
    [65_536, ['line-length', 'ticket-missing']],
  ])('looks into a line of %d bytes: %j', async (length, codes) => {
    const lines = textOf(ticketsBytes(collectBare, 'csv')).split('\n');
    lines[600] = 'x'.repeat(length);
    const { findings } = await findingsOfCsv(lines.join('\n'));
    expect(findings.map(({ code }) => code)).toEqual(codes);
    const unended = await findingsOfCsv(lines.slice(0, -1).join('\n'));
    expect(unended.findings.map(({ code }) => code)).toEqual(['final-newline', ...codes]);
  });

  test('says where a line that is too long begins', async () => {
    const lines = textOf(ticketsBytes(collectBare, 'csv')).split('\n');
    const before = lines.slice(0, 3).join('\n').length + 1;
    lines[3] = 'x'.repeat(200_000);
    const { findings } = await findingsOfCsv(lines.join('\n'));
    expect(findings[0]).toMatchObject({
      code: 'line-length',
      place: { line: 4, byteOffset: before },
      found: '200000 bytes',
    });
  });

  test('needs no more memory for a line of 300 MB', async () => {
    const { game, stake } = collectBare;
    const log = new FindingLog();
    const verifier = new TicketsVerifier({ game, stake, format: 'ndjson', file: 'tickets', log });
    const piece = new Uint8Array(1_000_000).fill(0x78);
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 300; index += 1) await verifier.push(piece);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    expect((await verifier.end()).bytes).toBe(300_000_000);
    expect(Object.fromEntries(log.counts)).toEqual({
      'final-newline': 1,
      'line-length': 1,
      'ticket-missing': 1,
    });
  });

  test('names grid and row of a fault in the ticket, in its line', async () => {
    const tickets = ticketsOf(collectBare).map((ticket): Ticket =>
      ticket.ticket === 200
        ? { ...ticket, grids: [ticket.grids[0]!, ticket.grids[1]!, ['AAAAAA', 'BBBBBB', 'CC?CCC']] }
        : ticket,
    );
    const { findings } = await findingsOfCsv(encodeTickets(tickets, 'csv'));
    expect(findings[0]).toEqual({
      code: 'symbol',
      place: {
        file: 'tickets',
        line: 201,
        byteOffset: encodeTickets(tickets.slice(0, 199), 'csv').length,
        ticket: 200,
        grid: 3,
        row: 3,
      },
      expected: 'only ABC',
      found: 'CC?CCC',
    });
  });
});
