import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InputError } from '../core/errors.js';
import { parseShard } from './parse-shard.js';

/** The message with which a text is refused. */
function refusal(text: string, environment: Readonly<Record<string, string>> = {}): string {
  try {
    parseShard(text, environment);
  } catch (error) {
    if (error instanceof InputError && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('a share as the user writes it', () => {
  test.each([
    ['1/1', 1, 1],
    ['1/4', 1, 4],
    ['4/4', 4, 4],
    ['999999/999999', 999_999, 999_999],
  ])('%s is read', (text, index, count) => {
    expect(parseShard(text, {})).toEqual({ index, count });
  });

  test.each([
    '0/4',
    '5/4',
    '-1/4',
    '1/0',
    '01/4',
    '1/04',
    '1.0/4',
    '1e0/4',
    '0x1/4',
    '1/4/4',
    '1/',
    '/4',
    '/',
    '',
    '1',
    ' 1/4',
    '1/4 ',
    '1/4\n',
    '١/4',
    '1/1000000',
    'Kubernetes/4',
    'toString/4',
    '__proto__/4',
    'kubernetes',
    'slurm/',
    'slurm/0',
    'slurm/4/4',
  ])('%j is refused with what to write', (text) => {
    const environment = { JOB_COMPLETION_INDEX: '0', SLURM_ARRAY_TASK_ID: '1' };
    expect(refusal(text, environment)).toBe(
      `--shard ${text.replace('\n', '\\u{a}')} is no share; write i/n with i from 1 to n, kubernetes/n or slurm/n`,
    );
  });

  test('what is refused is shown in one safe, short line', () => {
    expect(refusal(`\u001b[31m${'x'.repeat(1000)}\n`)).toMatch(
      /^--shard \\u\{1b\}\[31mx{35}… is no share; [ -~]*$/,
    );
  });
});

describe('a share that a scheduler numbers', () => {
  test.each([
    ['kubernetes/4', 'JOB_COMPLETION_INDEX', '0', 1],
    ['kubernetes/4', 'JOB_COMPLETION_INDEX', '3', 4],
    ['slurm/4', 'SLURM_ARRAY_TASK_ID', '1', 1],
    ['slurm/4', 'SLURM_ARRAY_TASK_ID', '4', 4],
  ])('%s with %s=%s is share %d', (text, variable, value, index) => {
    expect(parseShard(text, { [variable]: value })).toEqual({ index, count: 4 });
  });

  test('does not look at what Slurm says of the size of its array', () => {
    const environment = { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '1' };
    expect(parseShard('slurm/4', environment)).toEqual({ index: 3, count: 4 });
  });

  test.each([
    ['4', 'is 4'],
    ['-1', 'is -1'],
    ['', 'is empty'],
    ['00', 'is 00'],
    [' 0', 'is  0'],
    ['0x0', 'is 0x0'],
    ['\u001b[2J', 'is \\u{1b}[2J'],
  ])('of Kubernetes with the number %j is refused', (value, words) => {
    expect(refusal('kubernetes/4', { JOB_COMPLETION_INDEX: value })).toBe(
      `JOB_COMPLETION_INDEX ${words}, where a number from 0 to 3 says which share is meant; start it as a Job with completionMode: Indexed and completions: 4`,
    );
  });

  test.each([['0'], ['5'], ['1.0'], ['1-4']])('of Slurm with %j is refused', (value) => {
    expect(refusal('slurm/4', { SLURM_ARRAY_TASK_ID: value })).toBe(
      `SLURM_ARRAY_TASK_ID is ${value}, where a number from 1 to 4 says which share is meant; start it with sbatch --array=1-4`,
    );
  });

  test('without its variable is refused', () => {
    expect(refusal('slurm/2', { JOB_COMPLETION_INDEX: '1' })).toContain(
      'SLURM_ARRAY_TASK_ID is not set, where a number from 1 to 2 says which',
    );
  });
});

test('whatever the text and the environment, a share is one that there is, or it is refused', () => {
  const text = fc.string({ unit: 'binary' });
  const count = fc.integer({ min: -1, max: 5 });
  fc.assert(
    fc.property(text, text, count, (which, value, n) => {
      const environment = { JOB_COMPLETION_INDEX: value, SLURM_ARRAY_TASK_ID: value };
      for (const written of [which, `${which}/${n}`, `kubernetes/${n}`, `slurm/${n}`]) {
        try {
          const shard = parseShard(written, environment);
          expect(shard.index).toBeGreaterThanOrEqual(1);
          expect(shard.index).toBeLessThanOrEqual(shard.count);
        } catch (error) {
          expect(error).toMatchObject({ name: 'InputError', code: 'usage' });
        }
      }
    }),
  );
});
