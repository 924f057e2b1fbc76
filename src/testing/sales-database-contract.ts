import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../formats/manifest.js';
import { loadBlock } from '../load/load-block.js';
import type { SalesDatabase } from '../load/sales-database.js';
import { verifyStoredBlock } from '../load/verify-stored-block.js';
import {
  ticketsBytes,
  textOf,
  ticketsOf,
  validBlock,
  withClaims,
  withCompression,
  withFile,
  withOnly,
  withOrder,
  withTicket,
  writeBlock,
  type BlockCopy,
} from './broken-blocks.js';
import { folderMaker } from './sample-requests.js';

type Awaitable<T> = T | Promise<T>;

/** A database of a test's own, empty at first. */
export interface TestDatabase {
  /** Opens it for this program, once more each time. */
  open(): Promise<SalesDatabase>;
  /** The value of a query's only column and row, as text. */
  value(sql: string): Awaitable<string>;
  /** Sells a ticket as a sales server does it. Returns its number, or nothing where none is left. */
  sell(game: string, stakeCents: number, reference: string): Awaitable<number | undefined>;
}

/** What is in a database, as far as loading changes it. */
interface Holdings {
  readonly blocks: number;
  readonly tickets: number;
}

/** What must hold of every database that blocks are loaded into. */
export function salesDatabaseContract(
  name: string,
  newDatabase: () => Awaitable<TestDatabase>,
): void {
  const newFolder = folderMaker();
  let place: TestDatabase;
  let database: SalesDatabase;
  let eldorado: BlockCopy;

  beforeAll(async () => {
    eldorado = await validBlock('eldorado-mini');
  });

  beforeEach(async () => {
    place = await newDatabase();
    database = await place.open();
    await database.prepare();
  });

  afterEach(() => database.close());

  const schema = name === 'PostgreSQL' ? 'gen_block.' : '';
  const holdings = async (): Promise<Holdings> => ({
    blocks: Number(await place.value(`select count(*) from ${schema}blocks`)),
    tickets: Number(await place.value(`select count(*) from ${schema}tickets`)),
  });
  const load = (
    block: BlockCopy,
    options: Parameters<typeof loadBlock>[2] = {},
  ): ReturnType<typeof loadBlock> =>
    loadBlock(writeBlock(block, newFolder()), database, { game: block.game, ...options });
  const messageOf = async (loading: Promise<unknown>): Promise<string> => {
    const error: unknown = await loading.then(
      () => new Error('it was loaded'),
      (reason: unknown) => reason,
    );
    return (error as Error).message;
  };

  describe(`loading into ${name}`, () => {
    test.each<[string, (block: BlockCopy) => BlockCopy]>([
      ['both formats', (block) => block],
      ['compressed files', withCompression],
      ['NDJSON only', (block) => withOnly(block, 'ndjson')],
      ['CSV only, compressed', (block) => withCompression(withOnly(block, 'csv'))],
    ])('keeps every ticket of a block with %s', async (_, change) => {
      const outcome = await load(change(eldorado));
      expect(outcome).toEqual({
        name: 'eldorado-mini-100-e1-b1',
        tickets: eldorado.game.blockSize,
        isNew: true,
        state: 'loaded',
      });
      const pieces: Uint8Array[] = [];
      const stored = await database.open(outcome.name);
      for await (const bytes of stored.csv()) pieces.push(bytes);
      expect(Buffer.concat(pieces).equals(ticketsBytes(eldorado, 'csv'))).toBe(true);
    });

    test('keeps grids for each choice', async () => {
      const collect = await validBlock('collect-bare');
      const { name: block } = await load(collect);
      const pieces: Uint8Array[] = [];
      for await (const bytes of (await database.open(block)).csv()) pieces.push(bytes);
      expect(Buffer.concat(pieces).equals(ticketsBytes(collect, 'csv'))).toBe(true);
    });

    test('keeps the manifest to the byte, and the hash of the tickets', async () => {
      await load(eldorado);
      const stored = await database.open('eldorado-mini-100-e1-b1');
      expect(textOf(stored.manifest)).toBe(`${JSON.stringify(eldorado.manifest)}\n`);
      const csv = createHash('sha256').update(ticketsBytes(eldorado, 'csv')).digest('hex');
      expect(await place.value(`select csv_sha256 from ${schema}blocks`)).toBe(csv);
      const manifest = createHash('sha256').update(stored.manifest).digest('hex');
      expect(await place.value(`select manifest_sha256 from ${schema}blocks`)).toBe(manifest);
    });

    test.each<[string, (block: BlockCopy) => BlockCopy]>([
      ['the same block', (block) => block],
      ['its copy in another form', (block) => withCompression(withOnly(block, 'ndjson'))],
      ['its copy by another version', (block) => withClaims(block, { tool_version: '9.9.9' })],
    ])('does nothing when %s comes again', async (_, change) => {
      await load(eldorado);
      const before = await holdings();
      const again = await load(change(eldorado), { trustHash: true });
      expect(again).toMatchObject({ isNew: false, state: 'loaded' });
      expect(await holdings()).toEqual(before);
    });

    test('puts a block on sale where it is told to, when it comes and later', async () => {
      expect(await load(eldorado)).toMatchObject({ state: 'loaded' });
      expect(await load(eldorado, { onSale: true })).toMatchObject({
        isNew: false,
        state: 'on sale',
      });
      expect(await load(eldorado)).toMatchObject({ isNew: false, state: 'on sale' });
      const second = withClaims(eldorado, { block: 2 });
      expect(await load(second, { onSale: true })).toMatchObject({ isNew: true, state: 'on sale' });
    });

    test.each<[string, (block: BlockCopy) => BlockCopy]>([
      ['other tickets', (block) => withOrder(block, [...ticketsOf(block)].reverse())],
      ['another seed', (block) => withClaims(block, { seed_commitment: 'f'.repeat(64) })],
    ])('refuses a block of the same name with %s', async (_, change) => {
      await load(eldorado);
      const before = await holdings();
      expect(await messageOf(load(change(eldorado), { trustHash: true }))).toMatch(
        /has another block eldorado-mini-100-e1-b1; nothing was loaded: find out which/,
      );
      expect(await holdings()).toEqual(before);
    });

    test('refuses a block that does not conform', async () => {
      const broken = withFile(eldorado, 'tickets.csv', 'ticket,prize_cents,combination,grids\n');
      expect(await messageOf(load(broken))).toMatch(/does not conform; nothing of it was loaded$/);
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
    });

    test('refuses a file that is not that of the manifest, after its tickets were sent', async () => {
      const files = eldorado.manifest.files.map((file) => ({ ...file, sha256: 'e'.repeat(64) }));
      const swapped = withClaims(eldorado, { files });
      expect(await messageOf(load(swapped, { trustHash: true }))).toMatch(
        /is not the file of the manifest: its SHA-256 is another/,
      );
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
      expect(await load(eldorado)).toMatchObject({ isNew: true });
    });

    test('refuses symbols that would make two fields of one', async () => {
      const csv = textOf(ticketsBytes(eldorado, 'csv'));
      const broken = withFile(eldorado, 'tickets.csv', csv.replace(/[A-Z]{2}\n/, 'A,\n'));
      expect(await messageOf(load(broken, { trustHash: true }))).toMatch(
        /record 1 is not right to the byte/,
      );
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
    });

    test.each<[string, (manifest: Manifest) => Partial<Manifest>, RegExp]>([
      [
        'more tickets',
        ({ tickets }) => ({ tickets: tickets + 1 }),
        /: the database expected 9000 tickets in the manifest and found 9001; gen-block verify says/,
      ],
      [
        'another count of a tier',
        ({ tiers }) => ({
          tiers: tiers.map((tier, index) =>
            index === 0 ? { ...tier, count: tier.count + 1 } : tier,
          ),
        }),
        /^eldorado-mini-100-e1-b1 was not loaded: the database expected \d+ cents of prizes and found/,
      ],
      [
        'another count of an outcome',
        ({ outcomes }) => ({
          outcomes: outcomes.map((outcome, index) =>
            index === 0 ? { ...outcome, count: outcome.count + 1 } : outcome,
          ),
        }),
        /expected \d+ tickets with the combination ".*" and a prize of \d+ cents and found \d+; /,
      ],
    ])('counts in SQL, and refuses a manifest that states %s', async (_, change, words) => {
      const lying = withClaims(eldorado, change(eldorado.manifest));
      expect(await messageOf(load(lying, { trustHash: true }))).toMatch(words);
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
    });

    test.each<[string, object, RegExp]>([
      ['tiers', { tiers: 'none' }, /was not loaded: /],
      ['tiers', { tiers: ['"', 5, null] }, /was not loaded: /],
      ['tickets', { tickets: undefined }, /9000 tickets in the manifest and found null; gen-block/],
    ])('refuses a manifest with odd %s', async (_, claims, words) => {
      const loading = load(withClaims(eldorado, claims), { trustHash: true });
      await expect(loading).rejects.toMatchObject({ code: 'not-a-block' });
      expect(await messageOf(loading)).toMatch(words);
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
    });

    test.each<[string, number, RegExp]>([
      ['a number twice', 8999, /was not loaded: .* gen-block verify says what is wrong/],
      ['a number too high', 9001, /expected 9000 as the last ticket's number and found 9001; /],
      ['the number 0', 0, /was not loaded: /],
    ])('refuses a block that has %s, and goes on with others', async (_, ticket, words) => {
      const odd = withTicket(eldorado, 9000, { ticket });
      const loading = load(odd, { trustHash: true });
      await expect(loading).rejects.toMatchObject({ code: 'not-a-block' });
      expect(await messageOf(loading)).toMatch(words);
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
      expect(await load(eldorado)).toMatchObject({ isNew: true });
    });

    test('refuses a block that lacks a ticket', async () => {
      const csv = textOf(ticketsBytes(eldorado, 'csv')).replace(/[^\n]*\n$/, '');
      const loading = load(withFile(eldorado, 'tickets.csv', csv), { trustHash: true });
      expect(await messageOf(loading)).toMatch(/expected 9000 tickets and found 8999; /);
    });

    test('leaves nothing when it is stopped half-way, and can be started again', async () => {
      const stop = new AbortController();
      const onTickets = (): void => {
        stop.abort(new Error('stopped'));
      };
      const loading = load(eldorado, { signal: stop.signal, onTickets });
      expect(await messageOf(loading)).toBe('stopped');
      const fresh = await place.open();
      await fresh.prepare();
      expect(await holdings()).toEqual({ blocks: 0, tickets: 0 });
      const path = writeBlock(eldorado, newFolder());
      expect(await loadBlock(path, fresh, { game: eldorado.game })).toMatchObject({ isNew: true });
      await fresh.close();
    });
  });

  describe(`a block in ${name}`, () => {
    const NAME = 'eldorado-mini-100-e1-b1';
    const verified = async (): ReturnType<typeof verifyStoredBlock> => {
      const fresh = await place.open();
      return verifyStoredBlock(NAME, fresh, { game: eldorado.game }).finally(() => fresh.close());
    };

    test('conforms as its files do, before, during and after its sale', async () => {
      await load(eldorado, { onSale: true });
      const before = await verified();
      expect(before.conforms).toBe(true);
      expect(before.files).toEqual(eldorado.manifest.files);
      expect(before.checked).toContain('the sales of the block');
      await place.sell('eldorado-mini', 100, 'a');
      expect(await verified()).toEqual(before);
    });

    test('is counted by prize, and nothing says where the prizes are', async () => {
      await load(eldorado, { onSale: true });
      const first = await place.sell('eldorado-mini', 100, 'a');
      expect(first).toBe(1);
      expect(await place.sell('eldorado-mini', 100, 'a')).toBe(1);
      expect(await place.sell('eldorado-mini', 100, 'b')).toBe(2);
      const tickets = ticketsOf(eldorado);
      const prizes = [...new Set(tickets.map((ticket) => ticket.prize_cents))];
      const fresh = await place.open();
      const status = await fresh.status();
      await fresh.close();
      expect(status).toEqual([
        {
          name: NAME,
          gameId: 'eldorado-mini',
          stakeCents: 100,
          emission: 1,
          block: 1,
          state: 'on sale',
          tickets: tickets.length,
          sold: 2,
          prizes: prizes
            .sort((a, b) => b - a)
            .map((prizeCents) => ({
              prizeCents,
              tickets: tickets.filter((ticket) => ticket.prize_cents === prizeCents).length,
              sold: tickets.slice(0, 2).filter((ticket) => ticket.prize_cents === prizeCents)
                .length,
            })),
        },
      ]);
    });

    test('that is not there cannot be opened', async () => {
      const message = await messageOf(database.open('eldorado-mini-100-e1-b9'));
      expect(message).toMatch(
        / has no block eldorado-mini-100-e1-b9; gen-block status lists its blocks$/,
      );
    });
  });
}
