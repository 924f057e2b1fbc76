import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HASH_BYTES, paddedBytes, padMessage, ShortHasher } from './short-hasher.js';

/** Where messages stand: bytes before and behind them are none of theirs. */
const FROM = 5;

function hashOf(hasher: ShortHasher, message: Uint8Array): string {
  const bytes = new Uint8Array(FROM + paddedBytes(message.length) + 3).fill(0xff);
  bytes.set(message, FROM);
  const blocks = padMessage(bytes, FROM, message.length);
  hasher.start();
  hasher.addBlocks(bytes, FROM, blocks);
  const hash = new Uint8Array(HASH_BYTES);
  hasher.write(hash, 0);
  expect([...bytes.subarray(0, FROM), ...bytes.subarray(-3)]).toEqual(
    new Array(FROM + 3).fill(0xff),
  );
  return Buffer.from(hash).toString('hex');
}

function sha256(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex');
}

test('every length around the borders of a block is hashed as the system hashes it', () => {
  const hasher = new ShortHasher();
  for (let length = 0; length <= 200; length += 1) {
    const message = Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff);
    expect(hashOf(hasher, message)).toBe(sha256(message));
  }
});

test('any message is hashed as the system hashes it, whatever was hashed before', () => {
  const hasher = new ShortHasher();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (message) => {
      expect(hashOf(hasher, message)).toBe(sha256(message));
    }),
  );
});

test('the state after a block stands for the block', () => {
  const block = Uint8Array.from({ length: 64 }, (_, at) => at);
  const rest = Buffer.from('what comes behind it');
  const hasher = new ShortHasher();
  hasher.start();
  hasher.addBlocks(block, 0, 1);
  const state = hasher.state();
  expect(hashOf(hasher, rest)).toBe(sha256(rest));
  const padded = new Uint8Array(64);
  padded.set(rest);
  expect(padMessage(padded, 0, rest.length, 1)).toBe(1);
  hasher.start(state);
  hasher.addBlocks(padded, 0, 1);
  const hash = new Uint8Array(48);
  hasher.write(hash, 8);
  expect(Buffer.from(hash.subarray(8, 40)).toString('hex')).toBe(
    sha256(Buffer.concat([block, rest])),
  );
  expect([...hash.subarray(0, 8), ...hash.subarray(40)]).toEqual(new Array(16).fill(0));
});

test('a hash can be written over its own message', () => {
  const hasher = new ShortHasher();
  const bytes = new Uint8Array(64);
  bytes.set(Buffer.from('abc'));
  hasher.start();
  hasher.addBlocks(bytes, 0, padMessage(bytes, 0, 3));
  hasher.write(bytes, 0);
  // The example of FIPS 180-4.
  expect(Buffer.from(bytes.subarray(0, HASH_BYTES)).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
