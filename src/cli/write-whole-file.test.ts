import * as actual from 'node:fs/promises';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ownerTag } from '../block/owner.js';
import { FaultyFiles } from '../testing/faulty-files.js';
import { folderMaker } from '../testing/sample-requests.js';

const files = new FaultyFiles(actual);
jest.unstable_mockModule('node:fs/promises', () => files.module);

const { writeWholeFile } = await import('./write-whole-file.js');

async function writeBytes(
  path: string,
  bytes: Uint8Array,
  options: { readonly force: boolean },
): Promise<void> {
  return writeWholeFile(path, options, (write) => write(bytes));
}
const newFolder = folderMaker();
const CONTENT = Buffer.from('content\n');

let folder: string;
let path: string;

beforeEach(() => {
  files.arm();
  folder = newFolder();
  path = join(folder, 'file.html');
});

/** How the writing fails: class or code, and message. */
async function failure(
  force = false,
): Promise<{ readonly code: unknown; readonly message: string }> {
  const outcome = await writeBytes(path, CONTENT, { force }).then(
    () => new Error('nothing failed'),
    (error: unknown) => error as Error,
  );
  return { code: (outcome as { code?: unknown }).code, message: outcome.message };
}

describe.each([[false], [true]])('a file that is written whole (force: %s)', (force) => {
  test('is for its owner only, with nothing beside it', async () => {
    await writeBytes(path, CONTENT, { force });
    expect(readFileSync(path)).toEqual(CONTENT);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file.html']);
  });

  test('is on the disk before it has its name', async () => {
    await writeBytes(path, CONTENT, { force });
    const naming = files.calls.indexOf(force ? 'rename' : 'link');
    expect(files.calls.slice(0, naming)).toEqual(['readdir', 'open', 'write', 'sync', 'close']);
  });

  test('may have the longest of names', async () => {
    path = join(folder, 'é'.repeat(127));
    await writeBytes(path, CONTENT, { force });
    expect(readFileSync(path)).toEqual(CONTENT);
  });

  test.each([
    ['open', 'EACCES', 'permission is denied'],
    ['write', 'ENOSPC', 'the disk is full'],
    ['sync', 'EIO', 'the device reported an input/output error'],
    ['close', 'EDQUOT', 'the disk quota is used up'],
    [force ? 'rename' : 'link', 'EROFS', 'the file system is read-only'],
  ])(
    'is not there at all where %s fails with %s, and said by its own name',
    async (call, code, why) => {
      files.arm({ call, nth: 1, code });
      const failed = await failure(force);
      expect(failed.code).toBe(code);
      expect(failed.message).toContain(`cannot write ${path}: ${why}`);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

describe('what is there already', () => {
  test('stays as it is, and nothing is left beside it', async () => {
    writeFileSync(path, 'mine');
    expect(await failure()).toEqual({
      code: 'target-exists',
      message: `${path} is there already; choose another --out, or replace it with --force`,
    });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['file.html']);
  });

  test('is replaced by force, with a mode of the new one', async () => {
    writeFileSync(path, 'mine', { mode: 0o644 });
    await writeBytes(path, CONTENT, { force: true });
    expect([readFileSync(path), statSync(path).mode & 0o777]).toEqual([CONTENT, 0o600]);
  });

  test('stays where its replacement fails at any step', async () => {
    writeFileSync(path, 'mine');
    for (const call of ['open', 'write', 'sync', 'close', 'rename']) {
      files.arm({ call, nth: 1, code: 'ENOSPC' });
      expect((await failure(true)).code).toBe('ENOSPC');
      expect([call, readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([
        call,
        'mine',
        ['file.html'],
      ]);
    }
  });

  test.each([[false], [true]])(
    'is never followed where it is a link (force: %s)',
    async (force) => {
      const target = join(folder, 'theirs');
      writeFileSync(target, 'theirs');
      symlinkSync(target, path);
      await writeBytes(path, CONTENT, { force }).catch(() => undefined);
      expect(readFileSync(target, 'utf8')).toBe('theirs');
    },
  );

  test('is not replaced by force where it is a folder', async () => {
    mkdirSync(path);
    expect((await failure(true)).code).toBe('EISDIR');
    expect(readdirSync(folder)).toEqual(['file.html']);
  });
});

describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'on a file system without hard links (%s)',
  (code) => {
    test('a file is made all the same', async () => {
      files.arm({ call: 'link', nth: 1, code });
      await writeBytes(path, CONTENT, { force: false });
      expect(readFileSync(path)).toEqual(CONTENT);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder)).toEqual(['file.html']);
    });

    test('what is there already stays', async () => {
      writeFileSync(path, 'mine');
      files.arm({ call: 'link', nth: 1, code });
      expect((await failure()).code).toBe('target-exists');
      expect(readFileSync(path, 'utf8')).toBe('mine');
      expect(readdirSync(folder)).toEqual(['file.html']);
    });

    test('nothing is left where the disk is full', async () => {
      files.arm({ call: 'link', nth: 1, code }, { call: 'write', nth: 2, code: 'ENOSPC' });
      expect((await failure()).code).toBe('ENOSPC');
      expect(readdirSync(folder)).toEqual([]);
    });
  },
);

test('one of several writers at the same time wins, with its own bytes', async () => {
  const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10_000));
  const results = await Promise.allSettled(
    contents.map(async (text) => writeBytes(path, Buffer.from(text), { force: false })),
  );
  const winners = contents.filter((_, index) => results[index]?.status === 'fulfilled');
  expect(winners).toEqual([readFileSync(path, 'utf8')]);
  expect(readdirSync(folder)).toEqual(['file.html']);
});

test('what a killed process has left half-written is taken away, and nothing else', async () => {
  const [, world = ''] = ownerTag().split('-');
  const uuid = '01234567-89ab-cdef-0123-456789abcdef';
  const [dead, living, foreign] = [`999999999-${world}`, ownerTag(), '999999999-0123456789ab'].map(
    (owner) => `.gen-block-${owner}-${uuid}.tmp`,
  );
  const others = [living!, foreign!, '.gen-block-notes.tmp'];
  for (const name of [dead!, ...others]) writeFileSync(join(folder, name), 'half');
  await writeBytes(path, CONTENT, { force: false });
  expect(readdirSync(folder).sort()).toEqual([...others, 'file.html'].sort());
});
