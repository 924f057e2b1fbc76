import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newAgeKey, type AgeKey } from '../testing/age-lab.js';
import { FaultyFiles, type Fault } from '../testing/faulty-files.js';
import { folderMaker, namesIn, sampleRequest } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { ConformanceError, generateBlock } = await import('./generate-block.js');
const { verifyBlock } = await import('../verify/verify-block.js');
const { MachineError } = await import('../core/errors.js');

const newFolder = folderMaker();
const REQUEST = sampleRequest('eldorado-mini');
const NAME = 'eldorado-mini-100-e1-b1';
/** For what is tried at every call. */
const SMALL = sampleRequest('collect-bare');
const SMALL_NAME = 'collect-bare-100-e1-b1';

let key: AgeKey;

beforeAll(async () => {
  key = await newAgeKey();
});

/** Makes a block in a new folder, with one call of the file system failing. */
async function attempt(fault?: Fault, request = REQUEST) {
  files.arm(...(fault ? [fault] : []));
  const outputFolder = newFolder();
  const options = { outputFolder, formats: ['csv'], encryptTo: [key.recipient] } as const;
  const result = await generateBlock(request, options).catch(
    (error: unknown) => error as Error & { code?: string },
  );
  const { calls } = files;
  files.arm();
  return { outputFolder, result, calls };
}

describe('a machine that fails while an encrypted block is made', () => {
  test.each([
    ['write', 1, 'ENOSPC', /^cannot write .*tickets\.csv\.age: the disk is full/],
    ['write', 3, 'ENOSPC', /^cannot write .*tickets\.csv\.age: the disk is full/],
    ['sync', 1, 'EIO', /^cannot sync .*tickets\.csv\.age: the device reported/],
    ['close', 1, 'EIO', /^cannot sync .*tickets\.csv\.age: the device reported/],
    ['read', 1, 'EIO', /^cannot read .*tickets\.csv\.age: the device reported/],
  ])('at %s %d says so, and leaves nothing', async (call, nth, code, words) => {
    const { result, outputFolder } = await attempt({ call, nth, code });
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
    files.arm();
    files.mostBytesWritten = 1000;
    const outputFolder = newFolder();
    await generateBlock(REQUEST, { outputFolder, encryptTo: [key.recipient] });
    expect(files.calls.filter((call) => call === 'write').length).toBeGreaterThan(1000);
    files.arm();
    const options = { game: REQUEST.game, identities: [key.identity] };
    expect((await verifyBlock(join(outputFolder, NAME), options)).findings).toEqual([]);
  });

  test('gives back other bytes than were written gets no block its name', async () => {
    files.arm();
    files.areReadsWrong = true;
    const outputFolder = newFolder();
    const options = { outputFolder, encryptTo: [key.recipient], formats: ['csv'] } as const;
    const error = await generateBlock(REQUEST, options).catch((thrown: unknown) => thrown);
    files.arm();
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error).toMatchObject({
      report: {
        findingCounts: [{ code: 'file-encryption', count: 1 }],
        findings: [{ found: expect.stringMatching(/^others on the disk, SHA-256 [0-9a-f]{64}$/) }],
      },
    });
    expect(namesIn(outputFolder)).toEqual([]);
  });
});
