import { describe, expect, test } from '@jest/globals';
import { RecordFeed } from './record-feed.js';

const GRID = { rows: 2, columns: 3 };

function ndjson(ticket: number): string {
  return `{"ticket":${ticket},"prize_cents":0,"combination":"","grids":[["ABC","DEF"]]}\n`;
}

function csv(ticket: number): string {
  return `${ticket},0,,ABC/DEF\n`;
}

/** The ticket numbers of records that come in pieces of so many bytes. */
function feed(format: 'ndjson' | 'csv', text: string, pieceBytes: number): readonly number[] {
  const tickets: number[] = [];
  const records = new RecordFeed({
    format,
    grid: GRID,
    onTicket: ({ window, record, end }) => {
      tickets.push(record.ticket);
      const start = record.rowStarts[0] ?? 0;
      expect(Buffer.from(window.bytes.subarray(start, start + 3)).toString()).toBe('ABC');
      expect(window.bytes[end - 1]).toBe('\n'.charCodeAt(0));
    },
  });
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    records.push(bytes.subarray(start, start + pieceBytes));
  }
  records.end();
  return tickets;
}

describe('a feed of records', () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const lines = numbers.map(ndjson).join('');

  test.each([1, 2, 7, 8, 9, 64, 100, 100_000])('cuts pieces of %d bytes into records', (bytes) => {
    expect(feed('ndjson', lines, bytes)).toEqual(numbers);
  });

  test.each([1, 5, 40, 100_000])(
    'passes over the header of a CSV file, in pieces of %d',
    (bytes) => {
      const text = `ticket,prize_cents,combination,grids\n${numbers.map(csv).join('')}`;
      expect(feed('csv', text, bytes)).toEqual(numbers);
    },
  );

  test('takes many records at once', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index + 1);
    expect(feed('ndjson', many.map(ndjson).join(''), 10_000_000)).toEqual(many);
  });

  test('does not end within a record', () => {
    expect(() => feed('ndjson', lines.slice(0, -5), 1000)).toThrow(/record 7 is not right/);
  });

  test('does not go on for ever in search of a record', () => {
    expect(() => feed('ndjson', 'x'.repeat(70_000), 70_000)).toThrow(
      'record 1 is not right to the byte',
    );
  });
});
