import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { MachineError } from '../core/errors.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';
import {
  commitFolder,
  kindOfEntry,
  makeOutputFolder,
  makeStagingFolder,
  mendLeftovers,
  removeFolder,
  replaceFolder,
} from './block-folder.js';
import { generateBlock } from './generate-block.js';
import { ownerTag } from './owner.js';

const newFolder = folderMaker();
const NAME = 'rows-plain-100-e1-b1';
const LIVING = ownerTag();
const WORLD = LIVING.split('-')[1] ?? '';
const DEAD = `${spawnSync('true').pid}-${WORLD}`;

let outputFolder: string;
let target: string;

beforeEach(() => {
  outputFolder = newFolder();
  target = join(outputFolder, NAME);
});

/** Puts a temporary folder with one file into the output folder, as a killed run leaves it. */
function leave(kind: 'staging' | 'replaced', owner: string, content: string = kind): string {
  const name = `.${NAME}.${kind}-${owner}-${'0123456789abcdef'.repeat(2)}`;
  mkdirSync(join(outputFolder, name));
  writeFileSync(join(outputFolder, name, 'content'), content);
  return name;
}

function put(path: string, content: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'content'), content);
}

const contentOf = (path: string): string => readFileSync(join(path, 'content'), 'utf8');

describe('what killed runs left behind', () => {
  test('a half-made block of a run that has ended is removed', async () => {
    leave('staging', DEAD);
    await mendLeftovers(outputFolder, NAME);
    expect(namesIn(outputFolder)).toEqual([]);
  });

  test.each(['staging', 'replaced'] as const)(
    'a %s folder of a run that goes on stays',
    async (kind) => {
      const name = leave(kind, LIVING);
      await mendLeftovers(outputFolder, NAME);
      expect(namesIn(outputFolder)).toEqual([name]);
    },
  );

  test('a folder of a thread that is known to have ended is mended, and no other', async () => {
    const [ended, running] = [ownerTag(3), ownerTag(4)];
    const name = leave('staging', running);
    leave('staging', ended);
    leave('replaced', ended, 'the old block');
    await mendLeftovers(outputFolder, NAME);
    expect(readdirSync(outputFolder)).toHaveLength(3);
    await mendLeftovers(outputFolder, NAME, (owner) => owner === ended);
    expect(readdirSync(outputFolder).sort()).toEqual([name, NAME].sort());
    expect(contentOf(target)).toBe('the old block');
  });

  test.each(['staging', 'replaced'] as const)(
    'a %s folder of another machine stays',
    async (kind) => {
      const name = leave(kind, `${DEAD.split('-')[0] ?? ''}-${'0'.repeat(12)}`);
      await mendLeftovers(outputFolder, NAME);
      expect(namesIn(outputFolder)).toEqual([name]);
    },
  );

  test('an old block without a successor gets its name back', async () => {
    leave('replaced', DEAD, 'the old block');
    await mendLeftovers(outputFolder, NAME);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('the old block');
  });

  test('an old block with a successor is removed', async () => {
    put(target, 'the new block');
    leave('replaced', DEAD, 'the old block');
    await mendLeftovers(outputFolder, NAME);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('the new block');
  });

  test('of a run that was killed between its two renames, the old block comes back', async () => {
    leave('staging', DEAD, 'the new block');
    leave('replaced', DEAD, 'the old block');
    await mendLeftovers(outputFolder, NAME);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('the old block');
  });

  test('folders of other blocks and of other programs stay', async () => {
    const others = [
      `.${NAME}0.staging-${DEAD}-${'0'.repeat(32)}`,
      `.${NAME}.staging-${DEAD}-${'0'.repeat(31)}`,
      `.${NAME}.backup-${DEAD}-${'0'.repeat(32)}`,
      `${NAME}.staging-${DEAD}-${'0'.repeat(32)}`,
      `.${NAME}.staging`,
    ].sort();
    for (const name of others) mkdirSync(join(outputFolder, name));
    await mendLeftovers(outputFolder, NAME);
    expect(namesIn(outputFolder)).toEqual(others);
  });

  test('runs that clear up at the same time do not disturb each other', async () => {
    leave('staging', DEAD);
    leave('replaced', DEAD, 'the old block');
    await Promise.all([1, 2, 3, 4].map(async () => mendLeftovers(outputFolder, NAME)));
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('the old block');
  });

  test('an output folder that cannot be read is named', async () => {
    await expect(mendLeftovers(join(outputFolder, 'none'), NAME)).rejects.toThrow(
      `cannot read ${join(outputFolder, 'none')}: there is no such file or folder`,
    );
  });
});

