import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { auditSchemaErrors } from '../testing/audit-schema.js';
import { runInside } from '../testing/command-line.js';
import { definitionPath, folderMaker, sampleRequest } from '../testing/sample-requests.js';

const makeFolder = folderMaker();
const DEFINITION = ['--definition', definitionPath('collect-bare')];

describe('gen-block audit', () => {
  let first: string;
  let second: string;
  let broken: string;

  beforeAll(async () => {
    const outputFolder = makeFolder();
    const make = async (block: number): Promise<string> =>
      (await generateBlock(sampleRequest('collect-bare', { block }), { outputFolder })).folder;
    [first, second, broken] = [await make(1), await make(2), await make(3)];
    appendFileSync(join(broken, 'tickets.csv'), '\n');
  });

  test('tells what it tested, at what error rate, and what it did not', async () => {
    const { exitCode, stdout, stderr } = await runInside(['audit', first, second, ...DEFINITION]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('collect-bare, stake 1.00 EUR, emission 1, block 1: conforms.');
    expect(stdout).toContain('collect-bare, stake 1.00 EUR, 2 blocks together.');
    expect(stdout).toMatch(/order +\d+ tests, smallest p \d/);
    expect(stdout).toMatch(/with a chance of at most 1e-6, over all \d+ tests/);
    expect(stdout).toContain('No alarm.');
    expect(stdout).toContain('Checked: pick-out:');
    expect(stdout).toContain('Not checked: that the order comes from the committed seed');
  });

  test('prints its report as JSON', async () => {
    const { exitCode, stdout } = await runInside(['audit', first, ...DEFINITION, '--json']);
    expect(exitCode).toBe(0);
    expect(auditSchemaErrors(stdout)).toEqual([]);
  });

  test('prints nothing when it is told to be quiet', async () => {
    const quiet = await runInside(['audit', first, ...DEFINITION, '-q']);
    expect(quiet).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('shows the findings of a block that does not conform, and ends with 1', async () => {
    const { exitCode, stdout } = await runInside(['audit', broken, first, ...DEFINITION]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('file-hash');
    expect(stdout).toContain('1 block not conforming.');
    expect(stdout).toContain('No alarm.');
    const alone = await runInside(['audit', broken, ...DEFINITION]);
    expect(alone.exitCode).toBe(1);
    expect(alone.stdout).not.toContain('No alarm.');
  });

  test('names the tests that alarm, and ends with 1', async () => {
    const argv = ['audit', first, second, ...DEFINITION, '--alpha', '0.9999999'];
    const { exitCode, stdout } = await runInside(argv);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/Alarm: \d+ tests?\./);
    expect(stdout).toMatch(/ {2}p \S+, adjusted \S+: .+: .+ \(.+\)/);
  });

  test.each(['0', '1', '2', '-1', 'small', '1e6', '1e-400'])(
    'refuses %s for a chance',
    async (alpha) => {
      const argv = ['audit', first, ...DEFINITION, `--alpha=${alpha}`];
      const { exitCode, stderr } = await runInside(argv);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`--alpha ${alpha} is no chance between 0 and 1`);
    },
  );

  test('needs a block', async () => {
    const { exitCode, stderr } = await runInside(['audit']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("missing required argument 'blocks'");
  });

  test('needs each block once, and one that is there', async () => {
    const twice = await runInside(['audit', first, first, ...DEFINITION]);
    expect(twice.exitCode).toBe(2);
    expect(twice.stderr).toContain('is named twice');
    const nothing = await runInside(['audit', join(makeFolder(), 'nothing')]);
    expect(nothing.exitCode).toBe(2);
    expect(nothing.stderr).toContain('there is no');
  });
});
