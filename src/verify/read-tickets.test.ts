import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { streamTickets } from '../block/stream-tickets.js';
import { planBlock } from '../block/plan-block.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import { newAgeKey, withEncryption } from '../testing/age-lab.js';
import {
  encodeTickets,
  textOf,
  ticketsBytes,
  ticketsOf,
  validBlock,
  withCompression,
  withFile,
  withOnly,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import { readTickets, type ReadTicketsOptions } from './read-tickets.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();

const COLLECT = await validBlock('collect-bare');
/** Its NDJSON is read in several pieces. */
const ROWS = await validBlock('eldorado-mini');
const KEY = await newAgeKey();
const ENCRYPTED = await withEncryption(ROWS, [KEY.recipient]);
const COMPRESSED_ENCRYPTED = await withEncryption(withCompression(ROWS), [KEY.recipient]);

async function allOf(tickets: AsyncIterable<TicketRecord>): Promise<readonly TicketRecord[]> {
  const records: TicketRecord[] = [];
  for await (const record of tickets) records.push(record);
  return records;
}

/** The open files of this process that lie under a folder. */
function openFilesIn(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', name));
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // The descriptor that the list itself was read by.
      return [];
    }
  });
}

function read(block: BlockCopy, options: ReadTicketsOptions = {}): ReturnType<typeof readTickets> {
  return readTickets(writeBlock(block, newFolder()), { game: block.game, ...options });
}

describe('the tickets of a block on the disk', () => {
  test.each<[string, BlockCopy, ReadTicketsOptions]>([
    ['as NDJSON', ROWS, {}],
    ['as CSV', ROWS, { format: 'csv' }],
    ['with a grid for each choice', COLLECT, {}],
    ['with a grid for each choice, as CSV', COLLECT, { format: 'csv' }],
    ['compressed', withCompression(ROWS), {}],
    ['compressed, as CSV', withCompression(ROWS), { format: 'csv' }],
    ['of a block that lacks the format', withOnly(COLLECT, 'csv'), { format: 'ndjson' }],
    ['encrypted', ENCRYPTED, { identities: [KEY.identity] }],
    [
      'compressed and encrypted, as CSV',
      COMPRESSED_ENCRYPTED,
      { identities: [KEY.identity], format: 'csv' },
    ],
  ])('are read in its order %s', async (_, block, options) => {
    const expected = ticketsOf(block.game.id === COLLECT.game.id ? COLLECT : ROWS);
    const records = await allOf(read(block, options));
    expect(JSON.stringify(records)).toBe(JSON.stringify(expected));
  });

  test('are those that are made without any file', async () => {
    const planned = await planBlock({
      ...{ game: ROWS.game, stakeCents: 100, seed: Buffer.from('a seed') },
      ...{ engine: 'seedrandom', emission: 1, block: 1 },
    });
    expect(await allOf(read(ROWS))).toEqual(await allOf(streamTickets(planned)));
  });

  test('are read in part, and the file is held against the manifest all the same', async () => {
    const expected = ticketsOf(ROWS);
    for (const [from, to] of [
      [1, 1],
      [4096, 4097],
      [8999, 9000],
    ] as const) {
      expect(await allOf(read(ROWS, { from, to }))).toEqual(expected.slice(from - 1, to));
    }
    expect(await allOf(read(ROWS, { from: 8998 }))).toHaveLength(3);
    const folder = writeBlock(ROWS, newFolder());
    const text = textOf(ticketsBytes(ROWS, 'ndjson'));
    const last = text.lastIndexOf('"prize_cents":');
    writeFileSync(
      join(folder, 'tickets.ndjson'),
      `${text.slice(0, last)}${text.slice(last).replace('B', 'V')}`,
    );
    const { game } = ROWS;
    await expect(allOf(readTickets(folder, { game, to: 1 }))).rejects.toThrow('SHA-256 is another');
  });

  test('are refused in a format that there is not', async () => {
    for (const format of ['xml', 'NDJSON'] as readonly string[] as readonly TicketFormat[]) {
      const message = `there is no format ${format}; choose ndjson or csv`;
      await expect(allOf(read(COLLECT, { format }))).rejects.toMatchObject({
        code: 'usage',
        message,
      });
    }
  });

  test('are refused where the block does not have them', async () => {
    const text = '5' as unknown as number;
    await expect(allOf(read(COLLECT, { from: text }))).rejects.toThrow(
      'there is no ticket string 5',
    );
    for (const range of [{ from: 0 }, { to: 601 }, { from: 5, to: 3 }, { from: 1.5 }]) {
      await expect(allOf(read(COLLECT, range))).rejects.toMatchObject({ code: 'bad-number' });
    }
  });
});

