import { describe, expect, test } from '@jest/globals';
import { chacha20Words } from './chacha20-words.js';

/** RFC 8439, appendix A.1: the keystream blocks with a nonce of zeros. */
const RFC_VECTORS = [
  {
    vector: 1,
    key: '00'.repeat(32),
    counter: 0,
    keystream:
      '76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7' +
      'da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586',
  },
  {
    vector: 2,
    key: '00'.repeat(32),
    counter: 1,
    keystream:
      '9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed' +
      '29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f',
  },
  {
    vector: 3,
    key: '00'.repeat(31) + '01',
    counter: 1,
    keystream:
      '3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a' +
      '8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0',
  },
  {
    vector: 4,
    key: '00ff' + '00'.repeat(30),
    counter: 2,
    keystream:
      '72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca' +
      '13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096',
  },
];

const WORDS_PER_BLOCK = 16;

/** The first words of a key, as the engine gives them. */
function wordsOf(key: Uint8Array, count: number): readonly number[] {
  const source = chacha20Words(key);
  const words: number[] = [];
  while (words.length < count) words.push(...source.nextWords());
  return words.slice(0, count);
}

/** The words of one keystream block with a nonce of zeros, written from RFC 8439, section 2.3. */
function chacha20Block(key: Buffer, counter: number): readonly number[] {
  const constants = Array.from({ length: 4 }, (_, index) =>
    Buffer.from('expand 32-byte k').readUInt32LE(4 * index),
  );
  const keyWords = Array.from({ length: 8 }, (_, index) => key.readUInt32LE(4 * index));
  const start = [...constants, ...keyWords, counter, 0, 0, 0];
  const state = Uint32Array.from(start);
  const step = (a: number, b: number, d: number, bits: number): void => {
    state[a]! += state[b]!;
    const mixed = state[d]! ^ state[a]!;
    state[d] = (mixed << bits) | (mixed >>> (32 - bits));
  };
  const quarterRound = (a: number, b: number, c: number, d: number): void => {
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
  };
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 4; i += 1) quarterRound(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i += 1) {
      quarterRound(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
    }
  }
  return [...state.map((word, index) => word + start[index]!)];
}

describe('the words of the engine chacha20', () => {
  test.each(RFC_VECTORS)(
    'are the keystream of vector $vector of RFC 8439, little-endian',
    ({ key, counter, keystream }) => {
      const bytes = Buffer.from(keystream, 'hex');
      const expected = Array.from({ length: WORDS_PER_BLOCK }, (_, index) =>
        bytes.readUInt32LE(4 * index),
      );
      const start = counter * WORDS_PER_BLOCK;
      const words = wordsOf(Buffer.from(key, 'hex'), start + WORDS_PER_BLOCK).slice(start);
      expect(words).toEqual(expected);
    },
  );

  test('begin with the low byte of each word', () => {
    // The keystream of a key of zeros begins 76 b8 e0 ad.
    expect(wordsOf(Buffer.alloc(32), 1)).toEqual([0xade0b876]);
  });

  test('are the blocks one after the other, across the pieces that they are drawn in', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 7 * index));
    const blocks = 600;
    const expected = Array.from({ length: blocks }, (_, counter) => chacha20Block(key, counter));
    const pieceLength = chacha20Words(key).nextWords().length;
    expect(blocks * WORDS_PER_BLOCK).toBeGreaterThan(2 * pieceLength);
    expect(wordsOf(key, blocks * WORDS_PER_BLOCK)).toEqual(expected.flat());
  });
});
