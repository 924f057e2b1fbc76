import { describe, expect, test } from '@jest/globals';
import { judgeFault, judgeRerun, LOCK, type Expected, type Undisturbed } from './judge.js';
import type { Ended } from './run-program.js';
import type { Tree, TreeEntry } from './read-tree.js';

const SEED = 'a-seed-that-is-secret';
const STAGING = `.block.staging-1-${'0'.repeat(12)}-${'0'.repeat(32)}`;

/** What lies in an output folder: the content of each path. */
function treeOf(contents: Readonly<Record<string, string>>, change?: Partial<TreeEntry>): Tree {
  return new Map(
    Object.entries(contents).map(([path, content]) => {
      const mode = content === 'folder' ? 0o700 : 0o600;
      return [path, { path, content, bytes: 1, mode, holdsSeed: false, ...change }];
    }),
  );
}

const RIGHT = {
  block: 'folder',
  'block/manifest.json': 'm',
  'block/tickets.csv': 't',
  sub: 'folder',
  'sub/other': 'folder',
  'sub/other/manifest.json': 'n',
};
const UNDISTURBED: Undisturbed = { seed: SEED, tree: treeOf(RIGHT) };
const FAILED: Ended = { exit: 3, stdout: '', stderr: 'gen-block: the disk is full\n' };
const DONE: Ended = { exit: 0, stdout: '', stderr: '' };
const KILLED: Ended = { exit: 'SIGKILL', stdout: '', stderr: '' };
const EXPECTED: Expected = { exits: [0, 3, 'SIGKILL'] };

const judge = (ended: Ended, contents: Readonly<Record<string, string>>, expected = EXPECTED) =>
  judgeFault([ended], treeOf(contents), UNDISTURBED, expected);

/** The right tree without some of its paths. */
function without(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(RIGHT).filter(([path]) => !paths.includes(path)));
}

describe('after a fault all is well', () => {
  test.each<[string, Ended, Readonly<Record<string, string>>]>([
    ['nothing was made', FAILED, {}],
    [
      'one of the blocks stands there',
      FAILED,
      without('block', 'block/manifest.json', 'block/tickets.csv'),
    ],
    ['all blocks stand there', DONE, RIGHT],
    [
      'a killed run has left half-made work',
      KILLED,
      { ...RIGHT, [STAGING]: 'folder', [`${STAGING}/x`]: 'half' },
    ],
    ['something lies there that other checks judge', DONE, { ...RIGHT, 'registry.ndjson': 'r' }],
  ])('where %s', (_, ended, contents) => {
    expect(judge(ended, contents)).toEqual([]);
  });

  test('where the broken block of before still stands there', () => {
    const broken = { ...RIGHT, 'block/tickets.csv': 'cut' };
    expect(judge(FAILED, broken, { ...EXPECTED, before: treeOf(broken) })).toEqual([]);
  });

  test('where what may stay has stayed', () => {
    const left = { '.gen-block.lock': 'l' };
    expect(judge(FAILED, left, { ...EXPECTED, mayLeave: LOCK })).toEqual([]);
  });
});