describe('a loop over tickets', () => {
  test('reads no further than it has come, and no more once it is left', async () => {
    const pieces: number[] = [];
    const onBytes = (bytes: number): number => pieces.push(bytes);
    const tickets = read(ROWS, { onBytes });
    const size = ticketsBytes(ROWS, 'ndjson').length;
    const seen: number[] = [];
    for await (const { ticket } of tickets) {
      if (ticket === 1) seen.push(pieces.length);
      if (ticket === 9000) seen.push(pieces.length);
    }
    expect(seen[0]).toBe(1);
    expect(seen[1]).toBeGreaterThan(1);
    expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(size);
    pieces.length = 0;
    for await (const { ticket } of read(ROWS, { onBytes })) if (ticket === 10) break;
    expect(pieces).toHaveLength(1);
  });

  test.each([
    ['plain', ROWS, {}],
    ['compressed', withCompression(ROWS), {}],
    ['encrypted', ENCRYPTED, { identities: [KEY.identity] }],
  ])('lets go of its %s file, however it ends', async (_, block, options) => {
    const folder = writeBlock(block, newFolder());
    const open = (): ReturnType<typeof readTickets> =>
      readTickets(folder, { game: block.game, ...options });
    for await (const { ticket } of open()) {
      expect(openFilesIn(folder)).toHaveLength(1);
      if (ticket === 3) break;
    }
    expect(openFilesIn(folder)).toEqual([]);
    const failing = async (): Promise<void> => {
      for await (const { ticket } of open()) if (ticket === 2) throw new Error('the taker fails');
    };
    await expect(failing()).rejects.toThrow('the taker fails');
    expect(openFilesIn(folder)).toEqual([]);
    await allOf(open());
    expect(openFilesIn(folder)).toEqual([]);
    // One that has not begun has nothing to let go of.
    await open().return();
    expect(openFilesIn(folder)).toEqual([]);
  });

  test.each([new Error('enough'), 'a text', { code: 'EIO' }])(
    'ends with the reason %p of its signal',
    async (reason) => {
      const folder = writeBlock(ROWS, newFolder());
      const { game } = ROWS;
      const controller = new AbortController();
      const { signal } = controller;
      const tickets = readTickets(folder, { game, signal });
      let last = 0;
      const loop = async (): Promise<void> => {
        for await (const { ticket } of tickets) {
          last = ticket;
          if (ticket === 20) controller.abort(reason);
        }
      };
      await expect(loop()).rejects.toBe(reason);
      expect([last, openFilesIn(folder)]).toEqual([20, []]);
      await expect(allOf(readTickets(folder, { game, signal }))).rejects.toBe(reason);
    },
  );

  test('ends with the reason of a signal that comes while the file is read', async () => {
    const reason = { code: 'EIO' };
    const controller = new AbortController();
    const { signal } = controller;
    const onBytes = (): void => controller.abort(reason);
    await expect(allOf(read(ROWS, { signal, onBytes }))).rejects.toBe(reason);
  });

  test('is not disturbed by another one over the same block', async () => {
    const folder = writeBlock(ROWS, newFolder());
    const { game } = ROWS;
    const one = readTickets(folder, { game });
    const other = readTickets(folder, { game, format: 'csv', from: 4000 });
    const taken: TicketRecord[][] = [[], []];
    for (let turn = 0; turn < 5001; turn += 1) {
      for (const [index, tickets] of [one, other].entries()) {
        const { value } = await tickets.next();
        taken[index]?.push(value as TicketRecord);
      }
    }
    await Promise.all([one.return(), other.return()]);
    const expected = ticketsOf(ROWS);
    expect(taken).toEqual([expected.slice(0, 5001), expected.slice(3999, 9000)]);
    expect(openFilesIn(folder)).toEqual([]);
  });
});

