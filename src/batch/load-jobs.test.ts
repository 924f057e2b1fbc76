import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { InputError } from '../core/errors.js';
import { formatProblem, type Problem } from '../definitions/problem.js';
import { schemaProblems } from '../definitions/schema-problems.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';
import { JobsError } from './jobs-error.js';
import { loadJobs } from './load-jobs.js';

const newFolder = folderMaker();
const SCHEMA = JSON.parse(
  readFileSync(new URL('../../schemas/jobs.schema.json', import.meta.url), 'utf8'),
) as object;
const FIXTURE = fileURLToPath(
  new URL('../../fixtures/jobs/three-small-blocks.json', import.meta.url),
);
const require = createRequire(import.meta.url);

const ENTRY = { game: 'eldorado', stake_cents: 100, blocks: { first: 1, last: 2 } };

/** Writes a job file with these entries. */
function jobFile(...jobs: readonly unknown[]): string {
  return textFile(JSON.stringify({ format: 'gen-block-jobs/1', emission: 3, jobs }));
}

function textFile(text: string): string {
  const path = join(newFolder(), 'jobs.json');
  writeFileSync(path, text);
  return path;
}

function errorOf(path: string): InputError {
  try {
    loadJobs(path);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('the job file was accepted');
}

function problemsOf(path: string): readonly Problem[] {
  const error = errorOf(path);
  if (!(error instanceof JobsError)) throw error;
  return error.problems;
}

describe('the schema of job files', () => {
  test('is a schema of draft 2020-12 without a word that ajv does not know', () => {
    const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: true, strictRequired: false });
    expect(ajv.validateSchema(SCHEMA)).toBe(true);
    expect(() => ajv.compile(SCHEMA)).not.toThrow();
  });

  test('fits the example', () => {
    expect(schemaProblems('jobs', JSON.parse(readFileSync(FIXTURE, 'utf8')))).toEqual([]);
  });
});

describe('a job file', () => {
  test('is read with its defaults', () => {
    const { emission, jobs } = loadJobs(jobFile(ENTRY));
    expect(emission).toBe(3);
    expect(jobs).toEqual([
      {
        game: expect.objectContaining({ id: 'eldorado' }),
        stake: expect.objectContaining({ stakeCents: 100 }),
        engine: 'seedrandom',
        first: 1,
        last: 2,
        formats: ['ndjson', 'csv'],
        compression: undefined,
        subfolders: [],
      },
    ]);
  });

  test('is read with all that it says', () => {
    const said = { formats: ['csv'], compression: 'gzip', engine: 'chacha20', out: 'a/b.c_d-9' };
    expect(loadJobs(jobFile({ ...ENTRY, ...said })).jobs[0]).toMatchObject({
      formats: ['csv'],
      compression: 'gzip',
      engine: 'chacha20',
      subfolders: ['a', 'b.c_d-9'],
    });
  });

  test('names definitions relative to itself, each of which is loaded once', () => {
    const { jobs } = loadJobs(FIXTURE);
    expect(jobs.map(({ game }) => game.id)).toEqual(['eldorado-mini', 'lagon-mini']);
    const definition = definitionPath('rows-plain');
    const blocks = (number: number) => ({ first: number, last: number });
    const twice = [1, 2].map((n) => ({ definition, stake_cents: 100, blocks: blocks(n) }));
    const [first, second] = loadJobs(jobFile(...twice)).jobs;
    expect(first?.game).toBe(second?.game);
  });

  test('writes formats in the order of the manifest', () => {
    const [job] = loadJobs(jobFile({ ...ENTRY, formats: ['csv', 'ndjson'] })).jobs;
    expect(job?.formats).toEqual(['ndjson', 'csv']);
  });
});