describe('a block that is made after a killed run', () => {
  const request = sampleRequest('rows-plain');

  test('leaves nothing of the killed run behind', async () => {
    leave('staging', DEAD);
    expect((await generateBlock(request, { outputFolder })).kept).toBe(false);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('is the old one, where the kill fell between the two renames of a replacement', async () => {
    const { folder } = await generateBlock(request, { outputFolder: newFolder() });
    const aside = join(outputFolder, `.${NAME}.replaced-${DEAD}-${'a'.repeat(32)}`);
    await commitFolder(folder, aside);
    expect((await generateBlock(request, { outputFolder })).kept).toBe(true);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('is refused where the old one that comes back is another one', async () => {
    const { folder } = await generateBlock(request, { outputFolder: newFolder() });
    const hashes = hashesOf(folder);
    await commitFolder(folder, join(outputFolder, `.${NAME}.replaced-${DEAD}-${'a'.repeat(32)}`));
    const other = generateBlock({ ...request, seed: Buffer.from('another') }, { outputFolder });
    await expect(other).rejects.toThrow('it was made from another seed');
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(hashesOf(target)).toEqual(hashes);
  });

  test('does not touch the folder of a run that goes on', async () => {
    const name = leave('staging', LIVING);
    await generateBlock(request, { outputFolder });
    expect(namesIn(outputFolder)).toEqual([name, NAME].sort());
  });
});

describe('blocks that are made at the same time under one name', () => {
  const request = sampleRequest('rows-plain');

  test('of one seed are one block, which all runs have', async () => {
    const made = await Promise.all(
      [1, 2, 3, 4].map(async () => generateBlock(request, { outputFolder })),
    );
    expect(made.filter(({ kept }) => !kept)).toHaveLength(1);
    expect(made.every(({ folder, report }) => folder === target && report.conforms)).toBe(true);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('of different seeds are one block, and the other runs are refused', async () => {
    const seeds = ['a', 'b', 'c', 'd'].map((text) => Buffer.from(text));
    const runs = await Promise.allSettled(
      seeds.map(async (seed) => generateBlock({ ...request, seed }, { outputFolder })),
    );
    const winner = runs.findIndex(({ status }) => status === 'fulfilled');
    const refusals = runs.filter((run) => run.status === 'rejected');
    expect(refusals.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array.from({ length: 3 }, () => 'target-exists'),
    );
    const seed = seeds[winner] ?? Buffer.alloc(0);
    const alone = await generateBlock({ ...request, seed }, { outputFolder: newFolder() });
    expect(hashesOf(target)).toEqual(hashesOf(alone.folder));
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });
});

describe('the output folder', () => {
  test('is made with all folders above it, open to its owner only', async () => {
    const path = join(outputFolder, 'a', 'b', 'c');
    await makeOutputFolder(path);
    for (const made of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(outputFolder, made)).mode & 0o777).toBe(0o700);
    }
  });

  test('keeps its mode and its files where it is there', async () => {
    const path = join(outputFolder, 'there');
    mkdirSync(path, { mode: 0o755 });
    writeFileSync(join(path, 'mine'), '');
    await makeOutputFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(readdirSync(path)).toEqual(['mine']);
  });

  test('is never in the folder of a block, which it would spoil', async () => {
    const { folder } = await generateBlock(sampleRequest(), { outputFolder });
    const before = hashesOf(folder);
    for (const path of [folder, join(folder, 'new'), join(folder, 'new', 'below')]) {
      const another = generateBlock(sampleRequest('collect-bare', { block: 2 }), {
        outputFolder: path,
      });
      await expect(another).rejects.toMatchObject({ code: 'target-exists', place: path });
    }
    expect(hashesOf(folder)).toEqual(before);
  });

  test('may be beside another file of that name', async () => {
    writeFileSync(join(outputFolder, 'manifest.json'), '{}');
    await makeOutputFolder(join(outputFolder, 'below'));
    expect(namesIn(outputFolder)).toEqual(['below', 'manifest.json']);
  });

  test('may be a link to a folder', async () => {
    mkdirSync(join(outputFolder, 'real'));
    symlinkSync('real', join(outputFolder, 'link'));
    await makeOutputFolder(join(outputFolder, 'link', 'below'));
    expect(readdirSync(join(outputFolder, 'real'))).toEqual(['below']);
  });

  test('is made once by runs that start at the same time', async () => {
    const path = join(outputFolder, 'a', 'b', 'c');
    await Promise.all([1, 2, 3, 4].map(async () => makeOutputFolder(path)));
    expect(existsSync(path)).toBe(true);
  });

  test.each([
    ['a file', 'file', 'a file is there; choose another --out'],
    ['below a file', 'file/below/it', 'a part of the path is not a folder; check the path'],
    ['a link to nowhere', 'nowhere', 'there is no such file or folder; check the path'],
    ['below a link to itself', 'circle/below', 'the path is a symbolic link'],
  ])('cannot be %s', async (_, path, advice) => {
    writeFileSync(join(outputFolder, 'file'), '');
    symlinkSync('away/and/gone', join(outputFolder, 'nowhere'));
    symlinkSync('circle', join(outputFolder, 'circle'));
    const made = makeOutputFolder(join(outputFolder, path));
    await expect(made).rejects.toThrow(MachineError);
    await expect(made).rejects.toThrow(advice);
    await expect(made).rejects.toThrow(join(outputFolder, path));
  });

  test('cannot be in a file system that takes no folders, and that is found at once', async () => {
    const made = makeOutputFolder('/proc/no/such/folder');
    await expect(made).rejects.toThrow(MachineError);
    await expect(made).rejects.toThrow('cannot create /proc/no/such/folder: there is no such');
  });
});

describe('a staging folder', () => {
  test('has a name of its own each time, and is open to its owner only', async () => {
    const first = await makeStagingFolder(outputFolder, NAME);
    const second = await makeStagingFolder(outputFolder, NAME);
    const name = new RegExp(`^\\.${NAME}\\.staging-${LIVING}-[0-9a-f]{32}$`);
    expect(namesIn(outputFolder)).toEqual([
      expect.stringMatching(name),
      expect.stringMatching(name),
    ]);
    expect(first).not.toBe(second);
    expect(statSync(first).mode & 0o777).toBe(0o700);
  });

  test('cannot be made in a folder that is not there', async () => {
    const made = makeStagingFolder(join(outputFolder, 'none'), NAME);
    await expect(made).rejects.toThrow(/^cannot create .*: there is no such file or folder/);
  });
});

describe('the final name', () => {
  test('is given in one step where it is free', async () => {
    const staging = await makeStagingFolder(outputFolder, NAME);
    writeFileSync(join(staging, 'content'), 'new');
    expect(await commitFolder(staging, target)).toBe(true);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test.each(['a folder', 'a file'])('is not given where it is taken by %s', async (what) => {
    if (what === 'a file') writeFileSync(target, 'old');
    else put(target, 'old');
    const staging = await makeStagingFolder(outputFolder, NAME);
    writeFileSync(join(staging, 'content'), 'new');
    expect(await commitFolder(staging, target)).toBe(false);
    expect(contentOf(staging)).toBe('new');
    expect(readFileSync(what === 'a file' ? target : join(target, 'content'), 'utf8')).toBe('old');
  });

  test('cannot be given to a folder that is gone', async () => {
    await expect(commitFolder(join(outputFolder, 'gone'), target)).rejects.toThrow(MachineError);
    expect(existsSync(target)).toBe(false);
  });

  test('can be taken from an old folder, which goes', async () => {
    put(target, 'old');
    const staging = await makeStagingFolder(outputFolder, NAME);
    writeFileSync(join(staging, 'content'), 'new');
    expect(await replaceFolder(staging, target)).toBe(true);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('new');
  });

  test('is given by a replacement where there is nothing to replace', async () => {
    const staging = await makeStagingFolder(outputFolder, NAME);
    expect(await replaceFolder(staging, target)).toBe(true);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('stays with the old folder where the new one is gone', async () => {
    put(target, 'old');
    await expect(replaceFolder(join(outputFolder, 'gone'), target)).rejects.toThrow(MachineError);
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect(contentOf(target)).toBe('old');
  });

  test('goes to one of several replacements at the same time, and nothing else stays', async () => {
    put(target, 'old');
    const stagings = await Promise.all(
      ['a', 'b', 'c'].map(async (content) => {
        const staging = await makeStagingFolder(outputFolder, NAME);
        writeFileSync(join(staging, 'content'), content);
        return staging;
      }),
    );
    const placed = await Promise.all(
      stagings.map(async (staging) => replaceFolder(staging, target)),
    );
    expect(placed).toContain(true);
    for (const [index, staging] of stagings.entries()) {
      expect(existsSync(staging)).toBe(placed[index] === false);
      await removeFolder(staging);
    }
    expect(namesIn(outputFolder)).toEqual([NAME]);
    expect('abc').toContain(contentOf(target));
  });
});

describe('an entry', () => {
  test('is nothing, a folder, or something else; a link is never followed', async () => {
    put(join(outputFolder, 'folder'), '');
    symlinkSync('folder', join(outputFolder, 'link'));
    expect(await kindOfEntry(join(outputFolder, 'none'))).toBe('nothing');
    expect(await kindOfEntry(join(outputFolder, 'folder'))).toBe('folder');
    expect(await kindOfEntry(join(outputFolder, 'folder', 'content'))).toBe('other');
    expect(await kindOfEntry(join(outputFolder, 'link'))).toBe('other');
  });

  test('that cannot be looked at is a failure of the machine', async () => {
    put(join(outputFolder, 'folder'), '');
    const path = join(outputFolder, 'folder', 'content', 'below');
    await expect(kindOfEntry(path)).rejects.toThrow(`cannot read ${path}: a part of the path`);
  });
});
