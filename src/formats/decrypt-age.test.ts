import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { encryptBytes, newAgeKey, runAge, type AgeKey } from '../testing/age-lab.js';
import {
  AgeError,
  AgeLockedError,
  checkIdentities,
  checkRecipients,
  makeAgeHeader,
} from './age-header.js';
import { payloadBytes, payloadKey, sealChunk } from './age-payload.js';
import { decryptAge } from './decrypt-age.js';

const CHUNK = 65_536;
const SEALED = CHUNK + 16;
const CUT_SHORT = 'the end of the file within it';
const CONTENT = randomBytes(2 * CHUNK + 100);

let key: AgeKey;
let file: Buffer;
/** Where its chunks begin. */
let body: number;

beforeAll(async () => {
  key = await newAgeKey();
  file = await encryptBytes(CONTENT, [key.recipient]);
  body = file.length - payloadBytes(CONTENT.length) + 16;
});

/** What comes out of a file until it fails, and what it fails of. */
async function attempt(
  bytes: Uint8Array,
  identities: readonly string[] = [key.identity],
): Promise<{ readonly plain: Buffer; readonly error: unknown }> {
  const pieces: Uint8Array[] = [];
  const source = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  let error: unknown;
  try {
    for await (const piece of decryptAge(source, identities)) pieces.push(Buffer.from(piece));
  } catch (thrown) {
    error = thrown;
  }
  return { plain: Buffer.concat(pieces), error };
}

function flipped(at: number): Buffer {
  const bytes = Buffer.from(file);
  bytes[at]! ^= 1;
  return bytes;
}

/** A file of chunks that are each right, put together by hand. */
async function fileOf(chunks: readonly (readonly [plain: Uint8Array, isLast: boolean])[]) {
  const { header, fileKey } = await makeAgeHeader([key.recipient]);
  const nonce = randomBytes(16);
  const streamKey = payloadKey(fileKey, nonce);
  const sealed = chunks.flatMap(([plain, isLast], index) =>
    sealChunk(streamKey, { index, isLast }, plain),
  );
  return Buffer.concat([header, nonce, ...sealed]);
}

const FULL = Buffer.alloc(CHUNK, 'a');
const EMPTY = Buffer.alloc(0);

describe('a damaged file', () => {
  const damages: readonly (readonly [damage: string, make: () => Uint8Array, found: string])[] = [
    ['without a byte', () => EMPTY, 'an empty file'],
    ['that is none', () => Buffer.from('ticket,prize_cents\n'), 'no age header'],
    ['in armor', () => runAge(['-a', '-r', key.recipient], CONTENT), 'no age header'],
    ['cut in its first line', () => file.subarray(0, 10), CUT_SHORT],
    ['cut in its header', () => file.subarray(0, body - 30), CUT_SHORT],
    ['cut in its nonce', () => file.subarray(0, body - 3), CUT_SHORT],
    ['cut behind its nonce', () => file.subarray(0, body), CUT_SHORT],
    ['cut in a tag', () => file.subarray(0, body + 5), CUT_SHORT],
    ['cut in a chunk', () => file.subarray(0, body + 1000), 'damaged data in chunk 1'],
    ['cut behind a chunk', () => file.subarray(0, body + SEALED), CUT_SHORT],
    ['cut behind two', () => file.subarray(0, body + 2 * SEALED), CUT_SHORT],
    ['cut by a byte', () => file.subarray(0, -1), 'damaged data in chunk 3'],
    [
      'with a byte behind it',
      () => Buffer.concat([file, EMPTY, FULL.subarray(0, 1)]),
      'damaged data in chunk 3',
    ],
    ['with a bit flipped in the version', () => flipped(3), 'no age header'],
    ['with a bit flipped in the MAC', () => flipped(body - 16 - 10), 'a damaged header'],
    ['with a bit flipped in the nonce', () => flipped(body - 1), 'damaged data in chunk 1'],
    ['with a bit flipped in chunk 1', () => flipped(body + 5), 'damaged data in chunk 1'],
    ['with a bit flipped in its tag', () => flipped(body + SEALED - 1), 'damaged data in chunk 1'],
    ['with a bit flipped in chunk 2', () => flipped(body + SEALED), 'damaged data in chunk 2'],
    ['with a bit flipped at its end', () => flipped(file.length - 1), 'damaged data in chunk 3'],
    [
      'with two chunks exchanged',
      () =>
        Buffer.concat([
          file.subarray(0, body),
          file.subarray(body + SEALED, body + 2 * SEALED),
          file.subarray(body, body + SEALED),
          file.subarray(body + 2 * SEALED),
        ]),
      'damaged data in chunk 1',
    ],
    [
      'with a header that never ends',
      () => Buffer.concat([Buffer.from('age-encryption.org/v1\n'), Buffer.alloc(70_000, 'a')]),
      'a header without an end',
    ],
  ];

  test.each(damages)('%s is refused, and says why', async (_, make, found) => {
    const { plain, error } = await attempt(make());
    expect(error).toBeInstanceOf(AgeError);
    expect((error as Error).message).toBe(found);
    // Only whole chunks come out, and only right ones.
    expect(plain.length % CHUNK).toBe(0);
    expect(plain.equals(CONTENT.subarray(0, plain.length))).toBe(true);
  });

  test.each([
    [
      'a last chunk behind the last one',
      [
        [FULL, true],
        [FULL, true],
      ],
      'more bytes behind it',
    ],
    [
      'an empty last chunk behind a full one',
      [
        [FULL, false],
        [EMPTY, true],
      ],
      'an empty chunk behind the last one',
    ],
    [
      'no last chunk',
      [
        [FULL, false],
        [FULL, false],
      ],
      CUT_SHORT,
    ],
    ['a short chunk that is not the last', [[FULL.subarray(1), false]], CUT_SHORT],
  ] as const)('of right chunks, but with %s, is refused', async (_, chunks, found) => {
    const { error } = await attempt(await fileOf(chunks));
    expect(error).toBeInstanceOf(AgeError);
    expect((error as Error).message).toBe(found);
  });

  test('of one empty chunk is an empty content', async () => {
    expect(await attempt(await fileOf([[EMPTY, true]]))).toEqual({
      plain: EMPTY,
      error: undefined,
    });
  });

  test('at any bit of its header is refused, and nothing of it comes out', async () => {
    for (let at = 0; at < body; at += 1) {
      const { plain, error } = await attempt(flipped(at));
      expect([at, plain.length]).toEqual([at, 0]);
      // A recipient whose part of the header is damaged cannot be told from another one.
      const isKnown = error instanceof AgeError || error instanceof AgeLockedError;
      expect([at, isKnown, String(error)]).toEqual([at, true, expect.any(String)]);
    }
  });
});

