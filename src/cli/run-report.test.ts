import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  ticketsOf,
  validBlock,
  withOrder,
  withTicket,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { runInside, runProcess, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const BLOCK = await validBlock('rows-plain');
const DEFINITION = ['--definition', definitionPath('rows-plain')];

let place: string;
let block: string;
let out: string;

beforeEach(() => {
  place = newFolder();
  block = writeBlock(BLOCK, place);
  out = join(place, 'report.html');
});

async function report(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['report', ...argv, ...DEFINITION]);
}

/** The one line and the exit code of a report that is not made. */
async function failure(...argv: readonly string[]): Promise<readonly [number | undefined, string]> {
  const { exitCode, stdout, stderr } = await runInside(['report', ...argv]);
  expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^gen-block: [^\n]+\n$/)]);
  return [exitCode, stderr.slice('gen-block: '.length, -1)];
}

describe('a report that is made', () => {
  test('is a file for its owner, told in a line that says how secret it is', async () => {
    const { exitCode, stdout, stderr } = await report(block, '-o', out);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toBe(
      `gen-block: ${out}: the block conforms and no test alarms; keep it as secret as the block\n`,
    );
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(readdirSync(place).sort()).toEqual(['report.html', 'rows-plain-100-e1-b1']);
  });

  test('for publication is not said to be secret', async () => {
    const { stderr } = await report(block, '-o', out, '--public');
    expect(stderr).toBe(`gen-block: ${out}: the block conforms and no test alarms\n`);
    expect(readFileSync(out, 'utf8')).toContain('For publication');
  });

  test('is the same by folder and by manifest, in a file and on standard output', async () => {
    const made = await report(block, '--out', out, '--quiet');
    expect(made).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const streamed = await report(join(block, 'manifest.json'), '-o', '-');
    expect(streamed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(streamed.stdout).toBe(readFileSync(out, 'utf8'));
    expect((await report(block, '-o', '-', '-q')).stdout).toBe(streamed.stdout);
  });

  test('stands where a link in the place of its folder leads to', async () => {
    mkdirSync(join(place, 'real'));
    symlinkSync('real', join(place, 'link'));
    expect((await report(block, '-o', join(place, 'link', 'r.html'))).exitCode).toBe(0);
    expect(readdirSync(join(place, 'real'))).toEqual(['r.html']);
  });

  test('replaces a file by force only', async () => {
    writeFileSync(out, 'old');
    const refused = await report(block, '-o', out);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe(
      `gen-block: ${out} is there already; choose another --out, or replace it with --force\n`,
    );
    expect(readFileSync(out, 'utf8')).toBe('old');
    expect((await report(block, '-o', out, '--force')).exitCode).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>/);
  });
});

describe('a report on a block that is not right', () => {
  test.each([
    ['does not conform', (): BlockCopy => withTicket(BLOCK, 3, { ticket: 4 })],
    [
      'alarms',
      (): BlockCopy => {
        const sorted = ticketsOf(BLOCK).toSorted((a, b) => a.prize_cents - b.prize_cents);
        return withOrder(BLOCK, sorted);
      },
    ],
  ])('is made where it %s, and ends with 1', async (_, change) => {
    const folder = writeBlock(change(), place);
    const { exitCode, stderr } = await report(folder, '-o', out);
    expect([exitCode, stderr]).toEqual([
      1,
      `gen-block: ${out}: something is wrong, read it; keep it as secret as the block\n`,
    ]);
    expect(readFileSync(out, 'utf8')).toContain('class="verdict wrong"');
    const streamed = await report(folder, '-o', '-');
    expect([streamed.exitCode, streamed.stdout]).toEqual([1, readFileSync(out, 'utf8')]);
  });

  test('is made where it is held against another definition', async () => {
    const other = ['--definition', definitionPath('collect-bare')];
    const { exitCode } = await runInside(['report', block, '-o', out, ...other]);
    expect(exitCode).toBe(1);
    expect(readFileSync(out, 'utf8')).toContain('The block does not conform.');
  });
});

