import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { validBlock, withClaims, writeBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { checkedJson } from '../testing/checked-json.js';
import { runInside } from '../testing/command-line.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';
import { rawExec, sell } from '../testing/sqlite-lab.js';

const newFolder = folderMaker();
const DEFINITION = ['--definition', definitionPath('collect-bare')];
const NAME = 'collect-bare-100-e1-b1';

let block: BlockCopy;
let folder: string;
let path: string;
let to: readonly string[];
let from: readonly string[];

beforeAll(async () => {
  block = await validBlock('collect-bare');
});

beforeEach(() => {
  folder = writeBlock(block, newFolder());
  path = join(newFolder(), 'sales.db');
  to = ['--to', `sqlite:${path}`];
  from = ['--from', `sqlite:${path}`];
});

describe('load', () => {
  test('says what it has loaded, and keeps it for its owner only', async () => {
    const { exitCode, stderr, stdout } = await runInside(['load', folder, ...DEFINITION, ...to]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(
      /^gen-block: collect-bare-100-e1-b1: 600 tickets loaded into sqlite:\S+ in \d+\.\d s, [\d,]+ a second; it is loaded\n$/,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('loads several blocks, each once, and puts them on sale', async () => {
    const second = writeBlock(withClaims(block, { block: 2 }), newFolder());
    const blocks = [folder, join(second, 'manifest.json')];
    const first = await runInside(['load', ...blocks, ...DEFINITION, ...to, '--on-sale']);
    expect(first.exitCode).toBe(0);
    expect(first.stderr.match(/loaded into .*; it is on sale\n/g)).toHaveLength(2);
    const again = await runInside(['load', ...blocks, ...DEFINITION, ...to]);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toBe(
      `gen-block: ${NAME}: sqlite:${path} has this very block already; it is on sale\n` +
        `gen-block: collect-bare-100-e1-b2: sqlite:${path} has this very block already; it is on sale\n`,
    );
  });

  test('ends with the first block that does not conform; those before it are there', async () => {
    const broken = writeBlock(withClaims(block, { block: 2, tickets: 601 }), newFolder());
    const third = writeBlock(withClaims(block, { block: 3 }), newFolder());
    const loading = ['load', folder, broken, third, ...DEFINITION, ...to];
    const { exitCode, stderr, stdout } = await runInside(loading);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`gen-block: ${broken} does not conform; nothing of it was loaded\n`);
    expect(stderr).toContain('manifest-claim');
    const { stdout: json } = await runInside(['status', ...to, '--json']);
    expect(JSON.parse(json)).toMatchObject({ blocks: [{ name: NAME }] });
  });

  test('says nothing with --quiet', async () => {
    const result = await runInside(['load', folder, ...DEFINITION, ...to, '-q']);
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '', signal: undefined });
  });

  test('with --trust-hash leaves the rules to others, but not the hash', async () => {
    const tickets = join(folder, 'tickets.csv');
    writeFileSync(tickets, readFileSync(tickets, 'latin1').replace(/[A-Z]\n$/, 'A\n'));
    const trusting = ['load', folder, ...DEFINITION, ...to, '--trust-hash'];
    const { exitCode, stderr } = await runInside(trusting);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /is not the file of the manifest: its SHA-256 is another; gen-block ver/,
    );
    await expect(runInside(['status', ...to])).resolves.toMatchObject({
      exitCode: 0,
      stdout: `sqlite:${path}\n\nno blocks\n`,
    });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['no database', ['load', 'x'], /required option '--to <database>' not specified/],
    ['no block', ['load', '--to', 'sqlite:x'], /missing required argument 'blocks'/],
    ['a path alone', ['load', 'x', '--to', 'sales.db'], /--to names no database; write sqlite:</],
    ['a swallowed option', ['load', 'x', '--to', '--on-sale'], /--to/],
    ['two databases', ['load', 'x', '--to', 'sqlite:a', '--to', 'sqlite:b'], /--to is given twice/],
    [
      'a block that is not there',
      ['load', 'nowhere', '--to', 'sqlite:PATH'],
      /there is no nowhere/,
    ],
  ])('refuses %s', async (_, argv, words) => {
    const { exitCode, stderr } = await runInside(argv.map((word) => word.replace('PATH', path)));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('does not show a database that it cannot read: a password may be in it', async () => {
    const { stderr } = await runInside(['load', 'x', '--to', 'postgre://me:secret@db/sales']);
    expect(stderr).not.toContain('secret');
  });
});

describe('status', () => {
  beforeEach(async () => {
    await runInside(['load', folder, ...DEFINITION, ...to, '--on-sale']);
    sell(path, block, 'a');
  });

  test('counts for people', async () => {
    const { exitCode, stdout, stderr } = await runInside(['status', ...to]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`sqlite:${path}`);
    expect(lines[2]).toBe(`${NAME}: on sale, 1 of 600 tickets sold (0.17 %)`);
    expect(lines[3]).toMatch(/^ prize \(EUR\) +tickets +sold +left$/);
    expect(lines.at(-2)).toMatch(/^Prizes left: [\d,.]+ EUR\.$/);
  });

  test('counts for programs, as its schema says', async () => {
    const { exitCode, stdout } = await runInside(['status', ...to, '--json']);
    expect(exitCode).toBe(0);
    expect(checkedJson('status', stdout)).toMatchObject({
      format: 'gen-block-status/1',
      blocks: [
        {
          name: NAME,
          game: 'collect-bare',
          stake_cents: 100,
          state: 'on sale',
          tickets: 600,
          sold: 1,
        },
      ],
    });
  });

  test('does not make a database', async () => {
    const missing = join(newFolder(), 'none.db');
    const { exitCode, stderr } = await runInside(['status', '--to', `sqlite:${missing}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`gen-block: there is no database sqlite:${missing}; load a block first\n`);
    expect(statSync(missing, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('verify --from', () => {
  beforeEach(async () => {
    await runInside(['load', folder, ...DEFINITION, ...to, '--on-sale']);
  });

  test('reports on a block in a database as on its folder', async () => {
    const inFolder = await runInside(['verify', folder, ...DEFINITION, '--json']);
    const stored = await runInside(['verify', NAME, ...from, ...DEFINITION, '--json']);
    expect(stored.exitCode).toBe(0);
    const report = checkedJson('report', stored.stdout) as object;
    const { checked, notChecked, ...facts } = JSON.parse(inFolder.stdout) as Record<
      string,
      unknown
    >;
    expect(report).toMatchObject(facts);
    expect(report).toMatchObject({
      checked: [
        ...(checked as string[]),
        "the block's row against its manifest",
        'the sales of the block',
      ],
    });
    expect(notChecked).toContainEqual(expect.stringContaining('registry'));
  });

  test('finds what was changed behind its back', async () => {
    rawExec(path, 'drop trigger tickets_never_change');
    rawExec(path, 'update tickets set prize_cents = prize_cents + 100 where number = 3');
    const { exitCode, stdout } = await runInside(['verify', NAME, ...from, ...DEFINITION]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/ticket 3/);
    expect(stdout).toMatch(/tickets_never_change is missing/);
  });

  test.each([
    ['stake_cents', '50', '100'],
    ['emission', '9', '1'],
    ['tickets', '601', '600'],
    ['csv_sha256', "replace(csv_sha256, '0', '1')", '[0-9a-f]{64}'],
    ['manifest_sha256', "replace(manifest_sha256, '0', '1')", '[0-9a-f]{64}'],
  ])('finds another %s in the row of the block', async (column, value, right) => {
    rawExec(path, 'drop trigger blocks_never_change');
    rawExec(path, `update blocks set ${column} = ${value}`);
    const { exitCode, stdout } = await runInside(['verify', NAME, ...from, ...DEFINITION]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`${NAME}, /${column}: expected ${right}; found `));
  });

  test.each(['--game', '--stake', '--seed', '--seed-file', '--threads'])(
    'does not go with %s',
    async (option) => {
      const value = option === '--game' ? 'eldorado' : '1';
      const { exitCode, stderr } = await runInside(['verify', NAME, ...from, option, value]);
      expect([exitCode, stderr]).toEqual([
        2,
        `gen-block: ${option} is for files, and --from reads a database; leave one of them out\n`,
      ]);
    },
  );

  test('says which blocks there are not', async () => {
    const { exitCode, stderr } = await runInside(['verify', 'nothing', ...from]);
    expect([exitCode, stderr]).toEqual([
      2,
      `gen-block: sqlite:${path} has no block nothing; gen-block status lists its blocks\n`,
    ]);
  });
});
