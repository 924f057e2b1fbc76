import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { runCampaign, isGood, type KindResult } from './campaign.js';
import type { FaultCase, FaultKind } from './fault-kind.js';
import { Dice } from './dice.js';
import { FAULT_KINDS } from './kinds.js';
import { numbersOfCalls } from './kinds/system-calls.js';
import { main } from './main.js';
import { parseFlags } from './options.js';
import { resultText, tableText } from './report.js';
import type { Place, Workbench } from './workbench.js';
import { tinyJobs } from './tiny-jobs.js';

jest.setTimeout(300_000);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BLOCK = 'rows-plain-100-e1-b1';
const DONE = { exit: 0, stdout: '', stderr: '' } as const;

/** A batch of one block. */
function oneBlock(root: string): object {
  const definition = join(root, 'fixtures/definitions/rows-plain.json');
  const entry = { stake_cents: 100, blocks: { first: 1, last: 1 }, formats: ['csv'] };
  return { format: 'gen-block-jobs/1', emission: 1, jobs: [{ definition, ...entry }] };
}

/** A kind whose one fault does something to the output folder of a run that was right. */
function planted(what: string, plant: (place: Place, bench: Workbench) => void): FaultKind {
  const fault = (bench: Workbench): FaultCase => ({
    label: what,
    expected: { exits: [0] },
    strike: async (place) => {
      const ended = await bench.run(place);
      plant(place, bench);
      return { ended: [ended], isMet: true };
    },
  });
  return {
    ...{ name: what, what, needs: [], wholeCount: 1, smallCount: 1 },
    cases: async ({ bench }) => Promise.resolve([fault(bench)]),
  };
}

describe('a campaign', () => {
  test('finds what is planted on the disk, and what the rerun does not mend', async () => {
    const kinds = [
      // With a job file of its own.
      { ...planted('nothing', () => undefined), jobs: tinyJobs },
      planted('a truncated file, a left one, and an open folder', ({ out }) => {
        truncateSync(join(out, BLOCK, 'tickets.csv'), 100);
        writeFileSync(join(out, '.gen-block.lock.new-x'), 'x', { mode: 0o600 });
        chmodSync(join(out, BLOCK), 0o755);
      }),
      planted('the seed', ({ out }, { seed }) => {
        rmSync(join(out, BLOCK), { recursive: true });
        mkdirSync(join(out, seed), { mode: 0o700 });
      }),
    ];
    const options = { root: ROOT, kinds, seed: 1, countOf: () => 1, jobs: oneBlock };
    const results = await runCampaign(options);
    const problems = results.map((result) => result.problems.join('\n'));
    expect(problems).toEqual([
      '',
      expect.stringContaining(`${BLOCK} is a wrong or partial block`),
      expect.stringMatching(/the seed stands in [^]*rerun: the seed stands in /),
    ]);
    expect(problems[1]).toContain('left behind: .gen-block.lock.new-x');
    expect(problems[1]).toContain('is open to others: 755');
    expect(problems[1]).toContain('rerun: .gen-block.lock.new-x is left behind after the rerun');
    expect(results.map(({ failed }) => failed)).toEqual([0, 1, 1]);
  });

  test('fails where a tool is missing, where no fault met the program, and where it fails itself', async () => {
    const base = planted('x', () => undefined);
    const late: FaultCase = {
      ...{ label: 'too late', expected: { exits: [0] } },
      strike: async () => Promise.resolve({ ended: [DONE], isMet: false }),
    };
    const broken: FaultCase = { ...late, strike: async () => Promise.reject(new Error('no disk')) };
    const kinds: readonly FaultKind[] = [
      { ...base, needs: [{ isThere: () => false, advice: 'install it' }] },
      { ...base, cases: async () => Promise.resolve([broken]) },
      { ...base, cases: async () => Promise.resolve([]) },
    ];
    const results = await runCampaign({
      ...{ root: ROOT, kinds, seed: 1, jobs: oneBlock },
      countOf: () => 1,
    });
    expect(results[0]).toMatchObject({ missing: ['install it'], injected: 0 });
    expect(results[1]?.problems).toContain('too late: the campaign itself: Error: no disk');
    expect(results[2]?.problems).toEqual(['no fault met the program at work']);
    expect(results.map((result) => isGood([result]))).toEqual([false, false, false]);
  });
});

