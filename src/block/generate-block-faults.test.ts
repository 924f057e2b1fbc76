import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FaultyFiles, type Fault } from '../testing/faulty-files.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';
import type { GenerateOptions, GeneratedBlock } from './generate-block.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { ConformanceError, generateBlock } = await import('./generate-block.js');
const { writeNewFile } = await import('./new-file.js');
const { verifyBlock } = await import('../verify/verify-block.js');
const { MachineError } = await import('../core/errors.js');

jest.setTimeout(120_000);
const newFolder = folderMaker();
const REQUEST = sampleRequest('collect-bare');
const OLD = { ...REQUEST, seed: Buffer.from('old') };
const NAME = 'collect-bare-100-e1-b1';

let outputFolder: string;
let folder: string;

beforeEach(() => {
  files.arm();
  outputFolder = newFolder();
  folder = join(outputFolder, NAME);
});

async function generate(
  fault: Fault | undefined,
  options: Partial<GenerateOptions> = {},
  request = REQUEST,
): Promise<GeneratedBlock> {
  files.arm(...(fault ? [fault] : []));
  try {
    return await generateBlock(request, { outputFolder, ...options });
  } finally {
    files.arm();
  }
}

/** In place of an error where there was none. */
const MADE_ALL_THE_SAME = 'the block was made all the same';

/** The error of a block that a fault must stop. */
async function errorOf(...args: Parameters<typeof generate>): Promise<Error & { code?: string }> {
  const outcome = await generate(...args).then(
    () => new Error(MADE_ALL_THE_SAME),
    (error: unknown) => error as Error,
  );
  expect(outcome.message).not.toMatch(/\n/);
  return outcome;
}

/** How many calls of the file system a block takes. */
async function countCalls(options: Partial<GenerateOptions> = {}): Promise<readonly string[]> {
  files.arm();
  await generateBlock(REQUEST, { outputFolder, ...options });
  return files.calls;
}

test('a power failure does not take away the folders that a block has made for itself', async () => {
  const before = await countCalls({ outputFolder: newFolder() });
  const after = await countCalls({ outputFolder: join(newFolder(), 'new', 'newer') });
  const syncs = (calls: readonly string[]): number =>
    calls.filter((call) => call === 'sync').length;
  expect(syncs(after)).toBe(syncs(before) + 2);
  const fault = { call: 'sync', nth: 1, code: 'EIO' };
  const error = await errorOf(fault, { outputFolder: join(outputFolder, 'new') });
  expect(error.message).toMatch(/^cannot \w+ .*input\/output error/);
  expect(await generate(undefined, { outputFolder: join(outputFolder, 'new') })).toMatchObject({
    kept: false,
  });
});

