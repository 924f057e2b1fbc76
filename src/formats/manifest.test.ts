import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sampleRowsGame } from '../testing/sample-definitions.js';
import { validBlock, withCompression, type BlockCopy } from '../testing/broken-blocks.js';
import { manifestClaims } from './manifest-reader.js';
import { blockName, encodeManifest, manifestOutcome, manifestSymbols } from './manifest.js';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../schemas/manifest.schema.json', import.meta.url), 'utf8'),
) as object;

const ajv = new Ajv2020({ strict: true });
const fits = ajv.compile(SCHEMA);

type Json = Record<string, unknown>;

let blocks: Readonly<Record<'eldorado' | 'lagon', BlockCopy>>;

beforeAll(async () => {
  blocks = { eldorado: await validBlock('eldorado-mini'), lagon: await validBlock('lagon-mini') };
});

/** A real manifest with one value replaced; `undefined` takes the key away. */
function altered(pointer: string, value: unknown, game: 'eldorado' | 'lagon' = 'eldorado'): Json {
  const manifest = JSON.parse(JSON.stringify(blocks[game].manifest)) as Json;
  const steps = pointer.split('/').slice(1);
  const last = steps.pop()!;
  let container = manifest;
  for (const step of steps) container = container[step] as Json;
  if (value === undefined) Reflect.deleteProperty(container, last);
  else container[last] = value;
  return manifest;
}

const SHA = 'a'.repeat(64);

/** For each field of a manifest, values that it must not have. */
const BROKEN_FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  '/format': ['gen-block-manifest/2', 1, null],
  '/algorithm': [0, '1', 1.5],
  '/tool_version': [1, 'x'.repeat(101)],
  '/game': ['', 'Eldorado', '../eldorado', 'eldorado-', 'a'.repeat(41), 5],
  '/definition_sha256': [SHA.slice(1), `${SHA}a`, SHA.toUpperCase(), 5],
  '/stake_cents': [0, -100, 0.5, '100'],
  '/emission': [0, 1.5, '1'],
  '/block': [0, 1.5, '1'],
  '/tickets': [0, 1.5, '9000'],
  '/engine': ['alea', '', null],
  '/seed_commitment': ['secret', 5],
  '/symbols': [{}, [], new Array(27).fill({ code: 'A', id: 'a', role: 'pay' })],
  '/symbols/0': [5, null],
  '/symbols/0/code': ['a', 'AB', '', 5],
  '/symbols/0/id': [5, 'x'.repeat(61)],
  '/symbols/0/role': ['wild', 5],
  '/tiers': [{}, [], new Array(61).fill({ prize_cents: 1, count: 1 })],
  '/tiers/0': [5, null],
  '/tiers/0/prize_cents': [0, 0.5, '5'],
  '/tiers/0/count': [0, 0.5, '5'],
  '/outcomes': [{}, []],
  '/outcomes/0': [5, null],
  '/outcomes/0/prize_cents': [-1, 0.5, '5'],
  '/outcomes/0/combination': [5, 'V4', '4V+', '4V 4B', '04V'],
  '/outcomes/0/extra_stages': [-1, 0.5, '0'],
  '/outcomes/0/count': [0, 0.5, '5'],
  '/files': [{}, []],
  '/files/0': [5, null],
  '/files/0/name': ['tickets.csv', '../tickets.ndjson', 'other', 5],
  '/files/0/format': ['json', 'csv', 5],
  '/files/0/bytes': [-1, 0.5, '5'],
  '/files/0/records': [-1, 0.5, '5'],
  '/files/0/sha256': [SHA.slice(1), 5],
  '/files/1/name': ['tickets.ndjson'],
  '/files/1/format': ['ndjson'],
};

const FILE_KEYS = ['name', 'format', 'compression', 'bytes', 'records', 'sha256'];

