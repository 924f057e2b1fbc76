import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sampleDefinition, type Edit, type SampleName } from '../testing/sample-definitions.js';
import { schemaProblems } from './schema-problems.js';

const SCHEMA: unknown = JSON.parse(
  readFileSync(new URL('../../schemas/definition.schema.json', import.meta.url), 'utf8'),
);

/** Every schema inside a schema, with its pointer. */
function* innerSchemas(value: unknown, pointer = ''): Generator<[string, Map<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [pointer, new Map(Object.entries(value))];
  for (const [key, child] of Object.entries(value)) yield* innerSchemas(child, `${pointer}/${key}`);
}

describe('the schema of definitions', () => {
  test('is a schema of draft 2020-12 without a word that ajv does not know', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    expect(ajv.validateSchema(SCHEMA as object)).toBe(true);
    expect(() => ajv.compile(SCHEMA as object)).not.toThrow();
  });

  test('describes every field, and titles every pattern for its message', () => {
    for (const [pointer, schema] of innerSchemas(SCHEMA)) {
      if (schema.has('pattern'))
        expect([pointer, schema.get('title')]).toEqual([pointer, expect.any(String)]);
      for (const [name, field] of Object.entries(schema.get('properties') ?? {})) {
        if (field === false) continue;
        expect([pointer, name, field]).toEqual([
          pointer,
          name,
          expect.objectContaining({ description: expect.any(String) }),
        ]);
      }
    }
  });

  test('lets no object have a field that it does not know', () => {
    for (const [pointer, schema] of innerSchemas(SCHEMA)) {
      const isRefinement =
        pointer.includes('/if') || pointer.includes('/then') || pointer.includes('/else');
      if (!schema.has('properties') || isRefinement) continue;
      expect([pointer, schema.get('additionalProperties')]).toEqual([pointer, false]);
    }
  });

  test.each(['eldorado-mini', 'lagon-mini', 'collect-bare', 'rows-plain'] as const)(
    'fits the sample %s',
    (name) => {
      expect(schemaProblems('definition', sampleDefinition(name))).toEqual([]);
    },
  );
});

/** 61 characters: the island takes two of JavaScript's units, and counts once. */
const LONG_NAME = `🏝${'a'.repeat(60)}`;