describe('a machine that fails while a block is made', () => {
  const WHOLE_MESSAGE = /^cannot (?<action>\w+) (?<path>.+?): (?<advice>.+)$/;

  test.each<[string, Fault, string, RegExp, string]>([
    [
      'has no space left',
      { call: 'write', nth: 1, code: 'ENOSPC' },
      'write',
      /tickets\.(csv|ndjson)$/,
      'the disk is full; free some space or choose another --out',
    ],
    [
      'has no space left for the last bytes',
      { call: 'write', nth: 3, code: 'ENOSPC' },
      'write',
      /tickets\.(csv|ndjson)$/,
      'the disk is full; free some space or choose another --out',
    ],
    [
      'has no space left for the manifest',
      { call: 'write', nth: 4, code: 'ENOSPC' },
      'write',
      /manifest\.json$/,
      'the disk is full; free some space or choose another --out',
    ],
    [
      'has a quota',
      { call: 'write', nth: 2, code: 'EDQUOT' },
      'write',
      /tickets\.(csv|ndjson)$/,
      'the disk quota is used up; free some space or choose another --out',
    ],
    [
      'has a limit for files',
      { call: 'write', nth: 2, code: 'EFBIG' },
      'write',
      /tickets\.(csv|ndjson)$/,
      'the file size limit is reached; raise it (ulimit -f) or choose another --out',
    ],
    [
      'does not get the tickets on the disk',
      { call: 'sync', nth: 1, code: 'EIO' },
      'sync',
      /tickets\.ndjson$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      'does not get the manifest on the disk',
      { call: 'sync', nth: 3, code: 'EIO' },
      'write',
      /manifest\.json$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      "does not get the registry's entry on the disk",
      { call: 'sync', nth: 5, code: 'EIO' },
      'write',
      /registry\.ndjson$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      'does not get the folder on the disk',
      { call: 'sync', nth: 7, code: 'EIO' },
      'sync',
      /\.staging-[^/]*$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      'reports a lost write when a tickets file is closed',
      { call: 'close', nth: 1, code: 'EIO' },
      'sync',
      /tickets\.ndjson$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      'reports a lost write when the manifest is closed',
      { call: 'close', nth: 3, code: 'ENOSPC' },
      'write',
      /manifest\.json$/,
      'the disk is full; free some space or choose another --out',
    ],
    [
      'lets nobody write into the output folder',
      { call: 'mkdir', nth: 2, code: 'EACCES' },
      'create',
      /\.staging-[^/]*$/,
      'permission is denied; check the owner and the mode of it and its folder',
    ],
    [
      'is read-only',
      { call: 'mkdir', nth: 2, code: 'EROFS' },
      'create',
      /\.staging-[^/]*$/,
      'the file system is read-only; choose another --out',
    ],
    [
      'does not make the output folder',
      { call: 'mkdir', nth: 1, code: 'EROFS' },
      'create',
      /out-[^/]*$/,
      'the file system is read-only; choose another --out',
    ],
    [
      'has too many files open',
      { call: 'open', nth: 2, code: 'EMFILE' },
      'create',
      /tickets\.csv$/,
      'too many files are open; raise the limit (ulimit -n)',
    ],
    [
      'cannot read back what was written',
      { call: 'read', nth: 1, code: 'EIO' },
      'read',
      /tickets\.(csv|ndjson)$/,
      'the device reported an input/output error; check the disk before you try again',
    ],
    [
      'does not rename',
      { call: 'rename', nth: 1, code: 'EPERM' },
      'rename',
      /\.staging-[^/]*$/,
      'the operation is not permitted; check the owner and the attributes of the folder',
    ],
    [
      'fails in a way that nobody has thought of',
      { call: 'rename', nth: 1, code: 'ESTALE' },
      'rename',
      /\.staging-[^/]*$/,
      'the operating system said ESTALE',
    ],
  ])('because it %s says so, and leaves nothing', async (_, fault, action, path, advice) => {
    const error = await errorOf(fault);
    expect(error).toBeInstanceOf(MachineError);
    expect(error.code).toBe(fault.code);
    const parts = WHOLE_MESSAGE.exec(error.message)?.groups;
    expect(parts).toMatchObject({ action, advice });
    expect(parts?.['path']).toMatch(path);
    expect(parts?.['path']?.startsWith(outputFolder)).toBe(true);
    expect(namesIn(outputFolder)).toEqual([]);
  });

  test.each([1, 2, 5, 7])(
    'at write %d of a block of several chunks leaves nothing',
    async (nth) => {
      const request = sampleRequest('eldorado-mini');
      const error = await errorOf({ call: 'write', nth, code: 'ENOSPC' }, {}, request);
      expect(error.message).toMatch(/^cannot write .*the disk is full/);
      expect(namesIn(outputFolder)).toEqual([]);
    },
  );

  test('after the rename leaves a whole block, and a message that says what to do', async () => {
    const error = await errorOf({ call: 'sync', nth: 8, code: 'EIO' });
    expect(error).toBeInstanceOf(MachineError);
    expect(error.message).toBe(
      `the block was written to ${folder}, but the disk did not confirm it: ` +
        'run the same command again, which verifies it and keeps it if it is whole',
    );
    expect((await verifyBlock(folder, { game: REQUEST.game })).conforms).toBe(true);
    expect((await generate(undefined)).kept).toBe(true);
  });
});

/**
 * Closing a file that was only read cannot fail in a way that matters, and has no words of its own. And
 * once the registry's lock is taken, looking for what others have left of locks may fail, and so may the
 * first attempt to release it.
 *
 * @returns Whether the block was made all the same.
 */
function expectFailure(call: string, error: Error & { code?: string }): boolean {
  if (error.message === MADE_ALL_THE_SAME) {
    expect(['readdir', 'lstat', 'unlink']).toContain(call);
    return true;
  }
  expect([call, error.code]).toEqual([call, 'EIO']);
  if (call !== 'close') expect([call, error.constructor.name]).toEqual([call, 'MachineError']);
  return false;
}

