import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HASH_BYTES, ShortHasher } from './short-hasher.js';

function hashOf(hasher: ShortHasher, message: Uint8Array): string {
  hasher.makeRoom(message.length);
  hasher.message.set(message);
  const hash = new Uint8Array(HASH_BYTES);
  hasher.hash(message.length, hash, 0);
  return Buffer.from(hash).toString('hex');
}

function sha256(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex');
}

test('every length around the borders of a block is hashed as the system hashes it', () => {
  const hasher = new ShortHasher(8);
  for (let length = 0; length <= 200; length += 1) {
    const message = Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff);
    expect(hashOf(hasher, message)).toBe(sha256(message));
  }
});

test('any message is hashed as the system hashes it, whatever was hashed before', () => {
  const hasher = new ShortHasher(1);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (message) => {
      expect(hashOf(hasher, message)).toBe(sha256(message));
    }),
  );
});

test('the state after a block stands for the block', () => {
  const block = Uint8Array.from({ length: 64 }, (_, at) => at);
  const rest = Buffer.from('what comes behind it');
  const hasher = new ShortHasher(64);
  hasher.message.set(block);
  const state = hasher.stateAfterBlock();
  hasher.message.set(rest);
  const hash = new Uint8Array(40);
  hasher.hash(rest.length, hash, 8, state, 1);
  expect(Buffer.from(hash.subarray(8)).toString('hex')).toBe(sha256(Buffer.concat([block, rest])));
  expect([...hash.subarray(0, 8)]).toEqual(new Array(8).fill(0));
});

test('a hash can be written over its own message', () => {
  const hasher = new ShortHasher(64);
  hasher.message.set(Buffer.from('abc'));
  hasher.hash(3, hasher.message, 0);
  // The example of FIPS 180-4.
  expect(Buffer.from(hasher.message.subarray(0, HASH_BYTES)).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
