import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InputError } from './errors.js';
import { parseStrictJson } from './strict-json.js';

/** The message with which a text is refused. */
function refusalOf(input: string | Uint8Array, maxBytes?: number): string {
  try {
    parseStrictJson(
      input,
      maxBytes === undefined ? { place: 'x.json' } : { place: 'x.json', maxBytes },
    );
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect(error).toHaveProperty('code', 'bad-json');
    return (error as InputError).message;
  }
  throw new Error('the text was expected to be refused');
}

/** JSON values whose numbers are integers. */
const integerJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger().map((value) => value + 0),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value')),
    fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
      tie('value'),
    ),
  ),
})).value;

describe('strict JSON', () => {
  test('agrees with JSON.parse on values whose numbers are integers', () => {
    fc.assert(
      fc.property(integerJson, fc.constantFrom('', ' ', '\t', '\n'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const expected: unknown = JSON.parse(text);
        expect(parseStrictJson(text, { place: 'x.json' })).toEqual(expected);
        expect(parseStrictJson(Buffer.from(text), { place: 'x.json' })).toEqual(expected);
      }),
    );
  });

  test('refuses every text that JSON.parse refuses', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '0', '.', 'e', ' '];
    const odd = ['\n', '\u00a0', '\u2028', 'true', 'null', '\u0001', '/', '//', '/*', '\\u', '\f'];
    const text = fc.array(fc.constantFrom(...pieces, ...odd), { maxLength: 8 });
    fc.assert(
      fc.property(text, (parts) => {
        const input = parts.join('');
        try {
          JSON.parse(input);
        } catch {
          expect(refusalOf(input)).toMatch(/^x\.json:/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['0', 0],
    ['-1', -1],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
  ])('accepts the number %s', (text, value) => {
    expect(parseStrictJson(text, { place: 'x.json' })).toBe(value);
  });

  test.each([
    '-0',
    '1.0',
    '1.5',
    '1e3',
    '1E3',
    '10e-1',
    '1e400',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '100000000000000000000000',
  ])('refuses the number %s', (text) => {
    expect(refusalOf(`{"stakes": [1,\n  {"a/b": ${text}}]}`)).toBe(
      `x.json:2:11: the number ${text} is not an integer from -(2^53 - 1) to 2^53 - 1, ` +
        'at /stakes/1/a~1b; write a whole number in plain digits',
    );
  });

  test('names a number at the top without a pointer', () => {
    expect(refusalOf('1.5')).toBe(
      'x.json:1:1: the number 1.5 is not an integer from -(2^53 - 1) to 2^53 - 1; ' +
        'write a whole number in plain digits',
    );
  });

  test('cuts a number of a million digits short in its message', () => {
    expect(refusalOf('9'.repeat(1_000_000)).length).toBeLessThan(200);
  });

  test.each([
    ['plainly', '{"b": {"a": 1, "a": 2}}', 16],
    ['through an escape', '{"b": {"a": 1, "\\u0061": 2}}', 16],
    ['with the same value', '{"b": {"a": 1, "a": 1}}', 16],
  ])('refuses a key that is repeated %s', (_, text, column) => {
    expect(refusalOf(text)).toBe(
      `x.json:1:${column}: the same key stands here twice, at /b/a; leave one of them`,
    );
  });

  test('lets different objects have the same key', () => {
    const value = { a: [{ a: 1 }, { a: 1 }], b: { a: 1 } };
    expect(parseStrictJson(JSON.stringify(value), { place: 'x.json' })).toEqual(value);
  });

  test.each(['{"a": {"__proto__": {"b": 1}}}', '{"a": {"__pr\\u006fto__": 1}}'])(
    'refuses the key __proto__ in %s',
    (text) => {
      expect(refusalOf(text)).toBe(
        'x.json:1:8: this key is not allowed, at /a/__proto__; leave it out',
      );
    },
  );

  test.each([
    ['a value', '{"a": "\\ud800"}', 'x.json:1:7'],
    ['a key', '{"\\udc00": 1}', 'x.json:1:2'],
  ])('refuses half a character in %s', (_, text, where) => {
    expect(refusalOf(text)).toContain(`${where}: the text holds half a character`);
  });

  test('accepts whole characters, escaped or not', () => {
    expect(parseStrictJson('["\\ud83c\\udfdd", "🏝"]', { place: 'x.json' })).toEqual(['🏝', '🏝']);
  });

  test.each([
    ['', 'x.json:1:1: a value was expected; correct the text there'],
    ['{"a" 1}', 'x.json:1:6: a colon was expected; correct the text there'],
    ['[1\n 2]', 'x.json:2:2: a comma was expected; correct the text there'],
    ['[1,]', 'x.json:1:4: a value was expected; correct the text there'],
    [
      '{1: 2}',
      'x.json:1:2: the name of a field was expected, in double quotes; correct the text there',
    ],
    ['[1', 'x.json:1:3: a closing bracket was expected; correct the text there'],
    ['{"a": 1', 'x.json:1:8: a closing brace was expected; correct the text there'],
    ['[1] 2', 'x.json:1:5: nothing more was expected; correct the text there'],
    ['[1 // one\n]', 'x.json:1:4: comments are not allowed; correct the text there'],
    ['["a]', 'x.json:1:2: the string has no end; correct the text there'],
    ['["\\x"]', 'x.json:1:2: there is no such escape; correct the text there'],
    ['["\u0001"]', 'x.json:1:2: control characters must be escaped; correct the text there'],
    ['[tru]', 'x.json:1:2: this is not JSON; correct the text there'],
  ])('says where and why %j is not JSON', (text, message) => {
    expect(refusalOf(text)).toBe(message);
  });

  test('accepts a depth of 64 and refuses 65, however much follows', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseStrictJson(nested(64), { place: 'x.json' })).not.toThrow();
    const message = /^x\.json:1:65: arrays and objects stand more than 64 deep .*, at (\/0){64};/;
    expect(refusalOf(nested(65))).toMatch(message);
    expect(refusalOf('['.repeat(5_000_000))).toMatch(message);
    expect(refusalOf('{"a":'.repeat(1_000_000))).toMatch(/^x\.json:1:321: .* more than 64 deep/);
  });

  test('accepts a text of the size limit and refuses one byte more', () => {
    expect(parseStrictJson('"é"', { place: 'x.json', maxBytes: 4 })).toBe('é');
    const message = 'x.json: the text is longer than 3 bytes; check that it is the right file';
    expect(refusalOf('"é"', 3)).toBe(message);
    expect(refusalOf(Buffer.from('"é"'), 3)).toBe(message);
  });

  test('limits a text to 8 MiB unless told otherwise', () => {
    const text = `"${'a'.repeat(8 * 1024 * 1024 - 2)}"`;
    expect(parseStrictJson(text, { place: 'x.json' })).toHaveLength(text.length - 2);
    expect(refusalOf(` ${text}`)).toContain('longer than 8,388,608 bytes');
  });

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a character', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut character', [0x22, 0xc3]],
  ])('refuses bytes that are not UTF-8: %s', (_, bytes) => {
    expect(refusalOf(Uint8Array.from(bytes))).toBe(
      'x.json: the text is not valid UTF-8; save it as UTF-8',
    );
  });

  test('refuses a byte order mark', () => {
    const message = 'x.json: the text begins with a byte order mark; save it as UTF-8 without one';
    expect(refusalOf('\uFEFF{}')).toBe(message);
    expect(refusalOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toBe(message);
  });

  test('prints nothing of the text or of its name raw', () => {
    const message = (() => {
      try {
        parseStrictJson('{"\\u001b[31m": 1.5}', { place: 'a\u001bb' });
        return '';
      } catch (error) {
        return (error as InputError).message;
      }
    })();
    expect(message).toMatch(/^a\\u\{1b\}b:1:16: the number 1\.5 .*, at \/\\u\{1b\}\[31m;/);
  });
});
