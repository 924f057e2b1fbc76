import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  lastEntryOf,
  nextEntry,
  parseRegistry,
  type RegisteredBlock,
  type RegistryEntry,
} from './registry.js';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../schemas/registry.schema.json', import.meta.url), 'utf8'),
) as object;
const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(SCHEMA);

const SHA = 'a'.repeat(64);
const ZEROS = '0'.repeat(64);

function block(number: number, changes: Partial<RegisteredBlock> = {}): RegisteredBlock {
  return {
    name: `eldorado-100-e1-b${number}`,
    algorithm: 1,
    definition_sha256: 'd'.repeat(64),
    engine: 'chacha20',
    seed_commitment: 'c'.repeat(64),
    manifest_sha256: String(number % 10).repeat(64),
    files: [{ format: 'ndjson', sha256: 'f'.repeat(64) }],
    ...changes,
  };
}

/** A registry of three blocks, the first of which was replaced in the end. */
function sample(): Buffer {
  let bytes = Buffer.alloc(0);
  const add = (what: Parameters<typeof nextEntry>[1]): void => {
    bytes = Buffer.concat([bytes, nextEntry(parseRegistry(bytes), what).line]);
  };
  add({ ...block(1), event: 'made', time: '2026-01-02T03:04:05Z' });
  add({ ...block(2), event: 'adopted' });
  add({ ...block(3), event: 'made' });
  const replaced = { number: 1, manifest_sha256: '1'.repeat(64) };
  add({ ...block(1, { manifest_sha256: SHA }), event: 'replaced', replaced });
  return bytes;
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split('\n').slice(0, -1);
}

