import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { validBlock, writeBlock } from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import {
  loadSample,
  newLab,
  rawConnection,
  rawExec,
  rawRows,
  withDatabase,
} from '../../testing/sqlite-lab.js';
import { loadBlock } from '../load-block.js';
import { openSqliteDatabase } from './sqlite-database.js';
import { OPTIONAL_PACKAGES } from '../../core/tool-version.js';
import { loadSqliteDriver } from './sqlite-driver.js';
import { sqliteMigrations } from './sqlite-schema.js';

const makeFolder = folderMaker();

/** Makes the schema, or brings it to the latest version. */
async function prepare(path: string, migrations?: readonly string[]): Promise<void> {
  await withDatabase(path, async () => Promise.resolve(), { migrations, patienceMs: 200 });
}

/** What opening a database to read it comes to. */
async function readingOf(path: string, migrations?: readonly string[]): Promise<unknown> {
  const options = { mustExist: true, migrations };
  return withDatabase(path, async (database) => database.status(), options);
}

describe('the schema', () => {
  test('is made in a new file and in an empty one', async () => {
    for (const isThere of [false, true]) {
      const { path } = newLab(makeFolder());
      if (isThere) writeFileSync(path, '');
      await prepare(path);
      expect(rawRows(path, 'pragma user_version')).toEqual([{ user_version: 1 }]);
      expect(rawRows(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
      expect(await readingOf(path)).toEqual([]);
    }
  });

  test('is made once', async () => {
    const { path } = newLab(makeFolder());
    await prepare(path);
    const before = rawRows(path, 'select * from sqlite_schema');
    await prepare(path);
    expect(rawRows(path, 'select * from sqlite_schema')).toEqual(before);
  });

  test('is brought to a later version, with the blocks that are there', async () => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    const later = [...sqliteMigrations(), 'create table more (x); pragma user_version = 2'];
    await expect(readingOf(lab.path, later)).rejects.toMatchObject({
      code: 'older-schema',
      message: `sqlite:${lab.path} has schema version 1, made by an earlier version of this program, which has 2; gen-block load brings it up to date`,
    });
    await prepare(lab.path, later);
    expect(await readingOf(lab.path, later)).toHaveLength(1);
    await expect(prepare(lab.path)).rejects.toMatchObject({
      code: 'newer-schema',
      message: `sqlite:${lab.path} has schema version 2, made by a later version of this program, which knows 1; update gen-block`,
    });
    await expect(readingOf(lab.path)).rejects.toMatchObject({ code: 'newer-schema' });
  });

  test('is left as it was where a step fails', async () => {
    const { path } = newLab(makeFolder());
    await prepare(path);
    const broken = [...sqliteMigrations(), 'create table more (x); create table more (x)'];
    await expect(prepare(path, broken)).rejects.toMatchObject({ name: 'MachineError' });
    expect(rawRows(path, "select * from sqlite_schema where name = 'more'")).toEqual([]);
    const forgetful = [...sqliteMigrations(), 'create table more (x)'];
    await expect(prepare(path, forgetful)).rejects.toMatchObject({ name: 'InvariantError' });
    expect(rawRows(path, "select * from sqlite_schema where name = 'more'")).toEqual([]);
  });
});

describe('a file that is refused', () => {
  test.each([
    ['with tables', 'create table t (x)'],
    ['with a version', 'pragma user_version = 1'],
    ['with an application', 'pragma application_id = 7'],
  ])('is a database of another program (%s)', async (_, sql) => {
    const { path } = newLab(makeFolder());
    rawExec(path, sql);
    const refusal = {
      code: 'not-found',
      message: `sqlite:${path} is a database of another program; choose another file`,
    };
    await expect(prepare(path)).rejects.toMatchObject(refusal);
    await expect(readingOf(path)).rejects.toMatchObject(refusal);
    expect(rawRows(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'delete' }]);
  });

  test('is no database', async () => {
    const { path } = newLab(makeFolder());
    writeFileSync(path, 'ticket,prize_cents\n'.repeat(1000));
    const message = `sqlite:${path} is no SQLite database; choose another file`;
    await expect(prepare(path)).rejects.toMatchObject({ code: 'not-found', message });
    await expect(readingOf(path)).rejects.toMatchObject({ code: 'not-found', message });
  });

  test('is a folder', async () => {
    const { path } = newLab(makeFolder());
    mkdirSync(path);
    const message = `sqlite:${path} is not a regular file; choose another file`;
    await expect(prepare(path)).rejects.toMatchObject({ code: 'not-found', message });
  });

  test('is not there, and is not made by reading', async () => {
    const { path } = newLab(makeFolder());
    const message = `there is no database sqlite:${path}; load a block first`;
    await expect(readingOf(path)).rejects.toMatchObject({ code: 'not-found', message });
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, '');
    await expect(readingOf(path)).rejects.toMatchObject({ code: 'not-found', message });
  });

  test('is a link to nothing', async () => {
    const { folder, path } = newLab(makeFolder());
    symlinkSync('nothing', path);
    const message = `sqlite:${path} is a symbolic link to a file that is not there; remove it, or choose another file`;
    await expect(prepare(path)).rejects.toMatchObject({ code: 'not-found', message });
    await expect(readingOf(path)).rejects.toMatchObject({ code: 'not-found', message });
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });

  test('is in a folder that is not there', async () => {
    const path = join(makeFolder(), 'no', 'sales.db');
    // At once, and not after a block has been verified.
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({
      code: 'ENOENT',
      message: `cannot create ${path}: there is no such file or folder; check the path`,
    });
  });

  test('is a link to itself', async () => {
    const { folder, path } = newLab(makeFolder());
    symlinkSync('sales.db', join(folder, 'sales.db'));
    await expect(prepare(path)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  test('has a name that is made safe to print', async () => {
    const path = join(makeFolder(), 'a\u001b[31m.db');
    await expect(readingOf(path)).rejects.toThrow(/sqlite:.*a\\u\{1b\}\[31m\.db; load/);
  });
});

test('a database is only read where it must exist', async () => {
  const lab = newLab(makeFolder());
  await loadSample(lab);
  chmodSync(lab.path, 0o400);
  const before = rawRows(lab.path, 'select * from blocks');
  const database = await openSqliteDatabase(lab.path, { mustExist: true });
  await database.prepare();
  expect(await database.status()).toHaveLength(1);
  await database.close();
  expect(database.label).toBe(`sqlite:${lab.path}`);
  expect(rawRows(lab.path, 'select * from blocks')).toEqual(before);
});

test('a block that is not there is not found', async () => {
  const lab = newLab(makeFolder());
  await loadSample(lab);
  const opening = withDatabase(lab.path, async (database) => database.open('b\u0007'));
  await expect(opening).rejects.toMatchObject({
    code: 'not-found',
    message: `sqlite:${lab.path} has no block b\\u{7}; gen-block status lists its blocks`,
  });
});

describe('a lock that somebody else holds', () => {
  test('is waited for', async () => {
    const { path } = newLab(makeFolder());
    const other = rawConnection(path);
    other.exec('begin immediate');
    try {
      const message = `cannot write sqlite:${path}: it is in use by another process; try again`;
      await expect(prepare(path)).rejects.toMatchObject({ code: 'SQLITE_BUSY', message });
      const patient = withDatabase(path, async (database) => database.status());
      setTimeout(() => {
        other.exec('rollback');
      }, 120);
      expect(await patient).toEqual([]);
    } finally {
      other.close();
    }
  });

  test('is not waited for after a signal', async () => {
    const lab = newLab(makeFolder());
    await loadSample(lab);
    const other = rawConnection(lab.path);
    other.exec('begin immediate');
    try {
      const reason = new Error('stopped by the test');
      const stop = new AbortController();
      const block = await validBlock('lagon-mini');
      const folder = writeBlock(block, lab.folder);
      const loading = withDatabase(lab.path, async (database) => {
        setTimeout(() => {
          stop.abort(reason);
        }, 60);
        const options = { game: block.game, trustHash: true, signal: stop.signal };
        return loadBlock(folder, database, options);
      });
      await expect(loading).rejects.toBe(reason);
    } finally {
      other.close();
    }
  });
});

const version = OPTIONAL_PACKAGES.get('@photostructure/sqlite') ?? '';

test('without the package of SQLite it is said what to do', async () => {
  const absent = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const missing = async () => Promise.reject(absent);
  await expect(loadSqliteDriver(missing)).rejects.toMatchObject({
    name: 'MachineError',
    message: `SQLite needs a package that is not installed, or not for this system; add with: npm install @photostructure/sqlite@${version}`,
  });
});
