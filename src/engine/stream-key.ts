import { createHash, createHmac } from 'node:crypto';
import { ALGORITHM_VERSION, type EngineId } from '../core/algorithm.js';

/**
 * What tells one block's streams from every other block's.
 *
 * @group Making blocks
 */
export interface BlockIdentity {
  /** Such as `eldorado`. */
  readonly gameId: string;
  /** Lower-case hex. */
  readonly definitionSha256: string;
  /** The generator of random numbers. */
  readonly engine: EngineId;
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
}

/**
 * What a key is for. Streams of two purposes never share a word; the key of `salts` is no stream's, but that
 * of the salts of a block's Merkle tree.
 */
export type StreamPurpose = 'quotas' | 'shuffle' | 'grids' | 'salts';

/**
 * The key that all of a seed's streams and its commitment are derived from: SHA-256 over a prefix of
 * its own and the seed, so that a plain SHA-256 of the seed, published somewhere, is not this key.
 *
 * @param seed - The seed's bytes, as given.
 */
export function seedKey(seed: Uint8Array): Buffer {
  return createHash('sha256').update('gen-block seed\0').update(seed).digest();
}

/**
 * The 32-byte key of one stream: HMAC-SHA-256 under the seed's key over a label that names the
 * algorithm, the block, the purpose and the chunk.
 *
 * @param chunk - Chunk index from 0; 0 for purposes that have no chunks.
 */
export function streamKey(
  key: Uint8Array,
  identity: BlockIdentity,
  purpose: StreamPurpose,
  chunk: number,
): Buffer {
  const { gameId, definitionSha256, engine, stakeCents, emission, block } = identity;
  const label = encodeLabel([
    'gen-block stream',
    String(ALGORITHM_VERSION),
    gameId,
    definitionSha256,
    engine,
    String(stakeCents),
    String(emission),
    String(block),
    purpose,
    String(chunk),
  ]);
  return createHmac('sha256', key).update(label).digest();
}

/** The 32-byte key of the salts of a block's tickets. Whoever has it, but not the seed, cannot make the block. */
export function saltKey(key: Uint8Array, identity: BlockIdentity): Buffer {
  return streamKey(key, identity, 'salts', 0);
}

/**
 * The public commitment to a seed, lower-case hex. Its label differs from every stream's, so that it
 * is no stream key. Whoever guesses a weak seed can confirm the guess with it.
 */
export function seedCommitment(key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(encodeLabel(['gen-block seed commitment', String(ALGORITHM_VERSION)]))
    .digest('hex');
}

/** Each field as its length in bytes (32 bits, big-endian) and its UTF-8 bytes, so none can run on. */
export function encodeLabel(fields: readonly string[]): Buffer {
  const parts = fields.flatMap((field) => {
    const text = Buffer.from(field, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return [length, text];
  });
  return Buffer.concat(parts);
}
