import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TicketFormat } from '../formats/ticket-formats.js';
import { encodeTickets, type Ticket } from '../testing/broken-blocks.js';
import { bareLine, readCarefully, type CarefulReading } from './careful-reader.js';

function read(format: TicketFormat, line: string): Promise<CarefulReading> {
  return readCarefully(format, Buffer.from(line, 'latin1'));
}

const RECORD = {
  ticket: 7,
  prizeCents: 500,
  combination: '4B',
  grids: [
    ['AB', 'CD'],
    ['EF', 'GH'],
  ],
};
const NDJSON =
  '{"ticket":7,"prize_cents":500,"combination":"4B","grids":[["AB","CD"],["EF","GH"]]}';
const CSV = '7,500,4B,AB/CD|EF/GH';

describe('the careful reader of NDJSON', () => {
  test('reads a right line without a fault', async () => {
    expect(await read('ndjson', NDJSON)).toEqual({ faults: [], record: RECORD });
  });

  test.each([
    ['nothing', '', 'blank-line', 'a record', 'an empty line'],
    ['a carriage return alone', '\r', 'blank-line', 'a record', 'an empty line'],
    ['a byte order mark alone', '\u00ef\u00bb\u00bf', 'blank-line', 'a record', 'an empty line'],
    ['a byte of no UTF-8', '\u00ff', 'encoding', 'UTF-8', 'bytes that are no UTF-8'],
    ['half a character', '\u00ed\u00a0\u0080', 'encoding', 'UTF-8', 'bytes that are no UTF-8'],
    ['half an object', '{', 'record-syntax', 'one JSON object', '{'],
    ['a number', '7', 'record-syntax', 'a JSON object', '7'],
    ['null', 'null', 'record-syntax', 'a JSON object', 'null'],
    ['an escape sequence', '"\u001b[31m"', 'record-syntax', 'one JSON object', '"\\u{1b}[31m"'],
    [
      'two objects',
      `${NDJSON}${NDJSON}`,
      'record-syntax',
      'one JSON object',
      `${(NDJSON + NDJSON).slice(0, 120)}…`,
    ],
    ['very much', 'x'.repeat(60_000), 'record-syntax', 'one JSON object', `${'x'.repeat(120)}…`],
  ])('cannot read %s', async (_, line, code, expected, found) => {
    const { faults, record } = await read('ndjson', line);
    expect(record).toBeUndefined();
    expect(faults).toContainEqual({ code, expected, found });
  });

  test.each([
    ['"ticket":7', '"ticket":"7"', 'ticket: an integer', '"7"'],
    ['"ticket":7', '"ticket":7.5', 'ticket: an integer', '7.5'],
    ['"ticket":7', '"ticket":1e400', 'ticket: an integer', 'Infinity'],
    ['"ticket":7', '"ticket":9007199254740993', 'ticket: an integer', '9007199254740992'],
    ['500', 'null', 'prize_cents: an integer', 'null'],
    ['500', '[500]', 'prize_cents: an integer', 'a list of 1'],
    ['500', '{"toString":1}', 'prize_cents: an integer', 'an object'],
    ['"4B"', '4', 'combination: a string', '4'],
    ['"4B"', 'true', 'combination: a string', 'true'],
    ['[["AB","CD"],["EF","GH"]]', '"AB"', 'grids: an array of arrays of strings', '"AB"'],
    [
      '["EF","GH"]',
      '"EF/GH"',
      'grids: an array of arrays of strings',
      '"EF/GH" in the place of a grid',
    ],
    ['"GH"', '5', 'grids: an array of arrays of strings', '5 in the place of a row'],
    ['"GH"', 'null', 'grids: an array of arrays of strings', 'null in the place of a row'],
    [
      '"GH"',
      '["G","H"]',
      'grids: an array of arrays of strings',
      'a list of 2 in the place of a row',
    ],
  ])('with %s as %s says which type is wrong', async (right, wrong, expected, found) => {
    expect(await read('ndjson', NDJSON.replace(right, wrong))).toEqual({
      faults: [{ code: 'record-type', expected, found }],
      record: undefined,
      // Findings name the ticket wherever the line still tells its number.
      ...(expected.startsWith('ticket') ? {} : { ticket: 7 }),
    });
  });

  test('says which values are not there', async () => {
    expect((await read('ndjson', '{"ticket":7,"prize_cents":500}')).faults).toEqual([
      {
        code: 'record-keys',
        expected: 'ticket,prize_cents,combination,grids',
        found: 'ticket,prize_cents',
      },
      { code: 'record-type', expected: 'combination: a string', found: 'nothing' },
      { code: 'record-type', expected: 'grids: an array of arrays of strings', found: 'nothing' },
    ]);
  });

  test.each(['ticket', 'prize_cents', 'combination', 'grids'])(
    'is not put out of step by thousands of lists in each other as %s',
    async (key) => {
      const nested = '['.repeat(30_000) + ']'.repeat(30_000);
      const line = NDJSON.replace(new RegExp(`"${key}":`), `"${key}":${nested},"x":`);
      const { faults, record } = await read('ndjson', line);
      expect(record).toBeUndefined();
      expect(faults.map(({ code }) => code)).toContain('record-type');
      const twice = await read('ndjson', NDJSON.replace('{', `{"${key}":${nested},`));
      expect(twice.faults).not.toEqual([]);
    },
  );

  test('takes a key of the prototype for a key', async () => {
    const { faults } = await read('ndjson', NDJSON.replace('}', ',"__proto__":{"ticket":1}}'));
    expect(faults).toEqual([
      {
        code: 'record-keys',
        expected: 'ticket,prize_cents,combination,grids',
        found: 'ticket,prize_cents,combination,grids,__proto__',
      },
    ]);
  });

  test.each([
    ['a space at the end', `${NDJSON} `],
    ['a tab inside', NDJSON.replace(':', ':\t')],
    ['a number with a fraction of nothing', NDJSON.replace('500', '500.0')],
    ['a number with an exponent', NDJSON.replace('500', '5e2')],
    ['a negative nothing', NDJSON.replace('500', '-0')],
    ['an escaped letter', NDJSON.replace('4B', '4\\u0042')],
    ['an escaped letter in a key', NDJSON.replace('ticket', '\\u0074icket')],
    ['an escaped slash', NDJSON.replace('AB', 'A\\/')],
  ])('reads a line with %s, and says that it is written otherwise', async (_, line) => {
    const { faults, record } = await read('ndjson', line);
    expect(faults.map(({ code }) => code)).toEqual(['record-bytes']);
    expect(record?.ticket).toBe(7);
    expect(faults[0]?.found).not.toBe(faults[0]?.expected);
  });

  test('shows a difference late in a long line', async () => {
    const grids = new Array(20).fill('["AB","CD"]').join();
    const line = `{"ticket":7,"prize_cents":500,"combination":"4B","grids":[${grids}] }`;
    expect((await read('ndjson', line)).faults).toEqual([
      {
        code: 'record-bytes',
        expected: '…","CD"],["AB","CD"]]}',
        found: '…","CD"],["AB","CD"]] }',
      },
    ]);
  });

  test('reads a line with a byte order mark and a CR, and says both', async () => {
    expect(await read('ndjson', `\u00ef\u00bb\u00bf${NDJSON}\r`)).toEqual({
      faults: [
        { code: 'byte-order-mark', expected: 'no byte order mark', found: 'EF BB BF' },
        { code: 'line-ending', expected: 'LF', found: 'CR LF' },
      ],
      record: RECORD,
    });
  });

  test('says nothing that could move the cursor of a terminal', async () => {
    const line = NDJSON.replace('4B', '\u00e2\u0080\u00ae\u00c2\u009b4B').replace(':7', ': 7');
    const { faults } = await read('ndjson', line);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.expected).toContain('\\u{202e}\\u{9b}4B');
    expect(faults[0]?.found).toContain('\\u{202e}\\u{9b}4B');
  });
});

