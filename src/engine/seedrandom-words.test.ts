import { describe, expect, test } from '@jest/globals';
import seedrandom from 'seedrandom';
import { seedrandomWords } from './seedrandom-words.js';

const KEYS = [
  Buffer.alloc(32),
  Buffer.alloc(32, 0xff),
  Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
  Buffer.from('the key of a stream has 32 bytes').subarray(0, 32),
];

/** The first words of a key, as the engine gives them. */
function wordsOf(key: Uint8Array, count: number): readonly number[] {
  const source = seedrandomWords(key);
  const words: number[] = [];
  while (words.length < count) words.push(...source.nextWords());
  return words.slice(0, count);
}

/** ARC4 (RFC 6229 calls it RC4), written from its description: the keystream, byte after byte. */
function* arc4(key: Uint8Array): Generator<number, never> {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    swap(i, j);
  }
  j = 0;
  for (let i = 1; ; i = (i + 1) % 256) {
    j = (j + state[i]!) % 256;
    swap(i, j);
    yield state[(state[i]! + state[j]!) % 256]!;
  }
}

/** Words of four keystream bytes each, high byte first, after the first 256 bytes. */
function arc4Words(key: Uint8Array, count: number): readonly number[] {
  const keystream = arc4(key);
  const nextByte = (): number => keystream.next().value;
  for (let dropped = 0; dropped < 256; dropped += 1) nextByte();
  return Array.from({ length: count }, () =>
    [nextByte(), nextByte(), nextByte(), nextByte()].reduce((word, byte) => word * 256 + byte, 0),
  );
}

describe('the ARC4 of this test', () => {
  test.each([
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8', '1cfcf62b03eddb641d77dfcf7f8d8c93'],
    [
      '0102030405060708090a0b0c0d0e0f10',
      '9ac7cc9a609d1ef7b2932899cde41b97',
      'd39d566bc6bce3010768151549f3873f',
    ],
  ])('gives the keystream of RFC 6229 under the key %s', (key, first, at256) => {
    const keystream = arc4(Buffer.from(key, 'hex'));
    const bytes = Buffer.from(Array.from({ length: 272 }, () => keystream.next().value));
    expect(bytes.toString('hex', 0, 16)).toBe(first);
    expect(bytes.toString('hex', 256, 272)).toBe(at256);
  });
});

describe('the words of the engine seedrandom', () => {
  test.each(KEYS.map((key) => key.toString('hex')))(
    'are ARC4 under the hex digits of the key %s',
    (hex) => {
      const expected = arc4Words(Buffer.from(hex, 'ascii'), 1000);
      expect(wordsOf(Buffer.from(hex, 'hex'), 1000)).toEqual(expected);
    },
  );

  test('are the 32-bit integers of the package, taken as unsigned', () => {
    for (const key of KEYS) {
      const generator = seedrandom(key.toString('hex'));
      const expected = Array.from({ length: 600 }, () => generator.int32() >>> 0);
      expect(wordsOf(key, 600)).toEqual(expected);
    }
  });

  test('come out of the ARC4 that the package documents', () => {
    // From the package's README: this seed's first number is always 0.9282578795792454.
    expect(seedrandom('hello.')()).toBe(0.9282578795792454);
    const words = arc4Words(Buffer.from('hello.'), 1);
    expect(words[0]! / 2 ** 32).toBeCloseTo(0.9282578795792454, 9);
  });

  test('depend on the key alone', () => {
    const key = KEYS[2]!;
    const before = wordsOf(key, 50);
    wordsOf(KEYS[1]!, 700);
    seedrandom('something else', { global: false })();
    expect(wordsOf(key, 50)).toEqual(before);
  });
});