describe('wrong usage is refused in one line, with 2', () => {
  test.each([
    ['no file is named', () => [block], "required option '-o, --out <file>' not specified"],
    ['the name is missing', () => [block, '-o'], "option '-o, --out <file>' argument missing"],
    ['the name is empty', () => [block, '-o', ''], '--out is empty; give it a value'],
    ['it is named twice', () => [block, '-o', out, '--out', out], '--out is given twice'],
    ['no block is named', () => ['-o', out], "missing required argument 'block'"],
    ['two blocks are named', () => [block, block, '-o', out], 'too many arguments'],
    ['an option is unknown', () => [block, '-o', out, '--json'], "unknown option '--json'"],
    ['the block is not there', () => [join(place, 'none'), '-o', out], 'none'],
    ['its definition is needed', () => [block, '-o', out], 'give its definition with --definition'],
    [
      'the definition is not there',
      () => [block, '-o', out, '--definition', join(place, 'none.json')],
      'none.json',
    ],
    [
      'standard output is to be replaced',
      () => [block, '-o', '-', '--force'],
      '--force is for a file, and --out - has none; leave it out',
    ],
    [
      'the file would lie in the block',
      () => [block, '-o', join(block, 'report.html')],
      "report.html would lie in the block's own folder, where no other file may be",
    ],
    [
      'the file would lie in the block that its manifest names',
      () => [join(block, 'manifest.json'), '-o', join(block, 'report.html')],
      "would lie in the block's own folder",
    ],
    [
      'a file of the block would be replaced',
      () => [block, '-o', join(block, 'tickets.csv'), '--force'],
      "would lie in the block's own folder",
    ],
    ['a folder is in its place', () => [block, '-o', place], 'is no file that can be replaced'],
    [
      'a folder is to be replaced',
      () => [block, '-o', place, '--force'],
      'is there already and is no file that can be replaced; choose another --out',
    ],
    [
      'its folder is not there',
      () => [block, '-o', join(place, 'none', 'report.html')],
      'for report.html; make it first',
    ],
    [
      'its folder is a file',
      () => [block, '-o', join(block, 'manifest.json', 'report.html')],
      'for report.html; make it first',
    ],
  ])('where %s', async (_, argv, message) => {
    expect(await failure(...argv())).toEqual([2, expect.stringContaining(message)]);
    expect(readdirSync(place)).toEqual(['rows-plain-100-e1-b1']);
    expect(readdirSync(block)).toHaveLength(3);
  });

  test('where a link leads into the block', async () => {
    symlinkSync(block, join(place, 'link'));
    const outside = join(newFolder(), 'moved');
    renameSync(block, outside);
    symlinkSync(outside, block);
    for (const [named, target] of [
      [block, join(outside, 'r.html')],
      [outside, join(place, 'link', 'r.html')],
      [join(block, 'manifest.json'), join(place, 'link', 'r.html')],
    ] as const) {
      expect(await failure(named, '-o', target)).toEqual([
        2,
        expect.stringContaining("would lie in the block's own folder"),
      ]);
    }
    expect(readdirSync(outside)).toHaveLength(3);
  });

  test.each([[[]], [['--force']]])('where a link is in its place (%j)', async (more) => {
    const target = join(place, 'theirs');
    writeFileSync(target, 'theirs');
    symlinkSync(target, out);
    const [exitCode, message] = await failure(block, '-o', out, ...more);
    expect([exitCode, message]).toEqual([2, expect.stringContaining('is no file that can be')]);
    expect(readFileSync(target, 'utf8')).toBe('theirs');
  });

  test('where its name would steer the terminal', async () => {
    const [exitCode, message] = await failure(block, '-o', join(place, '\u001b[2J', 'x'));
    expect(exitCode).toBe(2);
    // eslint-disable-next-line no-control-regex -- that there is none is the point
    expect(message).not.toMatch(/[\u0000-\u001f]/);
  });
});

test.each([
  // A folder that takes no file from anybody, whoever runs the tests.
  ['takes no files', '/proc/report.html'],
  ['has a name that is too long', join('/tmp', 'x'.repeat(300), 'report.html')],
])(
  'a folder that %s is a failure of the machine, told by the name of the report',
  async (_, path) => {
    const { exitCode, stdout, stderr } = await report(block, '-o', path);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^gen-block: cannot write [^\n]+\n$/);
    expect(stderr).toContain(`cannot write ${path.slice(0, 100)}`);
  },
);

test('the program as it is installed makes the same report in a file and on standard output', async () => {
  const argv = ['report', block, ...DEFINITION, '-o'];
  const { exitCode, stdout } = await runProcess([...argv, '-']);
  expect(exitCode).toBe(0);
  expect(await runProcess([...argv, out])).toMatchObject({ exitCode: 0, stdout: '' });
  expect(readFileSync(out, 'utf8')).toBe(stdout);
});
