import { describe, expect, test } from '@jest/globals';
import { InputError, machineError, MachineError, printable, systemErrorCode } from './errors.js';

/** An error as the operating system's calls throw it. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code });
}

describe('bad input', () => {
  test('has a code, a place and a cause', () => {
    const cause = new Error('the cause');
    const error = new InputError('bad-json', 'the message', { place: 'x.json:1:2', cause });
    expect(error).toMatchObject({
      name: 'InputError',
      code: 'bad-json',
      message: 'the message',
      place: 'x.json:1:2',
      cause,
    });
  });

  test('may have no place', () => {
    expect(new InputError('usage', 'the message').place).toBeUndefined();
  });
});

describe("the operating system's errors", () => {
  test.each([
    ['ENOSPC', /^cannot write \/out\/x: the disk is full; /],
    ['EACCES', /^cannot write \/out\/x: permission is denied; /],
    ['EROFS', /^cannot write \/out\/x: the file system is read-only; /],
    ['EWEIRD', /^cannot write \/out\/x: the operating system said EWEIRD$/],
  ])('%s comes with advice', (code, message) => {
    const cause = systemError(code);
    const error = machineError('write', '/out/x', cause);
    expect(error).toBeInstanceOf(MachineError);
    expect(error).toMatchObject({ name: 'MachineError', code, cause });
    expect(error.message).toMatch(message);
  });

  test('the path in their message is safe to print', () => {
    const { message } = machineError('read', '/out/\u001b[2J', systemError('EIO'));
    expect(message).toContain('cannot read /out/\\u{1b}[2J: ');
  });

  test.each([
    ['a bug', new TypeError('a bug')],
    ['bad input', new InputError('usage', 'the message')],
    ['a machine error', new MachineError('the message', { code: 'EIO' })],
  ])('%s comes back as it is', (_, error) => {
    expect(machineError('read', '/out/x', error)).toBe(error);
  });

  test('what is no error becomes one', () => {
    expect(machineError('read', '/out/x', 'a text')).toEqual(new Error('a text'));
  });

  test.each([
    [systemError('ENOENT'), 'ENOENT'],
    [new Error('no code'), undefined],
    [Object.assign(new Error('a number'), { code: 5 }), undefined],
    ['ENOENT', undefined],
    [undefined, undefined],
  ])('the code of %p is %p', (error, code) => {
    expect(systemErrorCode(error)).toBe(code);
  });
});

describe('printable text', () => {
  test.each([
    ['plain text stays: é, 漢, 🏝', 'plain text stays: é, 漢, 🏝'],
    ['\u001b[31mred', '\\u{1b}[31mred'],
    ['line\nline\r\ttab\u0000', 'line\\u{a}line\\u{d}\\u{9}tab\\u{0}'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['half \ud83c', 'half \\u{d83c}'],
    ['private \ue000', 'private \\u{e000}'],
  ])('is made from %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('is cut at its limit', () => {
    expect(printable('a'.repeat(200))).toBe('a'.repeat(200));
    expect(printable('a'.repeat(201))).toBe(`${'a'.repeat(200)}…`);
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('ab🏝', 3)).toBe('ab\\u{d83c}…');
  });
});
