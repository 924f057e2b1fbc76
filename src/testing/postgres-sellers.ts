import { expect } from '@jest/globals';
import pg from 'pg';
import { verifyStoredBlock } from '../load/verify-stored-block.js';
import type { BlockCopy } from './broken-blocks.js';
import { sellOver, type PostgresPlace } from './postgres-place.js';

/** A sale as its seller knows it. */
interface KnownSale {
  readonly reference: string;
  readonly block: string;
  readonly ticket: number;
  readonly prizeCents: number;
}

/**
 * Has 8 sellers sell all blocks of a game, through cuts, rollbacks and retries, and makes sure that every
 * ticket has been sold once, to whoever was told so.
 */
export async function expectSoldByEight(
  place: PostgresPlace,
  { game, stake }: BlockCopy,
  blocks: number,
): Promise<void> {
  const { sales, cuts, rollbacks } = await runSellers(place, {
    game: game.id,
    stakeCents: stake.stakeCents,
    sellers: 8,
  });
  const tickets = blocks * game.blockSize;
  expect(cuts).toBeGreaterThan(10);
  expect(rollbacks).toBeGreaterThan(50);
  expect(sales).toHaveLength(tickets);
  expect(new Set(sales.map(({ reference }) => reference)).size).toBe(tickets);
  expect(new Set(sales.map(({ block, ticket }) => `${block}/${ticket}`)).size).toBe(tickets);
  for (const { prizeCents, count } of stake.tiers) {
    const won = sales.filter((sale) => sale.prizeCents === prizeCents);
    expect([prizeCents, won.length]).toEqual([prizeCents, blocks * count]);
  }
  expect(await listedSales(place)).toEqual(
    new Map(sales.map((sale) => [sale.reference, `${sale.block}/${sale.ticket}`])),
  );
  const database = await place.open();
  const status = await database.status();
  await database.close();
  expect(status.map(({ state, sold }) => [state, sold])).toEqual(
    Array.from({ length: blocks }, () => ['sold out', game.blockSize]),
  );
  for (const { name } of status) {
    const fresh = await place.open();
    expect(await verifyStoredBlock(name, fresh, { game })).toMatchObject({ conforms: true });
    await fresh.close();
  }
}

/** The list of sales as the database has it: block and ticket by reference. */
async function listedSales(place: PostgresPlace): Promise<ReadonlyMap<string, string>> {
  return place.with(async (client) => {
    const { rows } = await client.query<{ readonly reference: string; readonly ticket: string }>(
      `select s.reference, b.name || '/' || s.number as ticket
         from gen_block.sales s join gen_block.blocks b using (block_id)`,
    );
    return new Map(rows.map(({ reference, ticket }) => [reference, ticket]));
  });
}

/** What sellers are to sell. */
interface SellersTask {
  readonly game: string;
  readonly stakeCents: number;
  readonly sellers: number;
}

/** What came of it. */
interface SellersResult {
  readonly sales: readonly KnownSale[];
  /** Connections that were cut in the middle of a sale. */
  readonly cuts: number;
  readonly rollbacks: number;
}

/** Every so many sales, each seller's connection is cut, a sale is rolled back, and one is asked for twice. */
const CUT_EVERY = 37;
const ROLL_BACK_EVERY = 11;
const REPEAT_EVERY = 7;

/** Sells with several connections at once until nothing is left. */
async function runSellers(
  { url }: PostgresPlace,
  { game, stakeCents, sellers }: SellersTask,
): Promise<SellersResult> {
  const sales: KnownSale[] = [];
  let cuts = 0;
  let rollbacks = 0;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function sellAs(seller: number): Promise<void> {
    let client = await connect();
    for (let index = 1; ; index += 1) {
      const reference = `seller ${seller}, sale ${index}`;
      if (index % CUT_EVERY === 0) {
        // Whether the server has sold the ticket by then, nobody can know.
        const asked = sellOver(client, game, stakeCents, reference).catch(() => undefined);
        setImmediate(() => client.connection.stream.destroy());
        await asked;
        client = await connect();
        cuts += 1;
      }
      if (index % ROLL_BACK_EVERY === 0) {
        await client.query('begin');
        await sellOver(client, game, stakeCents, reference);
        await client.query('rollback');
        rollbacks += 1;
      }
      const ticket = await sellOver(client, game, stakeCents, reference);
      if (ticket === undefined) break;
      if (index % REPEAT_EVERY === 0) {
        const again = await sellOver(client, game, stakeCents, reference);
        if (again !== ticket) throw new Error(`${reference} got two tickets`);
      }
      sales.push(await knownSale(client, reference, ticket));
    }
    await client.end();
  }

  await Promise.all(Array.from({ length: sellers }, (_, seller) => sellAs(seller)));
  return { sales, cuts, rollbacks };
}

async function knownSale(client: pg.Client, reference: string, ticket: number): Promise<KnownSale> {
  const { rows } = await client.query<{
    readonly block: string;
    readonly ticket: number;
    readonly prize_cents: string;
  }>('select block, ticket, prize_cents from gen_block.sold_ticket($1)', [reference]);
  const [sold] = rows;
  if (sold?.ticket !== ticket) throw new Error(`${reference} got another ticket than it was told`);
  return { reference, block: sold.block, ticket, prizeCents: Number(sold.prize_cents) };
}
