import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { textOf, ticketsBytes, ticketsOf, validBlock } from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import { readRecords, type ReadFile, type RecordsFile } from './read-records.js';
import { RecordError } from './record-feed.js';
import { ticketRecord, type TicketRecord } from './ticket-record.js';

const newFolder = folderMaker();
const BLOCK = await validBlock('collect-bare');
const { grid } = BLOCK.game;
const NDJSON = textOf(ticketsBytes(BLOCK, 'ndjson'));

function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/** Reads a file of this text, and says what came of it. */
async function read(
  text: string,
  changes: Partial<RecordsFile> = {},
): Promise<ReadFile & { readonly records: readonly TicketRecord[] }> {
  const path = join(newFolder(), 'tickets');
  const bytes = Buffer.from(text, 'latin1');
  writeFileSync(path, changes.compression === 'gzip' ? gzipSync(bytes) : bytes);
  const records: TicketRecord[] = [];
  const file = await readRecords({
    path,
    format: 'ndjson',
    grid,
    bytes: bytes.length,
    onTicket: (ticket) => void records.push(ticketRecord(ticket, grid)),
    ...changes,
  });
  return { ...file, records };
}

describe('the records of a file', () => {
  test.each([
    ['NDJSON', 'ndjson', undefined],
    ['CSV', 'csv', undefined],
    ['compressed NDJSON', 'ndjson', 'gzip'],
    ['compressed CSV', 'csv', 'gzip'],
  ] as const)(
    'are all taken out of %s, each on its own, and hashed',
    async (_, format, compression) => {
      const text = textOf(ticketsBytes(BLOCK, format));
      const { sha256: hash, failure, records } = await read(text, { format, compression });
      expect([hash, failure]).toEqual([sha256(text), undefined]);
      expect(records).toEqual(ticketsOf(BLOCK));
    },
  );

  test('have the order of fields that NDJSON has', async () => {
    const { records } = await read(NDJSON);
    expect(records.map((record) => `${JSON.stringify(record)}\n`).join('') === NDJSON).toBe(true);
  });

  test('stop at the first that is not right to the byte, and the file is hashed to its end', async () => {
    const text = NDJSON.replace('"ticket":5,', '"ticket":05,');
    const { sha256: hash, failure, records } = await read(text);
    expect(hash).toBe(sha256(text));
    expect(failure).toBeInstanceOf(RecordError);
    expect(failure).toMatchObject({ recordNumber: 5 });
    expect(records).toEqual(ticketsOf(BLOCK).slice(0, 4));
  });

  test('stop at what the taker throws, who is not asked again', async () => {
    const problem = new Error('no more');
    let asked = 0;
    const { sha256: hash, failure } = await read(NDJSON, {
      onTicket() {
        asked += 1;
        if (asked === 3) throw problem;
      },
    });
    expect([hash, asked]).toEqual([sha256(NDJSON), 3]);
    expect(failure).toBe(problem);
  });

  test.each([
    ['one byte fewer than there are', NDJSON.length - 1, undefined],
    ['as many as there are', NDJSON.length, sha256(NDJSON)],
    ['one byte more than there are', NDJSON.length + 1, sha256(NDJSON)],
  ])('have a hash where the file is said to have %s', async (_, bytes, hash) => {
    expect((await read(NDJSON, { bytes })).sha256).toBe(hash);
    expect((await read(NDJSON, { bytes, compression: 'gzip' })).sha256).toBe(hash);
  });

  test('are counted in bytes while they are read, until somebody stops it', async () => {
    let count = 0;
    await read(NDJSON, { onBytes: (bytes) => void (count += bytes) });
    expect(count).toBe(NDJSON.length);
    await expect(read(NDJSON, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