describe('the schema of a manifest', () => {
  test('is a schema of draft 2020-12', () => {
    expect(ajv.validateSchema(SCHEMA)).toBe(true);
  });

  test('accepts the manifests of both games', () => {
    for (const { manifest } of Object.values(blocks)) {
      expect([fits(manifest), fits.errors]).toEqual([true, null]);
    }
  });

  test.each(['', '/symbols/0', '/tiers/0', '/outcomes/0', '/files/0'])(
    'accepts a key at %j that it does not know',
    (pointer) => {
      expect(fits(altered(`${pointer}/unknown`, { deep: [1] }))).toBe(true);
    },
  );

  test('has its broken values listed here for every field', () => {
    const listed = new Set(Object.keys(BROKEN_FIELDS));
    const fields = Object.entries(blocks.eldorado.manifest).flatMap(([key, value]) =>
      Array.isArray(value)
        ? [`/${key}`, `/${key}/0`, ...Object.keys(value[0]).map((name) => `/${key}/0/${name}`)]
        : [`/${key}`],
    );
    expect(fields.filter((field) => !listed.has(field))).toEqual([]);
  });

  test.each(Object.entries(BROKEN_FIELDS))('refuses broken values of %s', (pointer, values) => {
    for (const value of values) {
      expect([value, fits(altered(pointer, value))]).toEqual([value, false]);
    }
  });

  test.each(Object.keys(BROKEN_FIELDS).filter((pointer) => !/\d$/.test(pointer)))(
    'misses %s where it is not there',
    (pointer) => {
      expect(fits(altered(pointer, undefined))).toBe(false);
    },
  );

  test('accepts a file that is compressed, under a name that says so', () => {
    const [file] = withCompression(blocks.eldorado).manifest.files;
    expect(Object.keys(file!)).toEqual(FILE_KEYS);
    expect(fits(altered('/files/0', file))).toBe(true);
    for (const change of [
      { name: 'tickets.ndjson' },
      { name: 'tickets.csv.gz' },
      { name: 'tickets.ndjson.gz.gz' },
      { compression: 'zstd' },
      { compression: null },
      { compression: undefined },
    ]) {
      const other = JSON.parse(JSON.stringify({ ...file, ...change })) as Json;
      expect([change, fits(altered('/files/0', other))]).toEqual([change, false]);
      expect(manifestClaims(altered('/files', [other]))).toBeUndefined();
    }
  });

  test('wants the feature of one mechanic in an outcome, not of both', () => {
    expect(fits(altered('/outcomes/0/chosen', 0))).toBe(false);
    expect(fits(altered('/outcomes/0/extra_stages', 0, 'lagon'))).toBe(false);
    expect(fits(altered('/outcomes/0/chosen', undefined, 'lagon'))).toBe(false);
    expect(fits(altered('/outcomes/0/chosen', -1, 'lagon'))).toBe(false);
  });
});

