import { createHash, createHmac } from 'node:crypto';
import { InputError } from '../core/errors.js';
import { encodeLabel } from './stream-key.js';

/** The largest number of shares: more people than can be in one room. */
const MOST_SHARES = 100;

/**
 * The seed that several shares make together. All of them are needed, and every byte of each counts; the
 * order in which they are given does not. Whoever lacks one share knows nothing of the seed, if that share
 * has the 128 bits that a seed should have.
 *
 * @param shares - At least two, all different, each as a seed by itself could be.
 * @returns 64 lower-case hexadecimal digits, as bytes.
 * @throws InputError `bad-seed` where there are too few or too many of them, or one comes twice.
 * @group Making blocks
 */
export function combineShares(shares: readonly Uint8Array[]): Uint8Array {
  if (shares.length < 2 || shares.length > MOST_SHARES) {
    const message = `${shares.length} shares make no seed; give from 2 to ${MOST_SHARES}`;
    throw new InputError('bad-seed', message);
  }
  // Of equal length, so that their juxtaposition says where each begins.
  const keys = shares.map(shareKey).sort((a, b) => Buffer.compare(a, b));
  if (keys.some((key, index) => index > 0 && keys[index - 1]?.equals(key) === true)) {
    const message = 'two shares of the seed are the same; each must be of somebody else';
    throw new InputError('bad-seed', message);
  }
  const label = encodeLabel(['gen-block combined seed', String(keys.length)]);
  const seed = createHmac('sha256', Buffer.concat(keys)).update(label).digest('hex');
  return Buffer.from(seed, 'ascii');
}

function shareKey(share: Uint8Array): Buffer {
  return createHash('sha256').update('gen-block seed share\0').update(share).digest();
}
