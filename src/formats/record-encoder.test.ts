import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parseString, writeToString } from 'fast-csv';
import { ChunkDrawer } from '../block/chunk-drawer.js';
import { planBlock, type PlannedBlock } from '../block/plan-block.js';
import { packAscii } from '../core/row-text.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { anyChunk, ticketsIn } from '../testing/any-chunk.js';
import type { Ticket } from '../testing/broken-blocks.js';
import { definitionPath } from '../testing/sample-requests.js';
import { csvEncoder } from './csv-encoder.js';
import { ndjsonEncoder } from './ndjson-encoder.js';
import type { RecordEncoder } from './record-encoder.js';

function toNdjson(tickets: readonly Ticket[]): string {
  return tickets.map((ticket) => `${JSON.stringify(ticket)}\n`).join('');
}

/** The values of the CSV's columns. */
function csvRecords(tickets: readonly Ticket[]) {
  return tickets.map((ticket) => ({
    ...ticket,
    grids: ticket.grids.map((rows) => rows.join('/')).join('|'),
  }));
}

/** Serves every encoder, so that what one wrote lies in the way of the next. */
let memory = new Uint8Array();

function bufferFor({ bufferBytes }: RecordEncoder): Uint8Array {
  if (memory.length < bufferBytes) memory = new Uint8Array(bufferBytes);
  return memory.subarray(0, bufferBytes);
}

async function toCsv(tickets: readonly Ticket[]): Promise<string> {
  return writeToString(csvRecords(tickets), {
    // It would put every field with a bar into quotes, which RFC 4180 does not ask for.
    quote: false,
    headers: ['ticket', 'prize_cents', 'combination', 'grids'],
    alwaysWriteHeaders: true,
    includeEndRowDelimiter: true,
    rowDelimiter: '\n',
  });
}

async function parsedCsv(text: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const records: unknown[] = [];
    parseString(text, { headers: false, skipLines: 1, strictColumnHandling: true })
      .on('error', reject)
      .on('data', (record: unknown) => records.push(record))
      .on('end', () => resolve(records));
  });
}

function encoded(encoder: RecordEncoder, chunks: Iterable<TicketChunk>): string {
  const buffer = bufferFor(encoder);
  const pieces = [Buffer.from(encoder.header).toString('latin1')];
  for (const chunk of chunks) {
    const length = encoder.encode(chunk, buffer);
    pieces.push(Buffer.from(buffer.subarray(0, length)).toString('latin1'));
  }
  return pieces.join('');
}

async function planSample(name: 'eldorado-mini' | 'lagon-mini'): Promise<PlannedBlock> {
  const game = loadDefinitionFile(definitionPath(name));
  const seed = Buffer.from('encoders');
  return planBlock({ game, stakeCents: 100, seed, engine: 'chacha20', emission: 1, block: 1 });
}

/** All chunks of a block; each holds until the next one is drawn. */
function* chunksOf(planned: PlannedBlock): Generator<TicketChunk> {
  const drawer = new ChunkDrawer(planned);
  for (let index = 0; index < drawer.chunkCount; index += 1) yield drawer.draw(index);
}

function ticketsOfBlock(planned: PlannedBlock): Ticket[] {
  const { game, plan } = planned;
  return Array.from(chunksOf(planned), (chunk) =>
    ticketsIn(chunk, game.grid, plan.outcomes),
  ).flat();
}

const TICKET_SCHEMA = JSON.parse(
  readFileSync(new URL('../../schemas/ticket.schema.json', import.meta.url), 'utf8'),
) as object;

describe.each(['eldorado-mini', 'lagon-mini'] as const)('a whole block of %s', (name) => {
  test('is written as JSON.stringify and fast-csv write its tickets, byte for byte', async () => {
    const planned = await planSample(name);
    const { game, plan, quotas } = planned;
    const tickets = ticketsOfBlock(planned);
    expect(tickets).toHaveLength(game.blockSize);
    expect(tickets.length).toBeGreaterThan(CHUNK_TICKETS + 1);
    const kinds = new Set(tickets.map((ticket) => `${ticket.combination} ${ticket.grids.length}`));
    for (const [index, { combination, gridCount }] of plan.outcomes.entries()) {
      if (quotas[index]! > 0) expect(kinds).toContain(`${combination} ${gridCount}`);
    }
    const ndjson = encoded(ndjsonEncoder(game.grid, plan.outcomes), chunksOf(planned));
    expect(ndjson === toNdjson(tickets)).toBe(true);
    const csv = encoded(csvEncoder(game.grid, plan.outcomes), chunksOf(planned));
    expect(csv === (await toCsv(tickets))).toBe(true);
    expect(csv).not.toContain('"');
    const values = csvRecords(tickets).map((record) => Object.values(record).map(String));
    expect(JSON.stringify(await parsedCsv(csv)) === JSON.stringify(values)).toBe(true);
  });

  test('has lines that all fit the schema of a ticket', async () => {
    const planned = await planSample(name);
    const { game, plan } = planned;
    const fits = new Ajv2020({ strict: true }).compile(TICKET_SCHEMA);
    const lines = encoded(ndjsonEncoder(game.grid, plan.outcomes), chunksOf(planned)).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(game.blockSize);
    expect(lines.filter((line) => !fits(JSON.parse(line)))).toEqual([]);
  });
});