describe('tickets are refused, with what to do,', () => {
  const failure = async (tickets: AsyncIterable<TicketRecord>): Promise<string> => {
    const error: unknown = await allOf(tickets).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'InputError' });
    const { code, message } = error as { readonly code: string; readonly message: string };
    return `${code}: ${message}`;
  };
  const VERIFY = 'gen-block verify says what is wrong with the block';
  const ndjson = (tickets: ReturnType<typeof ticketsOf>): BlockCopy =>
    withFile(COLLECT, 'tickets.ndjson', encodeTickets(tickets, 'ndjson'));

  test('whose file was changed or cut off', async () => {
    const folder = writeBlock(COLLECT, newFolder());
    const { game } = COLLECT;
    const text = textOf(ticketsBytes(COLLECT, 'ndjson'));
    for (const changed of [
      text.replace('"prize_cents":0', '"prize_cents":9'),
      text.slice(0, -40),
    ]) {
      writeFileSync(join(folder, 'tickets.ndjson'), changed);
      expect(await failure(readTickets(folder, { game }))).toBe(
        `not-a-block: ${folder}/tickets.ndjson is not the file of the manifest: its SHA-256 is another; ${VERIFY}`,
      );
      expect(openFilesIn(folder)).toEqual([]);
    }
  });

  test('whose compressed file is damaged', async () => {
    const block = withCompression(COLLECT);
    const folder = writeBlock(block, newFolder());
    const bytes = block.files.get('tickets.ndjson.gz') ?? new Uint8Array();
    writeFileSync(join(folder, 'tickets.ndjson.gz'), bytes.subarray(0, bytes.length / 2));
    const message = await failure(readTickets(folder, { game: block.game }));
    expect(message).toMatch(/^not-a-block: \S+\/tickets\.ndjson\.gz: .*; gen-block verify says/);
    expect(openFilesIn(folder)).toEqual([]);
  });

  test('which are not in order, missing, too many, or of no letters', async () => {
    const tickets = ticketsOf(COLLECT);
    const [first, second, third, ...others] = tickets;
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    const cases = [
      [[first, third, second, ...others], 'its tickets are not in order'],
      [tickets.slice(0, 599), 'ticket 600 is missing'],
      [[...tickets, { ...first, ticket: 601 }], 'it has more than 600 tickets'],
      [
        [first, { ...second, grids: [['\u009b31mAB', 'ABCABC', 'ABCABC']] }, third, ...others],
        'ticket 2 has symbols that are no letters from A to Z',
      ],
    ] as const;
    for (const [wrong, why] of cases) {
      const folder = writeBlock(ndjson(wrong), newFolder());
      expect(await failure(readTickets(folder, { game: COLLECT.game }))).toBe(
        `not-a-block: ${folder}: ${why}; ${VERIFY}`,
      );
    }
  });

  test('of a block that is not there, needs its definition, or is closed', async () => {
    const folder = writeBlock(await withEncryption(COLLECT, [KEY.recipient]), newFolder());
    expect(await failure(readTickets(join(folder, 'none')))).toMatch(/^not-found: /);
    expect(await failure(readTickets(folder))).toMatch(/^definition-needed: /);
    const { game } = COLLECT;
    expect(await failure(readTickets(folder, { game }))).toMatch(/^identity-needed: /);
    const identities = [(await newAgeKey()).identity];
    expect(await failure(readTickets(folder, { game, identities }))).toMatch(/^identity-needed: /);
    expect(openFilesIn(folder)).toEqual([]);
  });
});
