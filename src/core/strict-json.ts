import { printParseErrorCode, visit, type JSONPath, type JSONVisitor } from 'jsonc-parser';
import { InputError, printable } from './errors.js';
import { jsonPointer } from './json-pointer.js';
import { formatCount } from './money.js';

/** The size limit of a user's JSON text, in bytes, where the caller sets none. */
export const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** How many arrays and objects may stand in each other. */
const MAX_DEPTH = 64;

/** No decimals, no exponent, no `-0`. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** In a string of 16-bit units, half a character without its other half. */
const LONE_SURROGATE = /\p{Cs}/u;

const BROKEN_TEXT: Refusal = {
  found: 'the text holds half a character (a lone surrogate)',
  advice: 'write the whole character',
};

const BYTE_ORDER_MARK = '\uFEFF';

/** What jsonc-parser's names of syntax errors mean. */
const SYNTAX_WORDS: ReadonlyMap<string, string> = new Map([
  ['PropertyNameExpected', 'the name of a field was expected, in double quotes'],
  ['ValueExpected', 'a value was expected'],
  ['ColonExpected', 'a colon was expected'],
  ['CommaExpected', 'a comma was expected'],
  ['CloseBraceExpected', 'a closing brace was expected'],
  ['CloseBracketExpected', 'a closing bracket was expected'],
  ['EndOfFileExpected', 'nothing more was expected'],
  ['InvalidCommentToken', 'comments are not allowed'],
  ['UnexpectedEndOfComment', 'comments are not allowed'],
  ['UnexpectedEndOfString', 'the string has no end'],
  ['UnexpectedEndOfNumber', 'the number has no end'],
  ['InvalidUnicode', 'the \\u escape is not complete'],
  ['InvalidEscapeCharacter', 'there is no such escape'],
  ['InvalidCharacter', 'control characters must be escaped'],
]);

/** What is wrong with a text, where, and what to do about it. */
interface Refusal {
  readonly found: string;
  readonly advice: string;
  /** Counted from 0. */
  readonly line?: number;
  /** Counted from 0, in 16-bit units. */
  readonly column?: number;
  readonly path?: JSONPath;
}

/**
 * Parses the JSON text of a user's file: a definition, a manifest, a job file.
 *
 * `JSON.parse` alone would silently change what was written: the last of two equal keys wins,
 * `9007199254740993` loses its last digit, `1e400` becomes infinite. So whatever is not exactly what
 * it seems to be is refused: equal keys, numbers other than integers between -(2^53 - 1) and
 * 2^53 - 1, half characters, the key `__proto__`; and, to spare memory and stack, texts that are too
 * long or nested too deeply.
 *
 * @param options - `place` names the text in messages; `maxBytes` limits its length in UTF-8.
 * @returns Plain objects and arrays. Look up keys that come from input with `Object.hasOwn`.
 * @throws InputError `bad-json` with the line, the column and, where there is one, the pointer.
 */
export function parseStrictJson(
  input: string | Uint8Array,
  options: { readonly place: string; readonly maxBytes?: number },
): unknown {
  const { place, maxBytes = MAX_JSON_BYTES } = options;
  const byteCount = typeof input === 'string' ? Buffer.byteLength(input) : input.length;
  if (byteCount > maxBytes) {
    const found = `the text is longer than ${formatCount(maxBytes)} bytes`;
    refuse(place, { found, advice: 'check that it is the right file' });
  }
  const text = typeof input === 'string' ? input : decodeUtf8(input, place);
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const found = 'the text begins with a byte order mark';
    refuse(place, { found, advice: 'save it as UTF-8 without one' });
  }
  visit(text, strictVisitor(text, place), { disallowComments: true });
  // jsonc-parser accepts what JSON.parse accepts and no more: a property of the tests.
  return JSON.parse(text) as unknown;
}

function decodeUtf8(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse(place, { found: 'the text is not valid UTF-8', advice: 'save it as UTF-8' });
  }
}

/** Follows the text from its first character on, and throws at the first that is not acceptable. */
function strictVisitor(text: string, place: string): JSONVisitor {
  /** For each array or object around the current place, the keys so far. */
  const keysAround: Set<string>[] = [];
  const enter = (line: number, column: number, path: JSONPath): void => {
    keysAround.push(new Set());
    if (keysAround.length <= MAX_DEPTH) return;
    const found = `arrays and objects stand more than ${MAX_DEPTH} deep in each other`;
    refuse(place, { found, advice: 'check that it is the right file', line, column, path });
  };
  return {
    onObjectBegin: (_offset, _length, line, column, pathOf) => enter(line, column, pathOf()),
    onArrayBegin: (_offset, _length, line, column, pathOf) => enter(line, column, pathOf()),
    onObjectEnd: () => void keysAround.pop(),
    onArrayEnd: () => void keysAround.pop(),
    onObjectProperty: (key, _offset, _length, line, column, pathOf) => {
      const keys = keysAround.at(-1);
      const wrong = keyRefusal(key, keys);
      if (wrong !== undefined) refuse(place, { ...wrong, line, column, path: [...pathOf(), key] });
      keys?.add(key);
    },
    onLiteralValue: (value: unknown, offset, length, line, column, pathOf) => {
      const wrong = valueRefusal(value, text.slice(offset, offset + length));
      if (wrong === undefined) return;
      const path = pathOf();
      const advice = centsAdvice(path.at(-1), value) ?? wrong.advice;
      refuse(place, { ...wrong, advice, line, column, path });
    },
    onError: (error, _offset, _length, line, column) => {
      const found = SYNTAX_WORDS.get(printParseErrorCode(error)) ?? 'this is not JSON';
      refuse(place, { found, advice: 'correct the text there', line, column });
    },
  };
}

function keyRefusal(key: string, keys: ReadonlySet<string> | undefined): Refusal | undefined {
  if (keys?.has(key) === true) {
    return { found: 'the same key stands here twice', advice: 'leave one of them' };
  }
  if (key === '__proto__') return { found: 'this key is not allowed', advice: 'leave it out' };
  return LONE_SURROGATE.test(key) ? BROKEN_TEXT : undefined;
}

function valueRefusal(value: unknown, written: string): Refusal | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? BROKEN_TEXT : undefined;
  if (typeof value !== 'number') return undefined;
  if (INTEGER.test(written) && Number.isSafeInteger(value)) return undefined;
  return {
    found: `the number ${printable(written, 40)} is not an integer from -(2^53 - 1) to 2^53 - 1`,
    advice: 'write a whole number in plain digits',
  };
}

/** What to write where an amount in euros stands in a field of cents. */
function centsAdvice(key: string | number | undefined, value: unknown): string | undefined {
  if (typeof key !== 'string' || !key.endsWith('_cents') || typeof value !== 'number')
    return undefined;
  const euros = value.toFixed(2);
  // Of 2.505, which is no amount in euros either, nothing better is known.
  if (Number(euros) !== value || !Number.isSafeInteger(Math.round(100 * value))) return undefined;
  return `amounts are whole cents: ${euros} euros is ${Math.round(100 * value)}`;
}

function refuse(place: string, { found, advice, line, column, path = [] }: Refusal): never {
  const spot = line === undefined || column === undefined ? '' : `:${line + 1}:${column + 1}`;
  const where = `${printable(place)}${spot}`;
  const pointer = printable(jsonPointer(path));
  throw new InputError(
    'bad-json',
    `${where}: ${found}${pointer === '' ? '' : `, at ${pointer}`}; ${advice}`,
    { place: where },
  );
}