describe('the careful reader of CSV', () => {
  test('reads a right line without a fault', async () => {
    expect(await read('csv', CSV)).toEqual({ faults: [], record: RECORD });
  });

  test('reads no grids out of an empty field', async () => {
    expect(await read('csv', '7,0,,')).toEqual({
      faults: [],
      record: { ticket: 7, prizeCents: 0, combination: '', grids: [] },
    });
  });

  test.each([
    ['7,500,4B', 'four columns', '3 columns: 7,500,4B'],
    [`${CSV},`, 'four columns', `5 columns: ${CSV},`],
    [`${CSV};`.replaceAll(',', ';'), 'four columns', `1 columns: ${CSV};`.replaceAll(',', ';')],
    [`"${CSV}`, 'four columns', `"${CSV}`],
    ['7,"500"0,4B,AB', 'four columns', '7,"500"0,4B,AB'],
  ])('cannot read %j', async (line, expected, found) => {
    expect(await read('csv', line)).toEqual({
      faults: [{ code: 'record-syntax', expected, found }],
      record: undefined,
    });
  });

  test.each(['', '07', '+7', '-7', '7.0', '7e0', ' 7', '7 ', '0x7', '\u0661', '1000000000000000'])(
    'does not take %j for a number',
    async (text) => {
      const line = Buffer.from(`${text},${text},4B,AB`);
      expect(await readCarefully('csv', line)).toEqual({
        faults: [
          { code: 'record-type', expected: 'ticket: a whole number', found: text },
          { code: 'record-type', expected: 'prize_cents: a whole number', found: text },
        ],
        record: undefined,
      });
    },
  );

  test('tells the number of a ticket whose prize is no number', async () => {
    expect(await read('csv', '7,x,4B,AB')).toEqual({
      faults: [{ code: 'record-type', expected: 'prize_cents: a whole number', found: 'x' }],
      record: undefined,
      ticket: 7,
    });
  });

  test.each([
    ['"a""b",c,d,e', '"a""b",c,d,e'],
    ['"7","5,00",4B,AB', '"7","5,00",4B,AB'],
  ])('reads %s as four columns', async (line) => {
    const { faults } = await read('csv', line);
    expect(faults.map(({ code }) => code)).not.toContain('record-syntax');
  });

  test('reads quoted fields, and says that they are written otherwise', async () => {
    expect(await read('csv', '"7","500","4B","AB/CD|EF/GH"')).toEqual({
      faults: [{ code: 'record-bytes', expected: CSV, found: '"7","500","4B","AB/CD|EF/GH"' }],
      record: RECORD,
    });
  });
});

