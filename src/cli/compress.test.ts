import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const GAME = ['--definition', definitionPath('eldorado-mini')];
const JOB = [...GAME, '--stake', '1', '--seed', 'demo'];
const NAME = 'eldorado-mini-100-e1-b1';

/** The last line that a run said. */
const lastLine = ({ stderr }: CommandResult): string => stderr.trimEnd().split('\n').at(-1) ?? '';

describe('--compress gzip', () => {
  let out: string;
  let folder: string;
  let made: CommandResult;

  beforeAll(async () => {
    out = newFolder();
    folder = join(out, NAME);
    made = await runInside([...JOB, '--out', out, '--compress', 'gzip']);
  });

  test('makes a compressed block, and its report says of which bytes it speaks', () => {
    expect(made.exitCode).toBe(0);
    expect(readdirSync(folder)).toEqual(['manifest.json', 'tickets.csv.gz', 'tickets.ndjson.gz']);
    expect(made.stdout).toMatch(/^tickets\.csv\.gz: 9,000 records, [\d,]+ bytes uncompressed$/m);
    const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      files: { sha256: string }[];
    };
    for (const { sha256 } of files) expect(made.stdout).toContain(`\n  sha256 ${sha256}\n`);
  });

  test('makes it again: it is kept, and refused without the option', async () => {
    const before = hashesOf(folder);
    const again = await runInside([...JOB, '--out', out, '--compress', 'gzip']);
    expect([again.exitCode, lastLine(again)]).toEqual([
      0,
      expect.stringContaining('was there already: verified and kept'),
    ]);
    const plain = await runInside([...JOB, '--out', out]);
    expect([plain.exitCode, lastLine(plain)]).toEqual([
      2,
      expect.stringContaining('it was made from other formats; use --force'),
    ]);
    expect(hashesOf(folder)).toEqual(before);
  });

  test.each([[[]], [['--seed', 'demo']]])('is verified with %j', async (seed) => {
    const { exitCode, stdout } = await runInside(['verify', folder, ...GAME, ...seed]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No findings')]);
  });

  test.each(['ndjson', 'csv'])('is verified as a bare %s file', async (format) => {
    const path = join(folder, `tickets.${format}.gz`);
    const { exitCode, stdout } = await runInside(['verify', path, ...GAME, '-s', '1']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No findings')]);
    // Other hands may store a name and a time in the header.
    const copy = join(newFolder(), `sold.${format}`);
    writeFileSync(copy, execFileSync('gzip', ['-dc', path]));
    execFileSync('gzip', ['-N', copy]);
    expect((await runInside(['verify', `${copy}.gz`, ...GAME, '-s', '1', '-q'])).exitCode).toBe(0);
  });

  test('is audited', async () => {
    expect((await runInside(['audit', folder, ...GAME, '-q'])).exitCode).toBe(0);
  });

  test('damaged, ends verify with exit code 1 and one finding', async () => {
    const copy = join(newFolder(), 'sold.csv.gz');
    writeFileSync(copy, readFileSync(join(folder, 'tickets.csv.gz')).subarray(0, 5000));
    const { exitCode, stdout, stderr } = await runInside(['verify', copy, ...GAME, '-s', '1']);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toContain(
      '1 finding: the block does not conform.\n  1 x file-compression\n' +
        '    sold.csv.gz: expected one whole gzip member and nothing else; found the end of the file within it\n',
    );
  });
});

test.each([
  ['zip', ' (did you mean gzip?)'],
  ['', ''],
  ['GZIP', ' (did you mean gzip?)'],
  ['gzip,gzip', ''],
])('--compress=%s is refused', async (name, hint) => {
  const result = await runInside([...JOB, '--out', newFolder(), `--compress=${name}`]);
  expect([result.exitCode, result.stdout, result.stderr]).toEqual([
    2,
    '',
    `gen-block: option '--compress <name>' argument '${name}' is invalid. Choose gzip${hint}.\n`,
  ]);
});

test('--compress given twice is refused', async () => {
  const result = await runInside([...JOB, '--compress', 'gzip', '--compress', 'gzip']);
  expect([result.exitCode, lastLine(result)]).toEqual([
    2,
    'gen-block: --compress is given twice; give it once',
  ]);
});
