import { createInflateRaw } from 'node:zlib';
import { ByteFeed } from '../core/byte-feed.js';
import { crc32 } from '../core/crc32.js';
import { printable, systemErrorCode } from '../core/errors.js';
import { ZlibPieces } from '../core/zlib-pieces.js';

/** A file that is not one whole gzip member and nothing else. The message says what was found. */
export class GzipError extends Error {
  override readonly name = 'GzipError';
}

/** What every gzip file must be; what it is instead, a {@link GzipError} says. */
export const GZIP_EXPECTED = 'one whole gzip member and nothing else';

/**
 * Compressed bytes that are uncompressed at once: deflate makes at most 1,032 bytes out of one, so
 * that never more than 17 MB come of them.
 */
const SLICE_BYTES = 16_384;

/** Bytes of the pieces in which a right file comes out. */
const PIECE_BYTES = 262_144;

/** A member's header (RFC 1952): ten bytes, and what its flags say comes behind them. */
const MAGIC = [0x1f, 0x8b, 8] as const;
const HEADER_BYTES = 10;
const FLAG = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;
const TRAILER_BYTES = 8;

const CUT_SHORT = 'the end of the file within it';

/**
 * Uncompresses a gzip file as it comes, in bounded memory. What the header says of a name or a time
 * is passed over; the checksum and the length of the content must be right, and nothing may follow.
 *
 * @returns The content in pieces, each of which holds until the next one is asked for.
 * @throws GzipError; what has come out by then may be wrong.
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const feed = new ByteFeed(source);
  try {
    await passHeader(feed);
    let checksum = 0;
    let length = 0;
    for await (const bytes of inflate(feed)) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      yield bytes;
    }
    await checkTrailer(feed, checksum, length);
  } finally {
    await feed.close();
  }
}

async function passHeader(feed: ByteFeed): Promise<void> {
  const header = await feed.take(HEADER_BYTES);
  const flags = header[3] ?? 0;
  const isRight = MAGIC.every((byte, at) => header[at] === byte) && (flags & FLAG.reserved) === 0;
  if (!isRight) throw new GzipError(header.length === 0 ? 'an empty file' : 'no gzip header');
  if (header.length < HEADER_BYTES) throw new GzipError(CUT_SHORT);
  if ((flags & FLAG.extra) !== 0) {
    const [low = 0, high = 0] = await feed.take(2);
    await feed.take(low + 256 * high);
  }
  if ((flags & FLAG.name) !== 0) await passText(feed);
  if ((flags & FLAG.comment) !== 0) await passText(feed);
  if ((flags & FLAG.headerChecksum) !== 0) await feed.take(2);
}

/** Passes a text over that ends with a zero byte, and may be of any length. */
async function passText(feed: ByteFeed): Promise<void> {
  for (;;) {
    const bytes = await feed.next(SLICE_BYTES);
    if (bytes.length === 0) throw new GzipError(CUT_SHORT);
    const end = bytes.indexOf(0);
    if (end < 0) continue;
    feed.unread(bytes.length - end - 1);
    return;
  }
}

/** Uncompresses up to the end of the compressed data; what stands behind it stays in the feed. */
async function* inflate(feed: ByteFeed): AsyncGenerator<Uint8Array> {
  const zlib = new ZlibPieces(createInflateRaw({ chunkSize: PIECE_BYTES }));
  try {
    for (;;) {
      const slice = await feed.next(SLICE_BYTES);
      if (slice.length === 0) throw new GzipError(CUT_SHORT);
      const before = zlib.taken;
      yield* await zlib.put(slice);
      const left = slice.length - (zlib.taken - before);
      if (left === 0) continue;
      feed.unread(left);
      return;
    }
  } catch (error) {
    if (systemErrorCode(error)?.startsWith('Z_') !== true) throw error;
    const { message } = error as { readonly message: string };
    throw new GzipError(`damaged data: ${printable(message)}`);
  } finally {
    zlib.destroy();
  }
}

async function checkTrailer(feed: ByteFeed, checksum: number, length: number): Promise<void> {
  const trailer = Buffer.from(await feed.take(TRAILER_BYTES));
  if (trailer.length < TRAILER_BYTES) throw new GzipError(CUT_SHORT);
  if (trailer.readUInt32LE(0) !== checksum) throw new GzipError('a wrong checksum (CRC-32)');
  if (trailer.readUInt32LE(4) !== length % 2 ** 32) throw new GzipError('a wrong length');
  const [first, second] = await feed.take(2);
  if (first === undefined) return;
  const isMember = first === MAGIC[0] && second === MAGIC[1];
  throw new GzipError(isMember ? 'a second member behind it' : 'more bytes behind it');
}