test('a byte order mark or a carriage return is only taken away where it stands alone', () => {
  expect(bareLine(Buffer.from('\u00ef\u00bb', 'latin1'))).toEqual({
    line: Buffer.from('\u00ef\u00bb', 'latin1'),
    faults: [],
  });
  expect(bareLine(Buffer.from('a\rb'))).toEqual({ line: Buffer.from('a\rb'), faults: [] });
  expect(Buffer.from(bareLine(Buffer.from('a\r\r')).line).toString()).toBe('a\r');
});

/** Lines that are nearly right, made of a right one and of pieces that JSON and CSV are made of. */
function anyLine(format: TicketFormat): fc.Arbitrary<Uint8Array> {
  const line = format === 'ndjson' ? NDJSON : CSV;
  const pieces = [
    '',
    '"',
    '""',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '\\',
    '\\u0041',
    ' ',
    '\t',
    '\r',
    '\0',
  ];
  const more = [
    '0',
    '1',
    '-',
    '.',
    'e1',
    '/',
    '|',
    'null',
    'A',
    '"ticket":1,',
    '\u00c3\u00a9',
    '\u00ff',
  ];
  const edit = fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...pieces, ...more));
  return fc.array(edit, { maxLength: 4 }).map((edits) => {
    let text = line;
    for (const [at, dropped, added] of edits) {
      const start = at % (text.length + 1);
      text = text.slice(0, start) + added + text.slice(start + dropped);
    }
    return Buffer.from(text, 'latin1');
  });
}

describe.each(['ndjson', 'csv'] as const)('a %s line of any bytes', (format) => {
  test('is without faults only where it is what its values are written as', async () => {
    let right = 0;
    await fc.assert(
      fc.asyncProperty(anyLine(format), async (line) => {
        const { faults, record } = await readCarefully(format, line);
        if (faults.length > 0) {
          for (const { expected, found } of faults) {
            expect(`${expected}${found}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
            expect(found.length).toBeLessThan(300);
          }
          return;
        }
        right += 1;
        expect(record).toBeDefined();
        const { ticket, prizeCents: prize_cents, combination, grids } = record!;
        const written: Ticket = { ticket, prize_cents, combination, grids };
        const [, last] = encodeTickets([written], format === 'csv' ? 'csv' : 'ndjson')
          .split('\n')
          .slice(-3);
        const text = format === 'csv' ? last : encodeTickets([written], 'ndjson').trimEnd();
        expect(Buffer.from(line).toString('utf8')).toBe(text);
      }),
      { numRuns: 2000 },
    );
    expect(right).toBeGreaterThan(20);
  });
});
