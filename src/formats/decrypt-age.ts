import { ByteFeed } from '../core/byte-feed.js';
import { AGE_CUT_SHORT, AgeError, openAgeHeader, takeAgeHeader } from './age-header.js';
import {
  AGE_CHUNK_BYTES,
  AGE_NONCE_BYTES,
  AGE_TAG_BYTES,
  openChunk,
  payloadKey,
} from './age-payload.js';

const SEALED_BYTES = AGE_CHUNK_BYTES + AGE_TAG_BYTES;

/**
 * Decrypts an age file as it comes, in bounded memory. Only bytes that are known to be the encrypter's
 * come out; that they are all of them is known at the end.
 *
 * @returns The content in pieces.
 * @throws AgeLockedError where none of the identities opens it, or there are none; AgeError.
 */
export async function* decryptAge(
  source: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): AsyncGenerator<Uint8Array> {
  const feed = new ByteFeed(source);
  try {
    const fileKey = await openAgeHeader(await takeAgeHeader(feed), identities);
    const nonce = await feed.take(AGE_NONCE_BYTES);
    if (nonce.length < AGE_NONCE_BYTES) throw new AgeError(AGE_CUT_SHORT);
    yield* chunks(feed, payloadKey(fileKey, nonce));
  } finally {
    await feed.close();
  }
}

async function* chunks(feed: ByteFeed, key: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(SEALED_BYTES);
  for (let index = 0, isLast = false; !isLast; index += 1) {
    const sealed = buffer.subarray(0, await feed.fill(buffer));
    isLast = sealed.length < SEALED_BYTES || (await isAtEnd(feed));
    const plain = openChunk(key, { index, isLast }, sealed);
    if (plain === undefined) throw chunkError(key, { index, isLast }, sealed);
    if (plain.length === 0 && index > 0) throw new AgeError('an empty chunk behind the last one');
    if (plain.length > 0) yield plain;
  }
}

async function isAtEnd(feed: ByteFeed): Promise<boolean> {
  const { length } = await feed.next(1);
  feed.unread(length);
  return length === 0;
}

/** A whole chunk in the wrong place tells of bytes that are missing, or too many. */
function chunkError(
  key: Uint8Array,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
  sealed: Uint8Array,
): AgeError {
  if (sealed.length < AGE_TAG_BYTES) return new AgeError(AGE_CUT_SHORT);
  if (openChunk(key, { index, isLast: !isLast }, sealed) === undefined) {
    return new AgeError(`damaged data in chunk ${index + 1}`);
  }
  return new AgeError(isLast ? AGE_CUT_SHORT : 'more bytes behind it');
}
