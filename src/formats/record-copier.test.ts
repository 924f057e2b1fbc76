import { describe, expect, test } from '@jest/globals';
import { textOf, ticketsBytes, validBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { RecordCopier } from './record-copier.js';
import { RecordError, RecordFeed } from './record-feed.js';
import { HEADERS, type TicketFormat } from './ticket-formats.js';

/** The tickets of one format as records of another, through pieces of some size. */
function copy(
  bytes: Uint8Array,
  {
    from,
    to,
    grid,
  }: { readonly from: TicketFormat; readonly to: TicketFormat } & {
    readonly grid: BlockCopy['game']['grid'];
  },
  pieceBytes = bytes.length,
): string {
  const copier = new RecordCopier(to, grid);
  const feed = new RecordFeed({
    format: from,
    grid,
    onTicket: (ticket) => {
      copier.add(ticket);
    },
  });
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    feed.push(bytes.subarray(start, start + pieceBytes));
    pieces.push(copier.take());
  }
  feed.end();
  pieces.push(copier.take());
  return HEADERS[to] + textOf(Buffer.concat(pieces));
}

describe.each(['eldorado-mini', 'lagon-mini', 'rows-plain', 'collect-bare'] as const)(
  'the records of %s are copied to the byte',
  (sample) => {
    test.each([
      ['csv', 'ndjson'],
      ['ndjson', 'csv'],
      ['csv', 'csv'],
      ['ndjson', 'ndjson'],
    ] as const)('from %s to %s', async (from, to) => {
      const block = await validBlock(sample);
      const { grid } = block.game;
      const expected = textOf(ticketsBytes(block, to));
      expect(copy(ticketsBytes(block, from), { from, to, grid })).toBe(expected);
      expect(copy(ticketsBytes(block, from), { from, to, grid }, 1000)).toBe(expected);
    });
  },
);

const GRID = { rows: 1, columns: 3 };

test('numbers keep all their digits', () => {
  const line =
    '{"ticket":999999999,"prize_cents":900719925474099,"combination":"","grids":[["ABC"]]}\n';
  const csv = `${HEADERS.csv}999999999,900719925474099,,ABC\n`;
  expect(copy(Buffer.from(line), { from: 'ndjson', to: 'csv', grid: GRID })).toBe(csv);
  const small = `${HEADERS.csv}1,0,1A,ABC\n10,100,,ABC\n`;
  expect(copy(Buffer.from(small), { from: 'csv', to: 'csv', grid: GRID })).toBe(small);
});

test.each(['A,C', 'A"C', 'A\nC', 'aBC', 'A C', 'AB/', 'AB\u0000', '[BC', '@BC'])(
  'symbols that are no letters are refused: %j',
  (cells) => {
    const bytes = Buffer.from(`${HEADERS.csv}7,0,,${cells}\n`);
    expect(() => copy(bytes, { from: 'csv', to: 'csv', grid: GRID })).toThrow(RecordError);
  },
);

test('more tickets than were thought of find room', () => {
  const line = '1,0,,ABC\n';
  const bytes = Buffer.from(HEADERS.csv + line.repeat(200_000));
  const record = '{"ticket":1,"prize_cents":0,"combination":"","grids":[["ABC"]]}\n';
  const copied = copy(bytes, { from: 'csv', to: 'ndjson', grid: GRID });
  expect(copied === record.repeat(200_000)).toBe(true);
});