function joined(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

describe('a registry', () => {
  test('is empty at first', () => {
    expect(parseRegistry(new Uint8Array())).toEqual({ entries: [], head: ZEROS, wholeBytes: 0 });
  });

  test('is a line for each entry, its keys in their order', () => {
    const [first = '', second = '', , last = ''] = linesOf(sample());
    expect(first).toBe(
      `{"format":"gen-block-registry/1","number":1,"previous":"${ZEROS}","time":"2026-01-02T03:04:05Z",` +
        `"event":"made","name":"eldorado-100-e1-b1","algorithm":1,"definition_sha256":"${'d'.repeat(64)}",` +
        `"engine":"chacha20","seed_commitment":"${'c'.repeat(64)}","manifest_sha256":"${'1'.repeat(64)}",` +
        `"files":[{"format":"ndjson","sha256":"${'f'.repeat(64)}"}]}`,
    );
    expect(Object.keys(JSON.parse(second) as object)).not.toContain('time');
    expect(last).toMatch(
      new RegExp(`"replaced":\\{"number":1,"manifest_sha256":"${'1'.repeat(64)}"\\}\\}$`),
    );
  });

  test('tells the last entry of each block', () => {
    const registry = parseRegistry(sample());
    expect(registry.entries).toHaveLength(4);
    expect(lastEntryOf(registry, 'eldorado-100-e1-b1')).toMatchObject({ number: 4 });
    expect(lastEntryOf(registry, 'eldorado-100-e1-b2')).toMatchObject({ number: 2 });
    expect(lastEntryOf(registry, 'eldorado-100-e1-b9')).toBeUndefined();
  });

  test('counts without what a run that was killed has left of a line', () => {
    const whole = sample();
    const line = Buffer.from(linesOf(whole)[0] ?? '');
    const lost = [line.subarray(0, 1), line.subarray(0, 30), line.subarray(0, 400)];
    for (const rest of [
      ...lost,
      Buffer.concat([line.subarray(0, 50), Buffer.alloc(9)]),
      Buffer.alloc(40),
    ]) {
      const torn = parseRegistry(Buffer.concat([whole, rest]));
      expect(torn).toEqual(parseRegistry(whole));
      expect(torn.wholeBytes).toBe(whole.length);
    }
  });

  test('keeps a last entry that has lost its line feed, and goes on behind it', () => {
    const whole = sample();
    const cut = parseRegistry(whole.subarray(0, -1));
    expect(cut).toEqual({ ...parseRegistry(whole), wholeBytes: whole.length - 1, lacksEnd: true });
    const { line } = nextEntry(cut, { ...block(4), event: 'made' });
    const longer = parseRegistry(Buffer.concat([whole.subarray(0, -1), line]));
    expect(longer.entries).toHaveLength(5);
    expect(longer).not.toHaveProperty('fault');
  });

  test('takes no other bytes at its end for an unfinished line', () => {
    const whole = sample();
    for (const rest of [
      'x',
      '{}',
      'x'.repeat(9000),
      linesOf(whole)[0] ?? '',
      '{"format":"other"',
    ]) {
      const { fault } = parseRegistry(Buffer.concat([whole, Buffer.from(rest)]));
      const isEntry = rest === linesOf(whole)[0];
      expect([rest, fault?.line]).toEqual([rest, isEntry ? undefined : 5]);
    }
  });
});

describe('the chain of a registry', () => {
  test('breaks at every byte that is changed before its last line, and its head moves with the rest', () => {
    const whole = sample();
    const right = parseRegistry(whole);
    const lastLineAt = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (let index = 0; index < whole.length; index += 1) {
      const changed = Buffer.from(whole);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const { fault, head } = parseRegistry(changed);
      if (index < lastLineAt) expect([index, fault]).not.toEqual([index, undefined]);
      else expect([index, head]).not.toEqual([index, right.head]);
    }
  });

  test.each<[string, (lines: string[]) => string[], number]>([
    ['an entry is taken out', (lines) => lines.toSpliced(1, 1), 2],
    ['the first is taken out', (lines) => lines.slice(1), 1],
    ['two are exchanged', ([a = '', b = '', ...rest]) => [b, a, ...rest], 1],
    ['one comes twice', (lines) => lines.toSpliced(2, 0, lines[1] ?? ''), 3],
    ['a line is empty', (lines) => lines.toSpliced(2, 0, ''), 3],
    ['a space is added', (lines) => lines.with(1, `${lines[1] ?? ''} `), 3],
    ['a line ends with CR', (lines) => lines.with(0, `${lines[0] ?? ''}\r`), 2],
  ])('breaks where %s', (_, change, line) => {
    const { fault, entries } = parseRegistry(joined(change(linesOf(sample()))));
    expect(fault).toMatchObject({ line });
    expect(entries).toHaveLength(line - 1);
  });

  test.each<[string, Partial<RegisteredBlock>]>([
    ['made from another seed', { seed_commitment: 'e'.repeat(64) }],
    ['made from another definition', { definition_sha256: 'e'.repeat(64) }],
    ['made from another engine', { engine: 'seedrandom' }],
    ['made from another version of the algorithm', { algorithm: 2 }],
    ['registered with other tickets', { files: [{ format: 'ndjson', sha256: 'e'.repeat(64) }] }],
  ])(
    'breaks at other content under a name that is not said to be replaced: %s',
    (words, changes) => {
      const whole = sample();
      const csv = nextEntry(parseRegistry(whole), {
        ...block(2, { files: [{ format: 'csv', sha256: 'b'.repeat(64) }] }),
        event: 'made',
      }).line;
      const longer = Buffer.concat([whole, csv]);
      expect(parseRegistry(longer)).not.toHaveProperty('fault');
      const other = nextEntry(parseRegistry(longer), {
        ...block(2, changes),
        event: 'adopted',
      }).line;
      expect(parseRegistry(Buffer.concat([longer, other])).fault).toEqual({
        line: 6,
        expected: 'the tickets of entry 5, or the event "replaced"',
        found: `eldorado-100-e1-b2, ${words}`,
      });
      const replaced = { number: 5, manifest_sha256: null };
      const said = nextEntry(parseRegistry(longer), {
        ...block(2, changes),
        ...{ event: 'replaced', replaced },
      }).line;
      expect(parseRegistry(Buffer.concat([longer, said]))).not.toHaveProperty('fault');
    },
  );

  test('breaks at a line that is no entry, by whatever field', () => {
    const [first = '', ...rest] = linesOf(sample());
    const entry = JSON.parse(first) as RegistryEntry;
    expect(fits(entry)).toBe(true);
    for (const [key, values] of Object.entries(BROKEN_FIELDS)) {
      for (const value of values) {
        const broken = { ...entry, [key]: value };
        const { fault } = parseRegistry(joined([JSON.stringify(broken), ...rest]));
        expect([key, value, fault?.line]).toEqual([key, value, 1]);
        if (key !== 'number' || value !== 2) {
          expect([key, value, fits(JSON.parse(JSON.stringify(broken)))]).toEqual([
            key,
            value,
            false,
          ]);
        }
      }
    }
  });

  test('breaks at what is no strict JSON, or too long, and names the place', () => {
    const [first = ''] = linesOf(sample());
    expect(parseRegistry(Buffer.from('{"a":1,"a":2}\n')).fault).toMatchObject({
      line: 1,
      expected: 'strict JSON',
    });
    const long = `${first.slice(0, -1)},"more":"${'x'.repeat(4096)}"}`;
    expect(parseRegistry(joined([long])).fault?.expected).toContain('4,096 bytes');
    expect(parseRegistry(Buffer.from('7\n')).fault?.found).toBe('no object');
  });

  test('goes through keys that are not known yet', () => {
    const [first = ''] = linesOf(sample());
    const more = `${first.slice(0, -1)},"more":1}`;
    expect(parseRegistry(joined([more])).fault).toBeUndefined();
    expect(fits(JSON.parse(more))).toBe(true);
  });

  test('holds entries that fit the schema', () => {
    for (const line of linesOf(sample()))
      expect([fits(JSON.parse(line)), fits.errors]).toEqual([true, null]);
  });
});

/** For each field, values that it must not have. */
const BROKEN_FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  format: ['gen-block-registry/2', 1, undefined],
  number: [0, 2, -1, '1', undefined],
  previous: [SHA.slice(1), SHA.toUpperCase(), 5, undefined],
  time: ['yesterday', '2026-01-02T03:04:05.000Z', 5],
  event: ['lost', 5, undefined, 'replaced'],
  name: ['../eldorado-100-e1-b1', 'eldorado', '', 5, undefined],
  algorithm: [0, '1', undefined],
  definition_sha256: ['x', undefined],
  engine: ['alea', undefined],
  seed_commitment: ['x', undefined],
  manifest_sha256: [null, undefined],
  files: [[], {}, [{}], [5], [{ format: 'xml', sha256: SHA }], [{ format: 'csv' }], undefined],
  replaced: [
    null,
    5,
    {},
    { number: 0, manifest_sha256: null },
    { number: 1 },
    { number: null, manifest_sha256: null },
  ],
};