describe('a job file that is not right is refused with the place, what is there and what should be', () => {
  const OUT_WORDS =
    'names of letters, digits, dots, hyphens and underscores, joined by single slashes, none beginning with a dot or a hyphen';
  const one = (changes: object): unknown => ({ ...ENTRY, ...changes });

  test.each<[string, unknown, string]>([
    ['no game', one({ game: undefined }), '/jobs/0/game: found nothing, expected this field'],
    [
      'a game and a definition',
      one({ definition: 'x.json' }),
      '/jobs/0/game: found "eldorado", expected no such field here',
    ],
    [
      'an unknown game',
      one({ game: 'bingo' }),
      '/jobs/0/game: found "bingo", expected eldorado or lagon-paradis, or a definition in its place',
    ],
    [
      'a name that every object has',
      one({ game: 'constructor' }),
      '/jobs/0/game: found "constructor", expected eldorado or lagon-paradis, or a definition in its place',
    ],
    [
      'a game that would steer the terminal',
      one({ game: '\u001b]0;x\u0007' }),
      '/jobs/0/game: found "\\u{1b}]0;x\\u{7}", expected eldorado or lagon-paradis, or a definition in its place',
    ],
    [
      'a stake as text',
      one({ stake_cents: '1' }),
      '/jobs/0/stake_cents: found "1", expected a whole number',
    ],
    [
      'no stake',
      one({ stake_cents: undefined }),
      '/jobs/0/stake_cents: found nothing, expected this field',
    ],
    [
      'a stake that is not sold',
      one({ stake_cents: 3 }),
      '/jobs/0/stake_cents: found 3, expected 50 or 100 or 200',
    ],
    ['no blocks', one({ blocks: undefined }), '/jobs/0/blocks: found nothing, expected this field'],
    [
      'block 0',
      one({ blocks: { first: 0, last: 1 } }),
      '/jobs/0/blocks/first: found 0, expected at least 1',
    ],
    [
      'a block number that is too large',
      one({ blocks: { first: 1, last: 1_000_000_000 } }),
      '/jobs/0/blocks/last: found 1000000000, expected at most 999999999',
    ],
    [
      'a range that ends before it begins',
      one({ blocks: { first: 5, last: 4 } }),
      '/jobs/0/blocks/last: found 4, expected at least 5',
    ],
    [
      'more blocks than any batch has',
      one({ blocks: { first: 1, last: 999_999_999 } }),
      '/jobs: found 999,999,999 blocks, expected at most 100,000',
    ],
    [
      'no format at all',
      one({ formats: [] }),
      '/jobs/0/formats: found a list of 0, expected at least 1 in the list',
    ],
    [
      'a format twice',
      one({ formats: ['csv', 'csv'] }),
      '/jobs/0/formats: found a list of 2, expected each only once',
    ],
    [
      'an unknown format',
      one({ formats: ['xml'] }),
      '/jobs/0/formats/0: found "xml", expected "ndjson" or "csv"',
    ],
    [
      'an unknown compression',
      one({ compression: 'zip' }),
      '/jobs/0/compression: found "zip", expected "gzip"',
    ],
    [
      'an unknown engine',
      one({ engine: 'alea' }),
      '/jobs/0/engine: found "alea", expected "seedrandom" or "chacha20"',
    ],
    ['a seed', one({ seed: 'x' }), '/jobs/0/seed: found "x", expected no such field'],
    [
      'a definition without a name',
      { ...ENTRY, game: undefined, definition: '' },
      '/jobs/0/definition: found "", expected a path',
    ],
    [
      'a folder that is a block',
      one({ out: 'a/eldorado-100-e1-b1' }),
      '/jobs/0/out: found "a/eldorado-100-e1-b1", expected names of folders that could not be a block\'s',
    ],
    ...[
      '',
      '/',
      '/etc',
      '..',
      '../x',
      'a/..',
      'a/../../x',
      'a//b',
      'a/',
      './a',
      '.',
      '.hidden',
      '-rf',
      'a\\..\\b',
      'C:x',
      'a b',
      'a\n',
      '～',
    ].map((out): [string, unknown, string] => [
      `the folder ${JSON.stringify(out)}`,
      one({ out }),
      `/jobs/0/out: found "${out === 'a\n' ? 'a\\u{a}' : out}", expected ${OUT_WORDS}`,
    ]),
    ['an entry that is a list', [], '/jobs/0: found a list of 0, expected an object'],
  ])('%s', (_, entry, expected) => {
    expect(problemsOf(jobFile(entry)).map((problem) => formatProblem(problem))).toEqual([expected]);
  });

  test.each<[string, string, string]>([
    [
      'another format',
      '{"format":"gen-block-jobs/2","emission":1,"jobs":[]}',
      '/format: found "gen-block-jobs/2", expected "gen-block-jobs/1"',
    ],
    [
      'no entries',
      '{"format":"gen-block-jobs/1","emission":1,"jobs":[]}',
      '/jobs: found a list of 0, expected at least 1 in the list',
    ],
    ['no object', '[]', 'the whole job file: found a list of 0, expected an object'],
    [
      'far too many values',
      `[${'0,'.repeat(30_000)}0]`,
      'the whole job file: found more than 20,000 values, expected a job file, which is smaller',
    ],
  ])('%s', (_, text, expected) => {
    const [problem] = problemsOf(textFile(text)).map((found) => formatProblem(found, 'job file'));
    expect([problem, errorOf(textFile(text)).message.endsWith(expected)]).toEqual([expected, true]);
  });

  test.each<[string, string, string]>([
    ['equal keys', '{"emission":1,"emission":2}', 'the same key stands here twice, at /emission'],
    [
      'a key that sets the prototype',
      '{"__proto__":{"emission":1}}',
      'this key is not allowed, at /__proto__',
    ],
    ['a number without bounds', '{"emission":1e400}', 'the number 1e400 is not an integer'],
    [
      'a number that loses its last digit',
      '{"emission":9007199254740993}',
      'the number 9007199254740993 is not an integer',
    ],
    ['a decimal number', '{"emission":1.0}', 'the number 1.0 is not an integer'],
    ['deep nesting', '['.repeat(5000), 'stand more than 64 deep'],
    ['no JSON', '\u001b[31m', 'this is not JSON'],
    ['a text that is too long', ' '.repeat(1024 * 1024 + 1), 'longer than 1,048,576 bytes'],
  ])('%s', (_, text, words) => {
    const error = errorOf(textFile(text));
    expect([error.code, error.message]).toEqual(['bad-json', expect.stringContaining(words)]);
    expect(error.message).not.toContain('\u001b');
  });

  test('no file, and a folder in its place', () => {
    const folder = newFolder();
    expect(errorOf(join(folder, 'none.json')).code).toBe('not-found');
    expect(errorOf(folder).code).toBe('not-found');
  });

  test('a definition that is not there, or is not right', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'inner', 'bad.json'), '{}');
    const entries = ['none.json', 'inner/bad.json'].map((definition) => ({
      ...ENTRY,
      game: undefined,
      definition,
    }));
    const text = JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: entries });
    writeFileSync(join(folder, 'jobs.json'), text);
    expect(problemsOf(join(folder, 'jobs.json'))).toEqual([
      {
        pointer: '/jobs/0/definition',
        found: '"none.json"',
        expected: expect.stringMatching(/^a definition that can be used \(there is no file /),
      },
      {
        pointer: '/jobs/1/definition',
        found: '"inner/bad.json"',
        expected: expect.stringMatching(/problems in the definition; \/format: found nothing/),
      },
    ]);
  });

  test.each([
    ['the same number twice', { first: 2, last: 2 }],
    ['a range around another', { first: 1, last: 9 }],
  ])('a block that is named twice, as %s', (_, blocks) => {
    const { first, last } = blocks;
    const again = { ...ENTRY, blocks, out: 'elsewhere', engine: 'chacha20', formats: ['csv'] };
    const path = jobFile(ENTRY, { ...ENTRY, stake_cents: 50 }, again);
    expect(problemsOf(path)).toEqual([
      {
        pointer: '/jobs/2/blocks',
        found: `${first} to ${last}`,
        expected: 'blocks that no other entry names, as /jobs/0 does',
      },
    ]);
  });

  test('all that is wrong at once, and the first of many', () => {
    const wrong = { ...ENTRY, stake_cents: 3 };
    const range = { ...ENTRY, blocks: { first: 2, last: 1 } };
    expect(problemsOf(jobFile(wrong, range)).map(({ pointer }) => pointer)).toEqual([
      '/jobs/0/stake_cents',
      '/jobs/1/blocks/last',
    ]);
    const error = errorOf(jobFile(...Array<unknown>(50).fill(wrong)));
    expect(error).toMatchObject({ code: 'bad-jobs', problemCount: 50 });
    expect(error).toHaveProperty('problems.length', 20);
  });
});
