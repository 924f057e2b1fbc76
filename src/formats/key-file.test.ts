import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sampleKey } from '../testing/sample-keys.js';
import { MOST_KEY_BYTES, parsePublicKey } from './key-file.js';

/** The public key of RFC 8032, section 7.1, test 2, in DER. */
const RFC_SPKI =
  '302a300506032b6570032100' + '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
/** Its id by `openssl pkey -pubin -in key.pub -outform DER | sha256sum`. */
const RFC_ID = 'deb2ded39dc26fce';

function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der).toString('base64');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

const RFC_PEM = pem('PUBLIC KEY', Buffer.from(RFC_SPKI, 'hex'));

function read(text: string): ReturnType<typeof parsePublicKey> {
  return parsePublicKey(Buffer.from(text, 'latin1'), 'the key');
}

describe('a public key', () => {
  test('is known by the start of the hash of its DER', () => {
    const { id, spki } = read(RFC_PEM);
    expect([id, Buffer.from(spki).toString('hex')]).toEqual([RFC_ID, RFC_SPKI]);
  });

  test('is the same with other line ends, or with words around it', () => {
    for (const text of [
      RFC_PEM.replaceAll('\n', '\r\n'),
      `the operator's\n${RFC_PEM}since May\n`,
    ]) {
      expect(read(text)).toEqual(read(RFC_PEM));
    }
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const curve = generateKeyPairSync('x25519').publicKey;
  const curvePem = curve.export({ type: 'spki', format: 'pem' }).toString();

  test.each<[string, string, RegExp]>([
    ['nothing', '', /^the key is no key in PEM; gen-block key new makes one$/],
    ['words', 'ssh-ed25519 AAAA somebody', /^the key is no key in PEM; /],
    ['RSA', rsaPem, /^the key is a key for rsa, and blocks are signed by Ed25519 only$/],
    ['X25519', curvePem, /^the key is a key for x25519, and blocks are signed by Ed25519 only$/],
    [
      'a private key',
      sampleKey('a').privatePem,
      /^the key is a private key; give its public half, the \.pub beside it$/,
    ],
    ['two keys', RFC_PEM + RFC_PEM, /^the key holds more than one key; give a file with one$/],
    ['a certificate', pem('CERTIFICATE', Buffer.alloc(9)), /^the key holds "CERTIFICATE", and no/],
    [
      'a hostile label',
      '-----BEGIN \u001b[2J-----\n',
      /^the key holds "\\u\{1b\}\[2J", and no key/,
    ],
    ['garbage', pem('PUBLIC KEY', Buffer.alloc(44, 7)), /^the key cannot be read: it is damaged/],
    ['a key cut short', RFC_PEM.slice(0, 60), /^the key cannot be read: it is damaged/],
    [
      'a key far too long',
      RFC_PEM + ' '.repeat(MOST_KEY_BYTES),
      /^the key is too long for a key; name the key file$/,
    ],
  ])('is refused where it is %s', (_, text, words) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'bad-key', message: expect.stringMatching(words) }),
    );
  });
});