const CASES: readonly (readonly [SampleName, Edit, found: string, expected: string])[] = [
  [
    'rows-plain',
    ['/format', 'gen-block-definition/2'],
    '"gen-block-definition/2"',
    '"gen-block-definition/1"',
  ],
  ['rows-plain', ['/format', undefined], 'nothing', 'this field'],
  [
    'rows-plain',
    ['/id', 'Rows'],
    '"Rows"',
    'lower-case letters and digits, joined by single hyphens',
  ],
  [
    'rows-plain',
    ['/id', '../rows'],
    '"../rows"',
    'lower-case letters and digits, joined by single hyphens',
  ],
  [
    'rows-plain',
    ['/id', 'rows--plain'],
    '"rows--plain"',
    'lower-case letters and digits, joined by single hyphens',
  ],
  ['rows-plain', ['/id', ''], '""', 'lower-case letters and digits, joined by single hyphens'],
  [
    'rows-plain',
    ['/id', 'rows\n'],
    '"rows\\u{a}"',
    'lower-case letters and digits, joined by single hyphens',
  ],
  ['rows-plain', ['/id', 'a'.repeat(41)], `"${'a'.repeat(41)}"`, 'at most 40 characters'],
  [
    'rows-plain',
    ['/name', 'Rows\u001b[0m'],
    '"Rows\\u{1b}[0m"',
    'printable text that neither begins nor ends with a space',
  ],
  [
    'rows-plain',
    ['/name', ' Rows'],
    '" Rows"',
    'printable text that neither begins nor ends with a space',
  ],
  ['rows-plain', ['/name', ''], '""', 'printable text that neither begins nor ends with a space'],
  ['rows-plain', ['/name', LONG_NAME], `"${LONG_NAME.slice(0, 60)}…"`, 'at most 60 characters'],
  ['rows-plain', ['/name', 5], '5', 'text in quotes'],
  ['rows-plain', ['/currency', 'USD'], '"USD"', '"EUR"'],
  ['rows-plain', ['/block_size', 0], '0', 'at least 1'],
  ['rows-plain', ['/block_size', 100_000_001], '100000001', 'at most 100000000'],
  ['rows-plain', ['/block_size', '1000'], '"1000"', 'a whole number'],
  ['rows-plain', ['/block_size', 1000.5], '1000.5', 'a whole number'],
  ['rows-plain', ['/mechanic', 'columns'], '"columns"', '"rows" or "collect"'],
  ['rows-plain', ['/grid/rows', 9], '9', 'at most 8'],
  ['rows-plain', ['/grid/columns', 1], '1', 'at least 2'],
  ['rows-plain', ['/grid', [2, 4]], 'a list of 2', 'an object'],
  ['rows-plain', ['/grid/depth', 1], '1', 'no such field'],
  ['rows-plain', ['/grid/a~1b', { deep: true }], 'an object', 'no such field'],
  ['rows-plain', ['/symbols', []], 'a list of 0', 'at least 2 in the list'],
  ['rows-plain', ['/symbols', null], 'null', 'a list'],
  ['rows-plain', ['/symbols/0/code', 'a'], '"a"', 'one letter, A to Z'],
  ['rows-plain', ['/symbols/0/code', 'AB'], '"AB"', 'one letter, A to Z'],
  ['rows-plain', ['/symbols/0/code', 'А'], '"А"', 'one letter, A to Z'],
  [
    'rows-plain',
    ['/symbols/0/id', 'ap_ple'],
    '"ap_ple"',
    'letters and digits, joined by single spaces or hyphens',
  ],
  [
    'rows-plain',
    ['/symbols/0/id', 'apple '],
    '"apple "',
    'letters and digits, joined by single spaces or hyphens',
  ],
  [
    'rows-plain',
    ['/symbols/0/id', 'ap\u200bple'],
    '"ap\\u{200b}ple"',
    'letters and digits, joined by single spaces or hyphens',
  ],
  ['rows-plain', ['/symbols/0/role', 'play'], '"play"', '"pay" or "trigger"'],
  ['collect-bare', ['/symbols/0/role', 'trigger'], '"trigger"', '"play" or "neutral"'],
  ['rows-plain', ['/stakes', []], 'a list of 0', 'at least 1 in the list'],
  ['rows-plain', ['/stakes/0/stake_cents', 1_000_001], '1000001', 'at most 1000000'],
  ['rows-plain', ['/stakes/0/tiers', []], 'a list of 0', 'at least 1 in the list'],
  ['rows-plain', ['/stakes/0/tiers/0/count', 0], '0', 'at least 1'],
  ['rows-plain', ['/stakes/0/tiers/0/prize_cents', 0], '0', 'at least 1'],
  [
    'rows-plain',
    ['/stakes/0/tiers/0/prize_cents', 1_000_000_000_001],
    '1000000000001',
    'at most 1000000000000',
  ],
  ['rows-plain', ['/stakes/0/declared/prizes_cents', undefined], 'nothing', 'this field'],
  ['rows-plain', ['/stakes/0/pay_table/0/symbol', undefined], 'nothing', 'this field'],
  ['collect-bare', ['/stakes/0/pay_table/0/symbol', 'A'], '"A"', 'no such field here'],
  ['rows-plain', ['/policy', undefined], 'nothing', 'this field'],
  ['rows-plain', ['/policy/composition_weights', []], 'a list of 0', 'at least 1 in the list'],
  [
    'rows-plain',
    ['/policy/composition_weights', new Array(9).fill(1)],
    'a list of 9',
    'at most 8 in the list',
  ],
  ['rows-plain', ['/policy/composition_weights/0', -1], '-1', 'at least 0'],
  ['rows-plain', ['/policy/composition_weights/0', 1_000_001], '1000001', 'at most 1000000'],
  ['rows-plain', ['/policy/extra_stages/0/stages', 11], '11', 'at most 10'],
  [
    'rows-plain',
    ['/policy/extra_stages/0/vectors/0/extra', []],
    'a list of 0',
    'at least 1 in the list',
  ],
  ['rows-plain', ['/policy/unchosen_cap', 3], '3', 'no such field'],
  ['collect-bare', ['/policy/unchosen_cap', 'none'], '"none"', 'a whole number or null'],
  ['collect-bare', ['/policy/unchosen_cap', -1], '-1', 'at least 0'],
  ['collect-bare', ['/policy/losing_counts/0/chosen', -1], '-1', 'at least 0'],
  ['rows-plain', ['/sources', []], 'a list of 0', 'at least 1 in the list'],
  ['rows-plain', ['/sources/0/pointer', ''], '""', 'a JSON pointer such as /stakes/0/tiers'],
  [
    'rows-plain',
    ['/sources/0/pointer', 'format'],
    '"format"',
    'a JSON pointer such as /stakes/0/tiers',
  ],
  [
    'rows-plain',
    ['/sources/0/pointer', '/a~2'],
    '"/a~2"',
    'a JSON pointer such as /stakes/0/tiers',
  ],
  ['rows-plain', ['/sources/0/source', 'law'], '"law"', '"regulation" or "policy"'],
  ['rows-plain', ['/sources/0/note', undefined], 'nothing', 'this field'],
  ['rows-plain', ['/sources/0/article', '1'], '"1"', 'no such field here'],
];

describe('a definition that does not fit the schema', () => {
  test.each(CASES)('%s with %j: found %s, expected %s', (name, edit, found, expected) => {
    const problems = schemaProblems('definition', sampleDefinition(name, edit));
    expect(problems).toContainEqual({ pointer: edit[0], found, expected });
  });

  test('has each of its problems reported', () => {
    const definition = sampleDefinition(
      'rows-plain',
      ['/block_size', 0],
      ['/grid/rows', 9],
      ['/policy/composition_weights/1', undefined],
      ['/policy/composition_weights/0', 0.5],
      ['/extra', 1],
    );
    expect(
      schemaProblems('definition', definition)
        .map(({ pointer }) => pointer)
        .toSorted(),
    ).toEqual(['/block_size', '/extra', '/grid/rows', '/policy/composition_weights/0']);
  });

  test('takes a note beside an article', () => {
    const source = { pointer: '/id', source: 'regulation', article: '1', note: 'corrigendum' };
    const definition = sampleDefinition('rows-plain', ['/sources/1', source]);
    expect(schemaProblems('definition', definition)).toEqual([]);
  });

  test.each([
    ['a note', { pointer: '/id', source: 'regulation', note: 'no' }, ['article']],
    ['nothing', { pointer: '/id', source: 'regulation' }, ['article']],
  ])('names what a source in the regulation has with %s', (_, source, fields) => {
    const definition = sampleDefinition('rows-plain', ['/sources/1', source]);
    expect(schemaProblems('definition', definition).map(({ pointer }) => pointer)).toEqual(
      fields.map((field) => `/sources/1/${field}`),
    );
  });

  test.each([
    [null, 'null'],
    [[], 'a list of 0'],
    ['text', '"text"'],
    [true, 'true'],
  ])('is not even an object: %j', (value, found) => {
    expect(schemaProblems('definition', value)).toEqual([
      { pointer: '', found, expected: 'an object' },
    ]);
  });
});
