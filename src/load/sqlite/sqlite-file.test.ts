import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { chdir, cwd } from 'node:process';
import { afterEach, describe, expect, test } from '@jest/globals';
import { validBlock, writeBlock } from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { loadCopy, newLab, rawRows, withDatabase } from '../../testing/sqlite-lab.js';
import { loadBlock } from '../load-block.js';
import { openBlockFile } from '../../verify/block-file.js';
import { openSqliteDatabase } from './sqlite-database.js';

const makeFolder = folderMaker();

const NAME = 'collect-bare-100-e1-b1';

describe('the name of a database', () => {
  const HOME = cwd();

  afterEach(() => {
    chdir(HOME);
  });

  test.each([
    ':memory:',
    'file:zz?mode=memory',
    'file:y',
    'file:x?mode=ro#there',
    'a b%41?mode=memory',
    ' ',
  ])('is that of its file, and nothing else: "%s"', async (name) => {
    const folder = makeFolder();
    const block = await validBlock('collect-bare');
    chdir(folder);
    await loadCopy({ folder: makeFolder(), path: name }, block);
    expect(readdirSync(folder).filter((file) => !/-(?:wal|shm)$/.test(file))).toEqual([name]);
    expect(statSync(name).mode & 0o777).toBe(0o600);
    await withDatabase(
      name,
      async (database) => {
        expect(database.label).toBe(`sqlite:${name}`);
        // It stays the same file, wherever the process goes.
        chdir(HOME);
        const stored = await database.open(NAME);
        expect(stored.entry.name).toBe(NAME);
        expect(await stored.saleFaults()).toEqual([]);
      },
      { mustExist: true },
    );
  });
});

describe('a database that is not there', () => {
  test('is not made by being opened, and nothing is read of it', async () => {
    const { folder, path } = newLab(makeFolder());
    const database = await openSqliteDatabase(path);
    const message = `there is no database sqlite:${path}; load a block first`;
    await expect(database.status()).rejects.toMatchObject({ code: 'not-found', message });
    await expect(database.open(NAME)).rejects.toMatchObject({ code: 'not-found', message });
    await database.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not made where the block cannot be read', async () => {
    const { folder, path } = newLab(makeFolder());
    const database = await openSqliteDatabase(path);
    await expect(loadBlock(`${folder}/nothing`, database)).rejects.toMatchObject({
      name: 'InputError',
    });
    await database.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is made by the first block, with its schema', async () => {
    const { folder, path } = newLab(makeFolder());
    const copy = await validBlock('collect-bare');
    const block = await openBlockFile(writeBlock(copy, folder), { game: copy.game, format: 'csv' });
    const database = await openSqliteDatabase(path);
    expect(existsSync(path)).toBe(false);
    expect(await database.load({ block, onSale: false })).toMatchObject({ isNew: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await database.status()).toHaveLength(1);
    await database.close();
  });

  test('is made once by several at once', async () => {
    const { path } = newLab(makeFolder());
    const databases = await Promise.all([openSqliteDatabase(path), openSqliteDatabase(path)]);
    await Promise.all(databases.map((database) => database.prepare()));
    for (const database of databases) expect(await database.status()).toEqual([]);
    await Promise.all(databases.map((database) => database.close()));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(rawRows(path, 'pragma user_version')).toEqual([{ user_version: 1 }]);
  });

  test('is not made over what has come meanwhile', async () => {
    const { path } = newLab(makeFolder());
    const database = await openSqliteDatabase(path);
    mkdirSync(path);
    const message = `sqlite:${path} is not a regular file; choose another file`;
    await expect(database.prepare()).rejects.toMatchObject({ code: 'not-found', message });
    await database.close();
  });
});
