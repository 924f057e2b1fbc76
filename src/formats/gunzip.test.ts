import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { GzipError, gunzip } from './gunzip.js';

/** The bytes of a file in pieces of so many. */
async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
}

async function contentOf(bytes: Uint8Array, length = 1000): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of gunzip(inPieces(bytes, length))) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** What is held against bytes that are no right gzip file. */
async function faultOf(bytes: Uint8Array, length?: number): Promise<string> {
  try {
    await contentOf(bytes, length);
  } catch (error) {
    if (error instanceof GzipError) return error.message;
    throw error;
  }
  return 'nothing';
}

/** Text with the repetitions of a tickets file. */
const CONTENT = Buffer.from(
  Array.from({ length: 150 }, (_, at) => `${at},0,,${(at * 7919) % 3125}/VSBDP\n`).join(''),
);
const WHOLE = gzipSync(CONTENT);

/** A member with these flags and the fields that they announce. */
function memberWith(flags: number, fields: Uint8Array): Uint8Array {
  const header = Uint8Array.from([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3]);
  return Buffer.concat([header, fields, WHOLE.subarray(10)]);
}

describe('a right gzip file', () => {
  test('gives its content, whatever it is and whatever pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000, size: 'max' }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 300 }),
        async (content, level, length) => {
          const found = await contentOf(gzipSync(content, { level }), length);
          expect(Buffer.compare(found, content)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([1, 7, 8, 9, WHOLE.length - 8, WHOLE.length - 1, WHOLE.length, 1_000_000])(
    'gives its content in pieces of %d bytes',
    async (length) => {
      expect((await contentOf(WHOLE, length)).equals(CONTENT)).toBe(true);
    },
  );

  test.each<[string, number, Uint8Array]>([
    ['a file name', 8, Buffer.from('tickets.csv\0')],
    ['a long comment', 16, Buffer.from(`${'x'.repeat(50_000)}\0`)],
    ['an extra field', 4, Buffer.from([3, 1, ...new Uint8Array(259)])],
    ['a checksum of the header', 2, Buffer.from([1, 2])],
    ['everything', 30, Buffer.from([1, 0, 9, 0x61, 0, 0x62, 0, 1, 2])],
    ['a mark that it is text', 1, Buffer.from([])],
  ])('may have %s in its header', async (_, flags, fields) => {
    for (const length of [1, 1000]) {
      expect((await contentOf(memberWith(flags, fields), length)).equals(CONTENT)).toBe(true);
    }
  });
});

describe('what is no right gzip file', () => {
  const altered = (at: number, value: number): Uint8Array => {
    const bytes = Uint8Array.from(WHOLE);
    bytes[at < 0 ? bytes.length + at : at] = value;
    return bytes;
  };
  const lengthByte = WHOLE.at(-1)!;

  test.each<[string, Uint8Array, string | RegExp]>([
    ['nothing', new Uint8Array(0), 'an empty file'],
    ['the plain text', CONTENT, 'no gzip header'],
    ['another method', altered(2, 7), 'no gzip header'],
    ['flags that mean nothing', altered(3, 0x20), 'no gzip header'],
    ['raw deflate', deflateRawSync(CONTENT), 'no gzip header'],
    ['a name without an end', memberWith(8, Buffer.from('x')).subarray(0, 11), /^the end of/],
    ['an extra field without an end', memberWith(4, Buffer.from([255, 255])), /^the end of/],
    ['another kind of block', altered(10, 0xff), /^damaged data: invalid/],
    ['a wrong checksum', altered(-8, WHOLE.at(-8)! ^ 1), 'a wrong checksum (CRC-32)'],
    ['a wrong length', altered(-1, lengthByte ^ 1), 'a wrong length'],
    ['a byte behind it', Buffer.concat([WHOLE, Buffer.from('x')]), 'more bytes behind it'],
    ['zeros behind it', Buffer.concat([WHOLE, new Uint8Array(512)]), 'more bytes behind it'],
    ['a second member', Buffer.concat([WHOLE, WHOLE]), 'a second member behind it'],
    ['an empty member before it', Buffer.concat([gzipSync(''), WHOLE]), /^a second member/],
    ['an empty member behind it', Buffer.concat([WHOLE, gzipSync('')]), /^a second member/],
  ])('is refused: %s', async (_, bytes, words) => {
    for (const length of [1, 16, 1_000_000]) expect(await faultOf(bytes, length)).toMatch(words);
  });

  test('is refused wherever it is cut short', async () => {
    const small = gzipSync(CONTENT.subarray(0, 200));
    for (let length = 3; length < small.length; length += 1) {
      expect([length, await faultOf(small.subarray(0, length), 16)]).toEqual([
        length,
        'the end of the file within it',
      ]);
    }
  });

  test('is refused whatever bit is changed, or has the same content all the same', async () => {
    const content = CONTENT.subarray(0, 200);
    const small = gzipSync(content);
    let same = 0;
    for (let bit = 0; bit < small.length * 8; bit += 1) {
      const bytes = Uint8Array.from(small);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const found = await contentOf(bytes).catch((error: unknown) => error);
      if (found instanceof GzipError) continue;
      expect(content.equals(found as Buffer)).toBe(true);
      same += 1;
    }
    // The time, the system and hints in the header, and bits that pad the data at its end.
    expect(same).toBeLessThan(64);
  });

  test('ends with the error of its source', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield WHOLE.subarray(0, 500);
      await Promise.resolve();
      throw new Error('the disk is gone');
    }
    const read = async (): Promise<void> => {
      for await (const bytes of gunzip(failing())) expect(bytes.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('the disk is gone');
  });
});

test('a file that would fill the memory comes out in small pieces, and can be left at any of them', async () => {
  const bomb = gzipSync(new Uint8Array(120_000_000), { level: 9 });
  let isSourceEnded = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* inPieces(bomb, 65_536);
    } finally {
      isSourceEnded = true;
    }
  }
  let pieces = 0;
  let external = 0;
  const before = process.memoryUsage().external;
  for await (const bytes of gunzip(source())) {
    expect(bytes.length).toBeLessThanOrEqual(262_144);
    external = Math.max(external, process.memoryUsage().external - before);
    pieces += 1;
    if (pieces === 300) break;
  }
  expect(external).toBeLessThan(80_000_000);
  expect(isSourceEnded).toBe(true);
});
