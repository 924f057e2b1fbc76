import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { defined } from '../core/assert.js';
import { ticketsOf, type BlockCopy } from './broken-blocks.js';
import type { SampleName } from './sample-definitions.js';
import {
  loadSample,
  newLab,
  rawRows,
  SELL_FILE,
  withDatabase,
  type SoldTicket,
} from './sqlite-lab.js';

const SELLER = fileURLToPath(new URL('../../fixtures/sellers/sqlite-seller.mjs', import.meta.url));

/** An answer that a seller had. */
type Answer = SoldTicket & { readonly sale: number; readonly sale_reference: string };

/** A seller that is killed now and then, and goes on with the sale that it had no answer of. */
class KilledSeller {
  readonly answers: Answer[] = [];
  kills = 0;
  errors = '';
  readonly #name: string;
  readonly #argv: readonly string[];
  /** After how many of its answers it is killed. */
  readonly #killsAfter: readonly number[];

  constructor(path: string, { game, stake }: BlockCopy, index: number, share: number) {
    this.#name = `seller-${index}`;
    this.#argv = [SELLER, path, SELL_FILE, game.id, String(stake.stakeCents), this.#name];
    // Not in step with each other.
    this.#killsAfter =
      index % 2 === 0 ? [0.1, 0.6].map((part) => Math.ceil(share * part) + 2 * index) : [];
  }

  /** Sells until there is nothing left. */
  async run(): Promise<void> {
    for (;;) {
      const next = (this.answers.at(-1)?.sale ?? 0) + 1;
      const argv = [...this.#argv, String(next)];
      const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
      const exitCode = await this.#listen(child);
      if (exitCode !== null) return;
      this.kills += 1;
    }
  }

  async #listen(child: ChildProcess): Promise<number | null> {
    const ended = once(child, 'close') as Promise<[number | null]>;
    child.stderr?.on('data', (text: Buffer) => {
      this.errors += text.toString();
    });
    const killAt = this.#killsAfter[this.kills];
    const lines = createInterface({ input: defined(child.stdout ?? undefined, 'its output') });
    for await (const line of lines) {
      this.answers.push(JSON.parse(line) as Answer);
      if (this.answers.length === killAt) child.kill('SIGKILL');
    }
    const [exitCode] = await ended;
    return exitCode;
  }
}

/**
 * Has sellers in processes of their own sell a block, every other of them killed on the way, and makes sure
 * that every ticket has been sold exactly once, to whoever was told so.
 *
 * @param folder - An empty folder for the database.
 */
export async function expectSoldByKilledSellers(
  folder: string,
  name: SampleName,
  count: number,
): Promise<void> {
  const lab = newLab(folder);
  const block = await loadSample(lab, name);
  const tickets = block.game.blockSize;
  const sellers = Array.from({ length: count }, (_, index) => {
    return new KilledSeller(lab.path, block, index, tickets / count);
  });
  await Promise.all(sellers.map(async (seller) => seller.run()));
  expect(sellers.map(({ errors }) => errors)).toEqual(sellers.map(() => ''));
  const kills = sellers.reduce((sum, seller) => sum + seller.kills, 0);
  expect(kills).toBeGreaterThan(0);

  // The table: all sold, each to one reference, in the end of the block as in its beginning.
  const rows = rawRows(lab.path, 'select * from tickets order by number');
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  const ticketByReference = new Map(rows.map((row) => [row['sale_reference'], row['number']]));
  expect(ticketByReference.has(null)).toBe(false);
  expect(ticketByReference.size).toBe(block.game.blockSize);

  // The sellers: every answer is what the table says, and every sale of the table was answered.
  const answers = sellers.flatMap((seller) => seller.answers);
  const wrong = answers.filter(
    ({ sale_reference, number }) => ticketByReference.get(sale_reference) !== number,
  );
  expect(wrong).toEqual([]);
  const answered = new Set(answers.map(({ sale_reference }) => sale_reference));
  expect(answered.size).toBe(block.game.blockSize);

  // The prizes: what was handed out is the prize table.
  const prizes = new Map<number, number>();
  const prizeOf = new Map(answers.map(({ number, prize_cents }) => [number, prize_cents]));
  for (const prize of prizeOf.values()) prizes.set(prize, (prizes.get(prize) ?? 0) + 1);
  const winning = block.manifest.tiers.map(({ prize_cents, count }) => [prize_cents, count]);
  expect([...prizes].filter(([prize]) => prize > 0).sort(([a], [b]) => b - a)).toEqual(winning);

  await withDatabase(
    lab.path,
    async (database) => {
      const [status] = await database.status();
      expect(status).toMatchObject({ state: 'sold out', tickets, sold: tickets });
      const stored = await database.open(defined(status, 'the block').name);
      expect(await stored.saleFaults()).toEqual([]);
    },
    { mustExist: true },
  );
  expect(ticketsOf(block).map(({ prize_cents }) => prize_cents)).toEqual(
    rows.map(({ prize_cents }) => prize_cents),
  );
}
