import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { FaultyFiles, type Fault } from '../testing/faulty-files.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { ConformanceError, generateBlock } = await import('./generate-block.js');
const { MachineError } = await import('../core/errors.js');

const newFolder = folderMaker();
const REQUEST = sampleRequest('eldorado-mini');
const NAME = 'eldorado-mini-100-e1-b1';
/** For what is tried at every call. */
const SMALL = sampleRequest('collect-bare');
const SMALL_NAME = 'collect-bare-100-e1-b1';
const GZIP = { compression: 'gzip', formats: ['csv'] } as const;

/** Makes a block in a new folder, with one call of the file system failing. */
async function attempt(fault?: Fault, request = REQUEST) {
  files.arm(...(fault ? [fault] : []));
  const outputFolder = newFolder();
  const result = await generateBlock(request, { outputFolder, ...GZIP }).catch(
    (error: unknown) => error as Error & { code?: string },
  );
  const { calls } = files;
  files.arm();
  return { outputFolder, result, calls };
}

describe('a machine that fails while a compressed block is made', () => {
  test.each([
    ['write', 'ENOSPC', /^cannot write .*tickets\.csv\.gz: the disk is full/],
    ['sync', 'EIO', /^cannot sync .*tickets\.csv\.gz: the device reported/],
    ['close', 'EIO', /^cannot sync .*tickets\.csv\.gz: the device reported/],
    ['read', 'EIO', /^cannot read .*tickets\.csv\.gz: the device reported/],
  ])('at the first %s says so, and leaves nothing', async (call, code, words) => {
    const { result, outputFolder } = await attempt({ call, nth: 1, code });
    expect(result).toBeInstanceOf(MachineError);
    expect(result).toMatchObject({ code });
    expect((result as Error).message).toMatch(words);
    expect(namesIn(outputFolder)).toEqual([]);
  });

  test('at whatever call leaves nothing half-made', async () => {
    const { calls } = await attempt(undefined, SMALL);
    expect(calls.filter((call) => call === 'write').length).toBeGreaterThan(2);
    for (const [index, call] of calls.entries()) {
      const { result, outputFolder } = await attempt({ nth: index + 1, code: 'EIO' }, SMALL);
      // The registry's lock may fail to look for what others have left, and once to be released.
      const isMade = 'folder' in result && ['readdir', 'lstat', 'unlink'].includes(call);
      if (!isMade) expect([call, (result as { code?: string }).code]).toEqual([call, 'EIO']);
      const isCommitted = isMade || calls.lastIndexOf('rename') < index;
      expect([call, namesIn(outputFolder)]).toEqual([call, isCommitted ? [SMALL_NAME] : []]);
    }
  });

  test('takes few bytes at a time gets all of them', async () => {
    const { outputFolder } = await attempt();
    files.arm();
    files.mostBytesWritten = 1000;
    const slow = newFolder();
    await generateBlock(REQUEST, { outputFolder: slow, ...GZIP });
    expect(files.calls.filter((call) => call === 'write').length).toBeGreaterThan(30);
    expect(hashesOf(join(slow, NAME))).toEqual(hashesOf(join(outputFolder, NAME)));
  });

  test('gives back other bytes than were written gets no block its name', async () => {
    files.arm();
    files.areReadsWrong = true;
    const outputFolder = newFolder();
    const error = await generateBlock(REQUEST, { outputFolder, ...GZIP }).catch(
      (thrown: unknown) => thrown,
    );
    files.arm();
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error).toMatchObject({ report: { findingCounts: [{ code: 'file-compression' }] } });
    expect(namesIn(outputFolder)).toEqual([]);
  });
});
