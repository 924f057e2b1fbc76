import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { REGISTRY_FILE } from '../formats/registry.js';
import { FaultyFiles } from '../testing/faulty-files.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { generateBlock } = await import('./generate-block.js');
const { joinBlock } = await import('./join-block.js');
const { verifyBlock } = await import('../verify/verify-block.js');

const newFolder = folderMaker();
const REQUEST = sampleRequest();
const NAME = 'collect-bare-100-e1-b1';
/** What the system says to a rename from one file system to another. */
const OTHER_FILE_SYSTEM = { call: 'rename', nth: 1, code: 'EXDEV' };

let share: string;
let out: string;
let source: string;
let target: string;
let right: Readonly<Record<string, string>>;

beforeEach(async () => {
  files.arm();
  [share, out] = [newFolder(), newFolder()];
  source = (await generateBlock(REQUEST, { outputFolder: share })).folder;
  target = join(out, NAME);
  right = hashesOf(source);
});

async function isWhole(): Promise<boolean> {
  return (await verifyBlock(target, { game: REQUEST.game })).conforms;
}

function events(): readonly string[] {
  const lines = readFileSync(join(out, REGISTRY_FILE), 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

describe('a block that is joined', () => {
  test('is moved within one file system, and registered', async () => {
    expect(await joinBlock(source, target, {})).toBe('moved');
    expect(namesIn(share)).toEqual([]);
    expect(namesIn(out)).toEqual([NAME]);
    expect(hashesOf(target)).toEqual(right);
    expect(events()).toEqual(['adopted']);
    expect(await isWhole()).toBe(true);
  });

  test('is copied from another file system, signatures too, and stays where it was', async () => {
    writeFileSync(join(source, 'manifest.json.0123456789abcdef.sig'), 'signed');
    files.arm(OTHER_FILE_SYSTEM);
    expect(await joinBlock(source, target, {})).toBe('copied');
    files.arm();
    expect(hashesOf(target)).toEqual(hashesOf(source));
    expect(namesIn(share)).toEqual([NAME]);
    expect(namesIn(out)).toEqual([NAME]);
    expect(events()).toEqual(['adopted']);
    for (const name of readdirSync(target)) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
    }
    expect(await isWhole()).toBe(true);
  });

  test('is not joined where something stands under its name, or other content has', async () => {
    cpSync(source, target, { recursive: true });
    expect(await joinBlock(source, target, {})).toBe('taken');
    rmSync(target, { recursive: true });
    const { folder } = await generateBlock(
      { ...REQUEST, seed: Buffer.from('another') },
      { outputFolder: out },
    );
    rmSync(folder, { recursive: true });
    await expect(joinBlock(source, target, {})).rejects.toMatchObject({ code: 'registered' });
    expect(namesIn(out)).toEqual([]);
    expect(hashesOf(source)).toEqual(right);
  });
});

describe('a copy that fails', () => {
  test('at any call leaves nothing half-made, the original whole, and the next one goes on', async () => {
    files.arm(OTHER_FILE_SYSTEM);
    await joinBlock(source, target, {});
    const { calls } = files;
    files.arm();
    const first = calls.indexOf('rename');
    expect(calls.filter((call) => call === 'write').length).toBeGreaterThan(3);
    for (let index = first + 1; index < calls.length; index += 1) {
      out = newFolder();
      target = join(out, NAME);
      files.arm(OTHER_FILE_SYSTEM, { nth: index + 1, code: 'EIO' });
      const joined = await joinBlock(source, target, {}).catch((error: unknown) => error);
      files.arm();
      // What is cleared up around the registry's lock may fail once, and harms nothing.
      if (joined !== 'copied')
        expect([calls[index], joined]).toMatchObject([calls[index], { code: 'EIO' }]);
      if (joined !== 'copied' && index <= calls.lastIndexOf('rename')) {
        expect([index, calls[index], namesIn(out)]).toEqual([index, calls[index], []]);
        expect(await joinBlock(source, target, {})).toBe('moved');
        cpSync(target, source, { recursive: true });
      }
      expect(hashesOf(target)).toEqual(right);
    }
  });

  test('because the disk gives back other bytes says so', async () => {
    files.arm(OTHER_FILE_SYSTEM);
    files.areReadsWrong = true;
    await expect(joinBlock(source, target, {})).rejects.toMatchObject({
      code: 'EIO',
      message: expect.stringContaining('gives back other bytes than were written'),
    });
    expect(namesIn(out)).toEqual([]);
  });

  test('does not follow a link among the files', async () => {
    const file = join(source, 'tickets.csv');
    unlinkSync(file);
    symlinkSync('/dev/zero', file);
    files.arm(OTHER_FILE_SYSTEM);
    await expect(joinBlock(source, target, {})).rejects.toThrow('is not a regular file');
    unlinkSync(file);
    mkdirSync(file);
    files.arm(OTHER_FILE_SYSTEM);
    await expect(joinBlock(source, target, {})).rejects.toThrow('is not a regular file');
    expect(namesIn(out)).toEqual([]);
  });
});