describe('a file for others', () => {
  test('is not opened without an identity, nor with another', async () => {
    const other = await newAgeKey();
    const without = await attempt(file, []);
    expect(without.error).toBeInstanceOf(AgeLockedError);
    expect((without.error as Error).message).toBe('an encrypted file, and no identity');
    const wrong = await attempt(file, [other.identity]);
    expect(wrong.error).toBeInstanceOf(AgeLockedError);
    expect((wrong.error as Error).message).toMatch(/^a file that none of the identities opens/);
    expect((await attempt(file, [other.identity, key.identity])).plain.equals(CONTENT)).toBe(true);
  });

  test('that is behind a passphrase is one for others', async () => {
    const { Encrypter } = await import('age-encryption');
    const encrypter = new Encrypter();
    encrypter.setPassphrase('a passphrase');
    encrypter.setScryptWorkFactor(2);
    const { error } = await attempt(await encrypter.encrypt('content'));
    expect(error).toBeInstanceOf(AgeLockedError);
  });
});

test('a recipient and an identity of the kind that stands up to quantum computers can be used', async () => {
  const identity = await generateHybridIdentity();
  const recipients = [await identityToRecipient(identity)];
  await checkRecipients(recipients);
  await checkIdentities([identity]);
  const { plain, error } = await attempt(await encryptBytes(CONTENT, recipients), [identity]);
  expect([plain.equals(CONTENT), error]).toEqual([true, undefined]);
});

describe('keys that cannot be used', () => {
  test.each([
    ['', /^ is no age recipient/],
    ['age1', /^age1 is no age recipient/],
    ['age1qqqq', /^age1qqqq is no age recipient; give the public key that age-keygen shows/],
    ['ssh-ed25519 AAAA', /is no age recipient/],
    ['age1tag1qqqq', /is no age recipient/],
  ])('as a recipient: %j', async (recipient, words) => {
    const checked = checkRecipients([key.recipient, recipient]);
    await expect(checked).rejects.toMatchObject({
      code: 'bad-recipient',
      message: expect.stringMatching(words),
    });
  });

  test('as a recipient: a recipient with a letter changed', async () => {
    const wrong = key.recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
    await expect(checkRecipients([wrong])).rejects.toMatchObject({ code: 'bad-recipient' });
  });

  test('as a recipient: an identity, which no message repeats', async () => {
    const error = await checkRecipients([key.identity]).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^a secret key is no age recipient/);
  });

  test.each([
    [[], 'no recipient is given'],
    [21, '21 recipients are given'],
  ])('as recipients: %j', async (given, words) => {
    const recipients = Array.isArray(given) ? given : Array(given).fill(key.recipient);
    await expect(checkRecipients(recipients)).rejects.toMatchObject({
      code: 'bad-recipient',
      message: expect.stringContaining(words),
    });
  });

  test('as an identity, which no message repeats', async () => {
    const wrong = key.identity.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'));
    for (const identity of [wrong, key.recipient, key.identity.toLowerCase()]) {
      const error = await attempt(file, [identity]).then((result) => result.error);
      expect(error).toMatchObject({ name: 'InputError', code: 'bad-identity' });
      expect((error as Error).message).not.toContain(identity.slice(20, 30));
    }
  });
});
