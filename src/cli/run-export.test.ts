import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ticketsOf, validBlock, writeBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { runInside } from '../testing/command-line.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';

const makeFolder = folderMaker();
const DEFINITION = ['--definition', definitionPath('rows-plain')];

let block: BlockCopy;
let folder: string;
let out: string;

beforeAll(async () => {
  block = await validBlock('rows-plain');
});

beforeEach(() => {
  folder = writeBlock(block, makeFolder());
  out = makeFolder();
});

async function exported(
  ...argv: readonly string[]
): Promise<readonly [number | undefined, string, readonly string[]]> {
  const { exitCode, stderr, stdout } = await runInside(['export', folder, ...DEFINITION, ...argv]);
  expect(stdout).toBe('');
  return [exitCode, stderr, readdirSync(out)];
}

describe('export', () => {
  const NAME = 'rows-plain-100-e1-b1.excel-fr.csv';

  test('names its file after block and dialect, for its owner only, and says so', async () => {
    const [exitCode, stderr, names] = await exported('--dialect', 'excel-fr', '-o', out);
    expect([exitCode, names]).toEqual([0, [NAME]]);
    expect(stderr).toBe(
      `gen-block: ${join(out, NAME)}: 1,000 tickets; keep it as secret as the block\n`,
    );
    expect(statSync(join(out, NAME)).mode & 0o777).toBe(0o600);
    const lines = readFileSync(join(out, NAME), 'utf8').split('\r\n');
    expect(lines).toHaveLength(ticketsOf(block).length + 2);
  });

  test('replaces a file only where it is told to', async () => {
    writeFileSync(join(out, NAME), 'mine');
    const [exitCode, stderr] = await exported('--dialect', 'excel-fr', '-o', out);
    expect([exitCode, readFileSync(join(out, NAME), 'utf8')]).toEqual([2, 'mine']);
    expect(stderr).toMatch(/is there already; choose another --out, or replace it with --force\n$/);
    expect((await exported('--dialect', 'excel-fr', '-o', out, '--force'))[0]).toBe(0);
    expect(readFileSync(join(out, NAME), 'utf8')).toContain('lot_eur');
  });

  test('leaves nothing where the files are not those of the manifest', async () => {
    const path = join(folder, 'tickets.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"ticket":600', '"ticket":601'));
    const [exitCode, stderr, names] = await exported('--dialect', 'long', '-o', out);
    expect([exitCode, names]).toEqual([2, []]);
    expect(stderr).toMatch(
      /is not the file of the manifest: its SHA-256 is another; .*verify.*\n$/,
    );
  });

  test.each([
    ['without a dialect', () => ['-o', out], "required option '--dialect <name>' not specified"],
    ['with another dialect', () => ['--dialect', 'csv'], 'Choose excel-fr or long.'],
    ['into the block', () => ['--dialect', 'long', '-o', folder], "the block's own folder"],
    ['into no folder', () => ['--dialect', 'long', '-o', join(out, 'x')], 'make it first'],
  ])('is refused %s', async (_, argv, message) => {
    const [exitCode, stderr, names] = await exported(...argv());
    expect([exitCode, names]).toEqual([2, []]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('does not follow a link that stands under its name', async () => {
    symlinkSync(join(out, 'elsewhere'), join(out, NAME));
    expect((await exported('--dialect', 'excel-fr', '-o', out, '--force'))[0]).toBe(2);
    expect(readdirSync(out)).toEqual([NAME]);
  });
});