describe('the claims of a manifest', () => {
  test('are those of a real one, as it stands', () => {
    for (const { manifest } of Object.values(blocks)) {
      expect(manifestClaims(manifest)).toBe(manifest);
    }
  });

  test('are there with keys that are not known and without tables, which are only claims', () => {
    const manifest = { ...blocks.lagon.manifest, tiers: 5, outcomes: null, symbols: {}, later: [] };
    expect(manifestClaims(manifest)).toBe(manifest);
  });

  test.each([null, undefined, 5, 'text', [], {}])('are not those of %j', (value) => {
    expect(manifestClaims(value)).toBeUndefined();
  });

  test.each([
    '/algorithm',
    '/tool_version',
    '/game',
    '/definition_sha256',
    '/stake_cents',
    '/emission',
    '/block',
    '/engine',
    '/seed_commitment',
    '/files',
    '/files/0/name',
    '/files/0/format',
    '/files/0/bytes',
    '/files/0/records',
    '/files/0/sha256',
  ])('are refused where %s is not there, or of another type', (pointer) => {
    for (const value of [undefined, null, {}, true, -1]) {
      expect(manifestClaims(altered(pointer, value))).toBeUndefined();
    }
  });

  test.each([
    ['/algorithm', 0],
    ['/algorithm', 2 ** 53],
    ['/stake_cents', 0.5],
    ['/emission', '1'],
    ['/engine', 'alea'],
    ['/tool_version', 'x'.repeat(101)],
    ['/seed_commitment', SHA.toUpperCase()],
    ['/seed_commitment', `${SHA}\n`],
    ['/files/0/name', '../tickets.ndjson'],
    ['/files/0/name', 'tickets.csv'],
    ['/files/0/format', 'json'],
  ])('are refused where %s is %j', (pointer, value) => {
    expect(manifestClaims(altered(pointer, value))).toBeUndefined();
  });

  test('count the characters of the tool version, and not the halves of some', () => {
    const manifest = altered('/tool_version', '🏝'.repeat(100));
    expect(manifestClaims(manifest)).toBe(manifest);
    expect(manifestClaims(altered('/tool_version', '🏝'.repeat(101)))).toBeUndefined();
  });

  test('list files that are all compressed, or none', () => {
    const [ndjson, csv] = blocks.eldorado.manifest.files;
    const [ndjsonGz, csvGz] = withCompression(blocks.eldorado).manifest.files;
    const accepts = (...files: unknown[]): boolean =>
      manifestClaims({ ...blocks.eldorado.manifest, files }) !== undefined;
    expect(accepts(ndjsonGz, csvGz)).toBe(true);
    expect(accepts(csvGz)).toBe(true);
    expect(accepts(ndjsonGz, csv)).toBe(false);
    expect(accepts(ndjson, csvGz)).toBe(false);
    expect(accepts(csvGz, ndjsonGz)).toBe(false);
  });

  test('list each format at most once and in order', () => {
    const [ndjson, csv] = blocks.eldorado.manifest.files;
    const accepts = (...files: unknown[]): boolean =>
      manifestClaims({ ...blocks.eldorado.manifest, files }) !== undefined;
    expect(accepts(ndjson, csv)).toBe(true);
    expect(accepts(ndjson)).toBe(true);
    expect(accepts(csv)).toBe(true);
    expect(accepts()).toBe(false);
    expect(accepts(csv, ndjson)).toBe(false);
    expect(accepts(ndjson, ndjson)).toBe(false);
    expect(accepts(ndjson, csv, csv)).toBe(false);
    expect(accepts(ndjson, null)).toBe(false);
  });
});

describe('a manifest', () => {
  test('is one line of JSON with an LF, its letters in UTF-8', () => {
    const { manifest } = blocks.eldorado;
    const named = { ...manifest, tool_version: 'é' };
    const text = Buffer.from(encodeManifest(named)).toString('utf8');
    expect(text).toBe(`${JSON.stringify(named)}\n`);
    expect(text.indexOf('\n')).toBe(text.length - 1);
  });

  test('has its keys in the order of its schema', () => {
    const schema = SCHEMA as { required: string[]; properties: Record<string, Json> };
    const keys = Object.keys(blocks.eldorado.manifest);
    expect(keys).toEqual(schema.required);
    expect(keys).toEqual(Object.keys(schema.properties));
    for (const list of ['symbols', 'tiers', 'files'] as const) {
      const items = schema.properties[list]!['items'] as { properties: object };
      expect(Object.keys(blocks.eldorado.manifest[list][0]!)).toEqual(
        Object.keys(items.properties).filter(
          (key) => key !== 'compression' && key !== 'encryption',
        ),
      );
    }
  });

  test("states the feature under the mechanic's own name", () => {
    const outcome = { prizeCents: 1000, combination: '4B+4B', feature: 1, count: 37 };
    expect(JSON.stringify(manifestOutcome('extra_stages', outcome))).toBe(
      '{"prize_cents":1000,"combination":"4B+4B","extra_stages":1,"count":37}',
    );
    expect(JSON.stringify(manifestOutcome('chosen', { ...outcome, combination: '6' }))).toBe(
      '{"prize_cents":1000,"combination":"6","chosen":1,"count":37}',
    );
  });

  test('names the symbols with nothing but code, name and role', () => {
    const game = sampleRowsGame('rows-plain');
    const symbols = game.symbols.map((symbol) => ({ ...symbol, secret: true }));
    expect(JSON.stringify(manifestSymbols({ ...game, symbols }))).toBe(
      '[{"code":"A","id":"apple","role":"pay"},{"code":"B","id":"banana","role":"pay"},' +
        '{"code":"C","id":"cherry","role":"pay"}]',
    );
  });

  test('lies in a folder named after game, stake, emission and block', () => {
    const name = blockName({ gameId: 'eldorado', stakeCents: 50, emission: 12, block: 3 });
    expect(name).toBe('eldorado-50-e12-b3');
  });
});
