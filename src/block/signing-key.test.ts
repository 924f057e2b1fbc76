import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { parsePublicKey } from '../formats/key-file.js';
import { sampleKey } from '../testing/sample-keys.js';
import { newSigningKey, parseSigningKey } from './signing-key.js';

const PASSPHRASE = Buffer.from('sesame-Zq7 \u00e9');

function read(pem: string, passphrase?: Uint8Array): ReturnType<typeof parseSigningKey> {
  return parseSigningKey(Buffer.from(pem, 'latin1'), 'the key', passphrase);
}

describe('a new key', () => {
  test('is read again with the id of its public half', () => {
    const { id, privatePem, publicPem } = newSigningKey();
    expect(read(privatePem)).toMatchObject(parsePublicKey(Buffer.from(publicPem), 'it'));
    expect(read(privatePem).id).toBe(id);
  });

  test('is another each time', () => {
    expect(newSigningKey().id).not.toBe(newSigningKey().id);
  });

  test('is the same with a passphrase, and shut without', () => {
    const { id, privatePem } = newSigningKey(PASSPHRASE);
    expect(privatePem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
    expect(read(privatePem, PASSPHRASE).id).toBe(id);
    const shut = 'the key is encrypted; give its passphrase with --passphrase-file';
    expect(() => read(privatePem)).toThrow(shut);
    const wrong = 'the key cannot be opened: the passphrase is wrong, or the file is damaged';
    expect(() => read(privatePem, Buffer.from('sesame'))).toThrow(wrong);
  });
});

describe('a private key', () => {
  test('is plain data that another thread gets whole', () => {
    const { key } = sampleKey('a');
    expect(structuredClone(key)).toEqual(key);
    // Nothing but the key: a thread gets all of the memory that an array is a part of.
    expect(key.pkcs8.buffer.byteLength).toBe(key.pkcs8.length);
    expect(key.spki.buffer.byteLength).toBe(key.spki.length);
  });

  const { privatePem, publicPem } = sampleKey('a');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

  test.each<[string, string, Uint8Array | undefined, RegExp]>([
    ['a public key', publicPem, undefined, /^the key is a public key, which cannot sign; /],
    [
      'not encrypted',
      privatePem,
      PASSPHRASE,
      /^the key is not encrypted; leave the passphrase out/,
    ],
    [
      'RSA',
      rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
      undefined,
      /^the key is a key for rsa, and blocks are signed by Ed25519 only$/,
    ],
    [
      'RSA in its own form',
      rsa.export({ type: 'pkcs1', format: 'pem' }).toString(),
      undefined,
      /^the key holds "RSA PRIVATE KEY", and no key as gen-block key new or openssl genpkey/,
    ],
    [
      'garbage',
      privatePem.replace('MC4C', 'AAAA'),
      undefined,
      /^the key cannot be read: it is dam/,
    ],
  ])('is refused where it is %s', (_, pem, passphrase, words) => {
    expect(() => read(pem, passphrase)).toThrow(
      expect.objectContaining({ code: 'bad-key', message: expect.stringMatching(words) }),
    );
  });

  test('stands in no error, and in none that it comes from', () => {
    const damaged = privatePem.replace('MC4C', 'AAAA');
    let caught: unknown;
    try {
      read(damaged);
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: 'bad-key', cause: undefined });
  });
});