describe('one failure at each call of the file system', () => {
  // One format is enough to meet each kind of call.
  const options = { formats: ['csv'] } as const;
  const byForce = { ...options, force: true } as const;

  test('of a new block: no half-made one, no remains, and the next run has the right bytes', async () => {
    const calls = await countCalls(options);
    const hashes = hashesOf(folder);
    expect(calls.length).toBeGreaterThan(20);
    for (const [index, call] of calls.entries()) {
      outputFolder = newFolder();
      folder = join(outputFolder, NAME);
      const error = await errorOf({ nth: index + 1, code: 'EIO' }, options);
      const isCommitted = expectFailure(call, error) || calls.lastIndexOf('rename') < index;
      expect([call, namesIn(outputFolder)]).toEqual([call, isCommitted ? [NAME] : []]);
      expect((await generate(undefined, options)).kept).toBe(isCommitted);
      expect(hashesOf(folder)).toEqual(hashes);
      expect(namesIn(outputFolder)).toEqual([NAME]);
    }
  });

  test('of a replacement: the name always has a whole block, the old one or the new one', async () => {
    const { folder: original } = await generate(undefined, options, OLD);
    const old = hashesOf(original);
    const kept = newFolder();
    cpSync(outputFolder, kept, { recursive: true });
    const calls = await countCalls(byForce);
    const hashes = hashesOf(original);
    for (const [index, call] of calls.entries()) {
      outputFolder = newFolder();
      folder = join(outputFolder, NAME);
      cpSync(kept, outputFolder, { recursive: true });
      const error = await errorOf({ nth: index + 1, code: 'EIO' }, byForce);
      const isCommitted = expectFailure(call, error) || calls.lastIndexOf('rename') < index;
      expect([call, hashesOf(folder)]).toEqual([call, isCommitted ? hashes : old]);
      // What stands aside after the commit is for the next run to remove, once this one has ended.
      if (!isCommitted) expect([call, namesIn(outputFolder)]).toEqual([call, [NAME]]);
      if (index < calls.indexOf('rename')) continue;
      await generate(undefined, byForce);
      expect(hashesOf(folder)).toEqual(hashes);
    }
  });

  test('of a block that is there already: it stays as it is', async () => {
    await generate(undefined, options);
    const hashes = hashesOf(folder);
    const calls = await countCalls(options);
    for (const [index, call] of calls.entries()) {
      const error = await errorOf({ nth: index + 1, code: 'EIO' }, options);
      expectFailure(call, error);
      expect(hashesOf(folder)).toEqual(hashes);
      expect(namesIn(outputFolder)).toEqual([NAME]);
    }
  });
});

test('a disk that takes few bytes at a time gets all of them', async () => {
  await generate(undefined);
  const elsewhere = newFolder();
  files.arm();
  files.mostBytesWritten = 1000;
  const made = await generateBlock(REQUEST, { outputFolder: elsewhere });
  expect(files.calls.filter((call) => call === 'write').length).toBeGreaterThan(50);
  expect(hashesOf(made.folder)).toEqual(hashesOf(folder));
});

describe('a disk that gives back other bytes than were written', () => {
  async function errorOfWrongReads(force: boolean): Promise<unknown> {
    files.arm();
    files.areReadsWrong = true;
    const error = await generateBlock(REQUEST, { outputFolder, force }).catch(
      (thrown: unknown) => thrown,
    );
    files.arm();
    return error;
  }

  const failure = {
    message: `the block ${NAME} did not pass its own verification and was not kept`,
    report: { conforms: false },
  };

  test('gets no block its name', async () => {
    const error = await errorOfWrongReads(false);
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error).toMatchObject(failure);
    expect(namesIn(outputFolder)).toEqual([]);
  });

  test('gets no block the name of an old one, which stays', async () => {
    await generate(undefined);
    const hashes = hashesOf(folder);
    expect(await errorOfWrongReads(true)).toMatchObject(failure);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(hashesOf(folder)).toEqual(hashes);
  });
});

describe('a name that another run takes while a block is made', () => {
  /** Puts something under the block's name after it was found free. */
  async function takenBy(put: () => void): Promise<Error> {
    let isPut = false;
    const onProgress = ({ phase }: { phase: string }): void => {
      if (phase !== 'verifying' || isPut) return;
      isPut = true;
      put();
    };
    return errorOf(undefined, { onProgress });
  }

  test('for an empty folder is taken back: nothing is lost by it', async () => {
    const error = await takenBy(() => {
      mkdirSync(folder);
    });
    expect(error.message).toBe(MADE_ALL_THE_SAME);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect((await verifyBlock(folder, { game: REQUEST.game })).conforms).toBe(true);
  });

  test('for something that is no block is refused', async () => {
    const error = await takenBy(() => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'mine'), '');
    });
    expect(error).toMatchObject({ code: 'target-exists' });
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(readdirSync(folder)).toEqual(['mine']);
  });
});

describe('a small file', () => {
  test('appears whole or not at all, whatever call fails', async () => {
    const path = join(outputFolder, 'small');
    files.arm();
    await writeNewFile(path, Buffer.from('content'));
    const { calls } = files;
    for (const [index, call] of calls.entries()) {
      outputFolder = newFolder();
      const other = join(outputFolder, 'small');
      files.arm({ nth: index + 1, code: 'ENOSPC' });
      await expect(writeNewFile(other, Buffer.from('content'))).rejects.toThrow(MachineError);
      expect([call, namesIn(outputFolder)]).toEqual([call, []]);
    }
  });
});
