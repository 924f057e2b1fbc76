import { defined } from '../core/assert.js';
import { InputError, printable } from '../core/errors.js';
import type { ByteFeed } from '../core/byte-feed.js';
import { loadOptional } from '../core/optional-package.js';
import { AGE_NONCE_BYTES, AGE_TAG_BYTES } from './age-payload.js';

/** A file that is not one whole age file and nothing else. The message says what was found. */
export class AgeError extends Error {
  override readonly name = 'AgeError';
}

/** An age file that cannot be opened with what is there. The message says why. */
export class AgeLockedError extends Error {
  override readonly name = 'AgeLockedError';
}

/** What every encrypted file must be; what it is instead, an {@link AgeError} says. */
export const AGE_EXPECTED = 'one whole age file and nothing else';

const NO_IDENTITY = 'an encrypted file, and no identity';
const OTHER_IDENTITIES =
  'a file that none of the identities opens: it was encrypted to others, or its header is damaged';

/** The end of the file where there must be more of it. */
export const AGE_CUT_SHORT = 'the end of the file within it';

/** A recipient, and an identity: keys for X25519, or for that together with ML-KEM (`pq`). */
const RECIPIENT = /^age1(?:pq1)?[02-9ac-hj-np-z]+$/;
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]+$/;

/** More would make a header that is longer than a reader takes. */
const MOST_RECIPIENTS = 20;
const MOST_HEADER_BYTES = 65_536;

const VERSION_LINE = 'age-encryption.org/v1\n';
const MAC_LINE = '\n--- ';

const PART = { what: 'encryption', packages: ['age-encryption'] };

async function loadAge(): Promise<typeof import('age-encryption')> {
  return loadOptional(PART, async () => import('age-encryption'));
}

/** A new file's header, and the key that it hands to its recipients. */
export interface AgeHeader {
  readonly header: Uint8Array;
  readonly fileKey: Uint8Array;
}

/**
 * Checks recipients before anything is encrypted to them.
 *
 * @throws InputError `bad-recipient`.
 */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  if (recipients.length === 0) {
    throw new InputError('bad-recipient', 'no recipient is given; name one or more (age1…)');
  }
  if (recipients.length > MOST_RECIPIENTS) {
    const message = `${recipients.length} recipients are given; name ${MOST_RECIPIENTS} at most`;
    throw new InputError('bad-recipient', message);
  }
  const { Encrypter } = await loadAge();
  for (const recipient of recipients) {
    if (isUsable(RECIPIENT, recipient, () => new Encrypter().addRecipient(recipient))) continue;
    // Whoever mistakes the one for the other gives away the secret key.
    const shown = /secret/i.test(recipient) ? 'a secret key' : printable(recipient, 70);
    const message = `${shown} is no age recipient; give the public key that age-keygen shows, which begins with age1`;
    throw new InputError('bad-recipient', message);
  }
}

/**
 * Checks identities before anything is opened with them.
 *
 * @throws InputError `bad-identity`; the message never repeats one.
 */
export async function checkIdentities(identities: readonly string[]): Promise<void> {
  if (identities.length === 0) return;
  const { Decrypter } = await loadAge();
  for (const [index, identity] of identities.entries()) {
    if (isUsable(IDENTITY, identity, () => new Decrypter().addIdentity(identity))) continue;
    const message = `identity ${index + 1} is no age identity; give the line that begins with AGE-SECRET-KEY-1`;
    throw new InputError('bad-identity', message);
  }
}

function isUsable(form: RegExp, key: unknown, use: () => void): boolean {
  if (typeof key !== 'string' || !form.test(key)) return false;
  try {
    use();
    return true;
  } catch {
    return false;
  }
}

/** Makes the header of a new file, with a new key that only the recipients can find in it. */
export async function makeAgeHeader(recipients: readonly string[]): Promise<AgeHeader> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  let fileKey: Uint8Array | undefined;
  // It adds nothing to the header: it is there to be told the key.
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = Uint8Array.from(key);
      return [];
    },
  });
  const empty = Buffer.concat(await piecesOf(await encrypter.encrypt(emptyStream())));
  // Behind the header comes a payload of one empty chunk, which the real one takes the place of.
  const header = empty.subarray(0, empty.length - AGE_NONCE_BYTES - AGE_TAG_BYTES);
  return { header, fileKey: defined(fileKey, 'the key of a new file') };
}

/** Nothing, as a stream: to read bytes out of a stream itself, the library loads the whole of `fetch`. */
function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.close();
    },
  });
}

async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

/**
 * Finds the key of a file in its header, whose MAC must be right.
 *
 * @throws InputError `bad-identity`; AgeLockedError where there is no identity, or none opens it; AgeError.
 */
export async function openAgeHeader(
  header: Uint8Array,
  identities: readonly string[],
): Promise<Uint8Array> {
  await checkIdentities(identities);
  if (identities.length === 0) throw new AgeLockedError(NO_IDENTITY);
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const last = { isAsked: false };
  // The last one is asked where no other knows the key.
  decrypter.addIdentity({
    unwrapFileKey() {
      last.isAsked = true;
      return null;
    },
  });
  try {
    return await decrypter.decryptHeader(header);
  } catch {
    if (last.isAsked) throw new AgeLockedError(OTHER_IDENTITIES);
    throw new AgeError('a damaged header');
  }
}

/**
 * Takes a file's header out of a feed.
 *
 * @throws AgeError where none of a bearable length is there.
 */
export async function takeAgeHeader(feed: ByteFeed): Promise<Uint8Array> {
  let header = Buffer.alloc(0);
  while (header.length < MOST_HEADER_BYTES) {
    const bytes = await feed.next(MOST_HEADER_BYTES - header.length);
    if (bytes.length === 0) break;
    header = Buffer.concat([header, bytes]);
    const start = header.subarray(0, VERSION_LINE.length).toString('latin1');
    if (!VERSION_LINE.startsWith(start)) throw new AgeError('no age header');
    const end = headerEnd(header);
    if (end === undefined) continue;
    feed.unread(header.length - end);
    return Uint8Array.from(header.subarray(0, end));
  }
  if (header.length === 0) throw new AgeError('an empty file');
  throw new AgeError(header.length < MOST_HEADER_BYTES ? AGE_CUT_SHORT : 'a header without an end');
}

/** Where the line with the header's MAC ends; `undefined` where it has not come yet. */
function headerEnd(bytes: Buffer): number | undefined {
  const line = bytes.indexOf(MAC_LINE);
  const end = line < 0 ? -1 : bytes.indexOf('\n', line + MAC_LINE.length);
  return end < 0 ? undefined : end + 1;
}
