import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  textOf,
  ticketsBytes,
  validBlock,
  withClaims,
  withFile,
  writeBlock,
  type BlockCopy,
} from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import {
  loadCopy,
  newLab,
  rawExec,
  rawRows,
  withDatabase,
  type SqliteLab,
} from '../../testing/sqlite-lab.js';
import { loadBlock } from '../load-block.js';
import { sqliteMigrations } from './sqlite-schema.js';

const makeFolder = folderMaker();

const NAME = 'collect-bare-100-e1-b1';

/** The bytes of `tickets.csv` as the database gives them. */
async function csvFrom(lab: SqliteLab, name: string): Promise<string> {
  return withDatabase(
    lab.path,
    async (database) => {
      const pieces: Uint8Array[] = [];
      const stored = await database.open(name);
      for await (const piece of stored.csv()) pieces.push(piece);
      return textOf(Buffer.concat(pieces));
    },
    { mustExist: true },
  );
}

/** The rows of a table as lines of `tickets.csv` without its header. */
const LINES =
  "select number || ',' || prize_cents || ',' || combination || ',' || grids from tickets order by number";

/** Reads the rows in the way of another program. */
function linesFrom(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'latin1' });
}

/** The lines of a block's `tickets.csv` without the header. */
function linesOf(block: BlockCopy): string {
  return textOf(ticketsBytes(block, 'csv')).replace(/^.*\n/, '');
}

describe('a block that is loaded', () => {
  test('is read alike by other programs', async () => {
    const lab = newLab(makeFolder());
    const block = await validBlock('lagon-mini');
    await loadCopy(lab, block);
    expect(linesFrom('sqlite3', '-readonly', lab.path, LINES)).toBe(linesOf(block));
    const script =
      'import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(row[0])';
    expect(linesFrom('python3', '-c', script, lab.path, LINES)).toBe(linesOf(block));
    expect(linesFrom('sqlite3', lab.path, 'pragma integrity_check')).toBe('ok\n');
  });

  test('is described by its row', async () => {
    const lab = newLab(makeFolder());
    const { name } = await loadCopy(lab, await validBlock('lagon-mini'));
    const { entry } = await withDatabase(lab.path, async (database) => database.open(name), {
      mustExist: true,
    });
    const columns =
      'name, game, stake_cents, emission, block, tickets, csv_sha256, manifest_sha256';
    expect([entry]).toEqual(rawRows(lab.path, `select ${columns} from blocks`));
    expect(entry).toMatchObject({ name, game: 'lagon-mini', stake_cents: 100, tickets: 8000 });
  });

  test('is put on sale with the loading, or later, and never again', async () => {
    const lab = newLab(makeFolder());
    const block = await validBlock('collect-bare');
    expect(await loadCopy(lab, block)).toMatchObject({ state: 'loaded' });
    expect(await loadCopy(lab, block, { onSale: true })).toMatchObject({ state: 'on sale' });
    rawExec(lab.path, "update blocks set state = 'withdrawn'");
    expect(await loadCopy(lab, block, { onSale: true })).toMatchObject({ state: 'withdrawn' });
    const other = newLab(makeFolder());
    expect(await loadCopy(other, block, { onSale: true })).toMatchObject({ state: 'on sale' });
  });

  test('leaves other blocks alone', async () => {
    const lab = newLab(makeFolder());
    const blocks = [await validBlock('lagon-mini'), await validBlock('collect-bare')];
    for (const block of blocks) await loadCopy(lab, block);
    const statuses = await withDatabase(lab.path, async (database) => database.status());
    expect(statuses.map(({ name }) => name)).toEqual([NAME, 'lagon-mini-100-e1-b1']);
    expect(await csvFrom(lab, 'lagon-mini-100-e1-b1')).toBe(
      textOf(ticketsBytes(await validBlock('lagon-mini'), 'csv')),
    );
  });
});