describe('a chunk of any shape', () => {
  test('is written as JSON.stringify and fast-csv write its tickets', async () => {
    await fc.assert(
      fc.asyncProperty(anyChunk, async ({ grid, outcomes, chunk }) => {
        const tickets = ticketsIn(chunk, grid, outcomes);
        expect(encoded(ndjsonEncoder(grid, outcomes), [chunk])).toBe(toNdjson(tickets));
        expect(encoded(csvEncoder(grid, outcomes), [chunk])).toBe(await toCsv(tickets));
      }),
    );
  });

  test.each([1, 8, 95, 996, 4_092, 9_995, 99_999_992])(
    'counts on from ticket %d through all its digits',
    (firstTicket) => {
      const outcome = { prizeCents: 0, combination: '', feature: 0, composition: [], gridCount: 1 };
      const outcomes = new Uint16Array(9);
      const rows = new Float64Array(9).fill(packAscii('AB'));
      const encoder = csvEncoder({ rows: 1, columns: 2 }, [outcome]);
      const lines = encoded(encoder, [{ firstTicket, outcomes, rows }]).trimEnd().split('\n');
      expect(lines.slice(1)).toEqual(
        Array.from({ length: 9 }, (_, index) => `${firstTicket + index},0,,AB`),
      );
    },
  );
});

describe('the buffer of an encoder', () => {
  test.each([
    ['ndjson', ndjsonEncoder],
    ['csv', csvEncoder],
  ])(
    'holds a full chunk of the longest %s records, and nothing is written behind it',
    (format, make) => {
      const shortest = {
        prizeCents: 0,
        combination: '',
        feature: 0,
        composition: [],
        gridCount: 1,
      };
      const longest = { ...shortest, prizeCents: 1_234_567, combination: '4A+4B', gridCount: 3 };
      const grid = { rows: 3, columns: 8 };
      const encoder = make(grid, [shortest, longest]);
      const walled = new Uint8Array(encoder.bufferBytes + 64).fill(0xaa);
      const length = encoder.encode(
        {
          firstTicket: 99_990_000,
          outcomes: new Uint16Array(CHUNK_TICKETS).fill(1),
          rows: new Float64Array(CHUNK_TICKETS * 9).fill(packAscii('ABCDEFGH')),
        },
        walled.subarray(0, encoder.bufferBytes),
      );
      expect(length).toBeLessThanOrEqual(encoder.bufferBytes);
      expect(walled.subarray(encoder.bufferBytes)).toEqual(new Uint8Array(64).fill(0xaa));
      expect(Buffer.from(walled.subarray(length - 2, length)).toString('latin1')).toBe(
        format === 'csv' ? 'H\n' : '}\n',
      );
    },
  );
});

describe('the schema of a ticket', () => {
  const fits = new Ajv2020({ strict: true }).compile(TICKET_SCHEMA);
  const right = {
    ticket: 1,
    prize_cents: 1500,
    combination: '4V',
    grids: [['PSVVV', 'VSXPB', 'BDDVS']],
  };

  test.each([
    ['a winning ticket', right],
    ['a losing ticket', { ...right, prize_cents: 0, combination: '' }],
    ['several combinations', { ...right, combination: '5P+4B+4B' }],
    ['a count without a symbol', { ...right, combination: '10' }],
    ['eleven grids of one row', { ...right, grids: new Array(11).fill(['AB']) }],
  ])('accepts %s', (_, ticket) => {
    expect(fits(ticket)).toBe(true);
  });

  test.each([
    ['a list', [right]],
    ['a field more', { ...right, price: 1 }],
    ['no number', { ...right, ticket: undefined }],
    ['number 0', { ...right, ticket: 0 }],
    ['a number as text', { ...right, ticket: '1' }],
    ['half a ticket', { ...right, ticket: 1.5 }],
    ['more tickets than a block may have', { ...right, ticket: 100_000_001 }],
    ['no prize', { ...right, prize_cents: undefined }],
    ['a negative prize', { ...right, prize_cents: -1 }],
    ['half a cent', { ...right, prize_cents: 0.5 }],
    ['a prize without a combination', { ...right, combination: '' }],
    ['a combination without a prize', { ...right, prize_cents: 0 }],
    ['no combination field', { ...right, combination: undefined }],
    ['a combination of two letters', { ...right, combination: '4VB' }],
    ['a combination that begins with 0', { ...right, combination: '04V' }],
    ['a combination that ends with +', { ...right, combination: '4V+' }],
    ['a combination with a space', { ...right, combination: '4V + 4B' }],
    ['no grids field', { ...right, grids: undefined }],
    ['no grid', { ...right, grids: [] }],
    ['twelve grids', { ...right, grids: new Array(12).fill(['AB']) }],
    ['a grid without rows', { ...right, grids: [[]] }],
    ['a grid of nine rows', { ...right, grids: [new Array(9).fill('AB')] }],
    ['a row of one letter', { ...right, grids: [['A']] }],
    ['a row of nine letters', { ...right, grids: [['ABCDEFGHI']] }],
    ['a small letter', { ...right, grids: [['Ab']] }],
    ['a row that is a list', { ...right, grids: [[['A', 'B']]] }],
  ])('refuses %s', (_, ticket) => {
    expect(fits(JSON.parse(JSON.stringify(ticket)))).toBe(false);
  });
});