const RESULT: KindResult = {
  ...{ name: 'kill', what: 'kill -9', injected: 3, met: 2, passed: 2, failed: 1, seconds: 4 },
  ...{ missing: [], problems: ['after 5 ms: a block is partial'] },
};

describe('the report', () => {
  test('has a line for each kind, its problems, and a table', () => {
    expect(resultText(RESULT)).toBe(
      'kill: 3 injected, 2 met the program at work, 2 passed, 1 failed (4 s): kill -9\n  after 5 ms: a block is partial\n',
    );
    expect(resultText({ ...RESULT, missing: ['no root'], problems: [] })).toBe(
      'kill: FAILED, not possible here: no root\n',
    );
    const many = Array.from({ length: 22 }, (_, index) => String(index));
    expect(resultText({ ...RESULT, problems: many })).toMatch(/\n {2}19\n {2}and 2 more\n$/);
    expect(tableText([RESULT]).split('\n')[2]).toBe('| kill | kill -9 | 3 | 2 | 2 | 1 | 4 |');
  });

  test('is good only where nothing failed', () => {
    expect(isGood([{ ...RESULT, failed: 0, problems: [] }])).toBe(true);
    expect(isGood([RESULT])).toBe(false);
  });
});

describe('the command line', () => {
  test('chooses kinds, how many, and by which seed', () => {
    const flags = parseFlags(
      ['--only', 'kill,stop', '--count', '7', '--seed', '3', '--json'],
      FAULT_KINDS,
    );
    expect(flags.kinds.map(({ name }) => name)).toEqual(['kill', 'stop']);
    expect([flags.seed, flags.isJson, flags.kinds.map(flags.countOf)]).toEqual([3, true, [7, 7]]);
  });

  test('takes all kinds, or those of the small campaign', () => {
    expect(parseFlags([], FAULT_KINDS).kinds).toEqual(FAULT_KINDS);
    const { kinds, countOf } = parseFlags(['--small'], FAULT_KINDS);
    expect(kinds.length).toBeLessThan(FAULT_KINDS.length);
    expect(kinds.map(countOf)).toEqual(kinds.map(({ smallCount }) => smallCount));
  });

  test.each([
    [['--only', 'flood'], 'there is no kind of fault "flood"; choose kill, '],
    [['--count', '0'], '--count takes a whole number from 1 on, not "0"'],
    [['--seed', 'x'], '--seed takes a whole number from 1 on, not "x"'],
    [['--loud'], "Unknown option '--loud'"],
  ])('refuses %j', async (argv, message) => {
    let said = '';
    expect(await main(ROOT, argv, (text) => (said += text))).toBe(2);
    expect(said).toContain(`faults: ${message}`);
  });
});

test('dice fall alike for the same seed and text, and otherwise for others', () => {
  const rolls = (seed: number, text: string): readonly number[] => {
    const dice = new Dice(seed, text);
    return Array.from({ length: 20 }, () => dice.below(100));
  };
  expect(rolls(1, 'kill')).toEqual(rolls(1, 'kill'));
  expect(rolls(1, 'kill')).not.toEqual(rolls(2, 'kill'));
  expect(rolls(1, 'kill')).not.toEqual(rolls(1, 'stop'));
  const list = Array.from({ length: 30 }, (_, index) => index);
  expect(new Dice(1, 'x').someOf(list, 5)).toHaveLength(5);
  expect(new Dice(1, 'x').someOf(list, Infinity)).toEqual(list);
});

test('the calls on a folder are numbered within their thread', () => {
  const trace = [
    '7 fsync(18</tmp/out/a>) = 0',
    '8 fsync(19</etc>) = 0',
    '8 fsync(20</tmp/out/b> <unfinished ...>',
    '7 rename("/tmp/out/.a", "/tmp/out/a") = 0',
    '8 <... fsync resumed>) = 0',
    '8 fsync(20</tmp/out>) = 0',
    '8 +++ exited with 0 +++',
  ].join('\n');
  expect([...numbersOfCalls(trace, '/tmp/out')]).toEqual([
    ['fsync', [1, 2, 3]],
    ['rename', [1]],
  ]);
});
