import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { InputError, MachineError } from '../core/errors.js';
import { folderMaker } from '../testing/sample-requests.js';
import { createFile, writeAll, writeNewFile } from './new-file.js';

const newFolder = folderMaker();
const CONTENT = Buffer.from('content\n');

let folder: string;
let path: string;

beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'file');
});

describe.each([
  ['createFile', async (name: string): Promise<void> => (await createFile(name)).close()],
  ['writeNewFile', async (name: string): Promise<void> => writeNewFile(name, CONTENT)],
])('%s', (_, write) => {
  test('makes a file for its owner only', async () => {
    await write(path);
    expect(readdirSync(folder)).toEqual(['file']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('touches no file that is there', async () => {
    writeFileSync(path, 'mine');
    await expect(write(path)).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test.each(['file-of-somebody', 'nothing'])('follows no link to %s', async (target) => {
    writeFileSync(join(folder, 'file-of-somebody'), 'theirs');
    symlinkSync(target, path);
    await expect(write(path)).rejects.toThrow(path);
    expect(readFileSync(join(folder, 'file-of-somebody'), 'utf8')).toBe('theirs');
    expect(readdirSync(folder).sort()).toEqual(['file', 'file-of-somebody']);
  });

  test('fails where there is no folder for it', async () => {
    await expect(write(join(folder, 'none', 'file'))).rejects.toThrow(MachineError);
  });
});

describe('writeNewFile', () => {
  test('writes all bytes', async () => {
    await writeNewFile(path, CONTENT);
    expect(readFileSync(path)).toEqual(CONTENT);
  });

  test('says what to do where something is there', async () => {
    writeFileSync(path, 'mine');
    const written = writeNewFile(path, CONTENT);
    await expect(written).rejects.toThrow(InputError);
    await expect(written).rejects.toThrow(
      `${path} is there already; move it away or choose another name`,
    );
  });

  test('lets one of several writers at the same time win, with its own bytes', async () => {
    const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10_000));
    const results = await Promise.allSettled(
      contents.map(async (content) => writeNewFile(path, Buffer.from(content))),
    );
    const winners = contents.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(winners).toEqual([readFileSync(path, 'utf8')]);
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

test('writeAll writes at the position that is named', async () => {
  writeFileSync(path, '0123456789');
  const handle = await open(path, 'r+');
  await writeAll(handle, Buffer.from('abc'), 4);
  await handle.close();
  expect(readFileSync(path, 'utf8')).toBe('0123abc789');
});