describe('after a fault the judge finds', () => {
  test.each<[string, Ended, Readonly<Record<string, string>>, string]>([
    [
      'a truncated file under a final name',
      KILLED,
      { ...RIGHT, 'block/tickets.csv': 'half' },
      'block is a wrong or partial block',
    ],
    [
      'a block without one of its files',
      KILLED,
      without('block/manifest.json'),
      'block is a wrong or partial block',
    ],
    [
      'an empty block',
      KILLED,
      without('sub/other/manifest.json'),
      'sub/other is a wrong or partial block',
    ],
    [
      'a file too many in a block',
      KILLED,
      { ...RIGHT, 'block/x': 'x' },
      'block/x stands under a name',
    ],
    ['a file too many beside the blocks', KILLED, { ...RIGHT, x: 'x' }, 'x stands under a name'],
    [
      'half-made work in a folder of no known name',
      KILLED,
      { '.x': 'folder' },
      '.x stands under a name',
    ],
    [
      'a staging folder after an end in good order',
      FAILED,
      { [STAGING]: 'folder' },
      `left behind: ${STAGING}`,
    ],
    [
      'a lock after an end in good order',
      FAILED,
      { '.gen-block.lock': 'l' },
      'left behind: .gen-block.lock',
    ],
    [
      'a success without all blocks',
      DONE,
      without('block', 'block/manifest.json', 'block/tickets.csv'),
      'block was said to be whole',
    ],
    [
      'a block that was said to be made',
      { ...FAILED, stdout: '{"blocks":[{"name":"other","outcome":"made"}]}\n' },
      {},
      'sub/other was said to be whole',
    ],
    ['an exit code that is not right', { ...FAILED, exit: 1 }, {}, 'ended with 1, not 0 or 3'],
    ['a signal that is not right', { ...FAILED, exit: 'SIGABRT' }, {}, 'ended with SIGABRT, not'],
    ['a failure without a word', { ...FAILED, stderr: '' }, {}, 'no clear line with 3'],
    [
      'a success with a word',
      { ...DONE, stderr: 'gen-block: hm\n' },
      RIGHT,
      'no clear line with 0',
    ],
    [
      'more lines than there are blocks in hand',
      { ...FAILED, stderr: 'gen-block: a\ngen-block: b\ngen-block: c\n' },
      {},
      'no clear line with 3',
    ],
    [
      'a stack trace',
      { ...FAILED, stderr: 'gen-block: a\n    at main (x.js:1:1)\n' },
      {},
      'blames itself',
    ],
    [
      'a program that blames itself',
      { ...FAILED, stderr: 'gen-block: a fault of gen-block itself\n' },
      {},
      'blames itself',
    ],
    ['chatter where data belongs', { ...FAILED, stdout: 'hello\n' }, {}, 'said on stdout: hello'],
    [
      'the seed in a message',
      { ...FAILED, stderr: `gen-block: ${SEED}\n` },
      {},
      'the seed was printed',
    ],
    ['the seed in the output', { ...KILLED, stdout: SEED }, {}, 'the seed was printed'],
  ])('%s', (_, ended, contents, problem) => {
    expect(judge(ended, contents).join('\n')).toContain(problem);
  });

  test('a block that is neither the one of before nor the right one', () => {
    const before = treeOf({ ...RIGHT, 'block/tickets.csv': 'cut' });
    const problems = judge(
      FAILED,
      { ...RIGHT, 'block/tickets.csv': 'half' },
      { ...EXPECTED, before },
    );
    expect(problems).toEqual(['block is a wrong or partial block under its final name']);
  });

  test.each([
    ['the seed in a file', { holdsSeed: true }, 'the seed stands in block/tickets.csv'],
    ['what others can read', { mode: 0o644 }, 'block/tickets.csv is open to others: 644'],
  ])('%s', (_, change, problem) => {
    expect(judgeFault([DONE], treeOf(RIGHT, change), UNDISTURBED, EXPECTED)).toContain(problem);
  });
});

describe('after the rerun', () => {
  test('all is well where everything is as if nothing had been', () => {
    const tree = treeOf({ ...RIGHT, 'registry.ndjson': 'r' });
    expect(judgeRerun(DONE, tree, UNDISTURBED)).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a wrong byte',
      { ...RIGHT, 'block/tickets.csv': 'other' },
      'block/tickets.csv is not the one of other runs',
    ],
    [
      'a staging folder',
      { ...RIGHT, [STAGING]: 'folder' },
      `${STAGING} is left behind after the rerun`,
    ],
    [
      'a lock',
      { ...RIGHT, '.gen-block.lock': 'l' },
      '.gen-block.lock is left behind after the rerun',
    ],
    ['a missing file', without('block/manifest.json'), 'block/manifest.json was not made'],
  ])('the judge finds %s', (_, contents, problem) => {
    expect(judgeRerun(DONE, treeOf(contents), UNDISTURBED)).toContain(problem);
  });

  test('the judge finds a mode, an exit code, and a word that are not right', () => {
    const open = judgeRerun(DONE, treeOf(RIGHT, { mode: 0o400 }), UNDISTURBED);
    expect(open).toContain('block/tickets.csv has the mode 400');
    expect(judgeRerun(FAILED, treeOf(RIGHT), UNDISTURBED)).toEqual([
      'ended with 3, not 0: gen-block: the disk is full',
    ]);
    expect(judgeRerun({ ...DONE, stderr: 'hm\n' }, treeOf(RIGHT), UNDISTURBED)).toHaveLength(1);
  });
});