describe('a block that is refused', () => {
  /** A loading that is to fail, and what is in the database after it. */
  async function refusal(
    block: BlockCopy,
    lab: SqliteLab = newLab(makeFolder()),
  ): Promise<{ readonly error: unknown; readonly tickets: unknown }> {
    const error: unknown = await loadCopy(lab, block, { trustHash: true }).catch(
      (thrown: unknown) => thrown,
    );
    return { error, tickets: rawRows(lab.path, 'select count(*) as tickets from tickets')[0] };
  }

  test('has a manifest that lies about two tiers of the same sum', async () => {
    const block = await validBlock('collect-bare');
    const { tiers } = block.manifest;
    const scale = tiers[0]!.prize_cents;
    const changed = tiers.map((tier, at) => {
      if (at === 0) return { ...tier, count: tier.count + tiers[1]!.prize_cents };
      return at === 1 ? { ...tier, count: tier.count - scale } : tier;
    });
    const { error } = await refusal(withClaims(block, { tiers: changed }));
    expect(String(error)).toMatch(
      /expected -?\d+ tickets with a prize of \d+ cents and found \d+; /,
    );
  });

  test('has a CSV that is not written as the format asks', async () => {
    const block = await validBlock('collect-bare');
    const csv = textOf(ticketsBytes(block, 'csv')).replace('\n1,', '\n01,');
    const { error, tickets } = await refusal(withFile(block, 'tickets.csv', csv));
    expect(error).toMatchObject({ code: 'not-a-block' });
    expect(tickets).toEqual({ tickets: 0 });
  });
});

describe('a loading that is stopped', () => {
  /** Asks again whenever the event loop comes round. */
  async function untilTrue(question: () => boolean): Promise<void> {
    while (!question()) await setImmediate();
  }

  test('by a signal in the middle of the copy leaves nothing', async () => {
    const lab = newLab(makeFolder());
    const block = await validBlock('eldorado-mini');
    const folder = writeBlock(block, lab.folder);
    await withDatabase(lab.path, async (database) => {
      const stop = new AbortController();
      const reason = new Error('stopped by the test');
      const { signal } = stop;
      const options = { game: block.game, trustHash: true, signal };
      const isInCopy = (): boolean => {
        try {
          rawExec(lab.path, 'pragma busy_timeout = 0; begin immediate; rollback');
          return false;
        } catch {
          return true;
        }
      };
      const loading = loadBlock(folder, database, options);
      let isOver = false;
      const watch = untilTrue(() => {
        if (isInCopy()) stop.abort(reason);
        return signal.aborted || isOver;
      });
      await expect(
        loading.finally(() => {
          isOver = true;
        }),
      ).rejects.toBe(reason);
      await watch;
      expect(rawRows(lab.path, 'select * from blocks')).toEqual([]);
      const again = { game: block.game, trustHash: true };
      expect(await loadBlock(folder, database, again)).toMatchObject({ isNew: true });
    });
  });

  test('by a full disk leaves nothing, and can be done again', async () => {
    const lab = newLab(makeFolder());
    const block = await validBlock('eldorado-mini');
    const folder = writeBlock(block, lab.folder);
    const [tables = ''] = sqliteMigrations();
    // A limit of the connection that makes the tables, and with it of the loading.
    const migrations = [`${tables} pragma max_page_count = 60;`];
    const loading = withDatabase(
      lab.path,
      async (database) => loadBlock(folder, database, { game: block.game }),
      { migrations },
    );
    const message = `cannot write sqlite:${lab.path}: the disk is full; free some space and try again`;
    await expect(loading).rejects.toMatchObject({ code: 'SQLITE_FULL', message });
    expect(rawRows(lab.path, 'select * from blocks')).toEqual([]);
    expect(await loadCopy(lab, block)).toMatchObject({ isNew: true });
  });
});

test('a new database is for its owner only, with what SQLite lays beside it', async () => {
  const lab = newLab(makeFolder());
  const folder = writeBlock(await validBlock('collect-bare'), lab.folder);
  const { game } = await validBlock('collect-bare');
  await withDatabase(lab.path, async (database) => {
    await loadBlock(folder, database, { game });
    for (const ending of ['', '-wal', '-shm']) {
      expect(statSync(`${lab.path}${ending}`).mode & 0o777).toBe(0o600);
    }
  });
  // Nothing is left in the log that is not in the database.
  const log = `${lab.path}-wal`;
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});
