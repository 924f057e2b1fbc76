import type { ManifestClaims } from '../formats/manifest-reader.js';
import { manifestBlockName } from '../formats/manifest.js';
import { MOST_SALT_KEY_BYTES, parseSaltKey } from '../formats/salt-key.js';
import { placeOfSecret, readSecret, warnOfReaders } from './secret-file.js';

/**
 * Reads a salt key out of a file, a pipe, or standard input (`-`).
 *
 * @returns What gives it for the block of a manifest, or throws InputError `bad-salt-key`; `undefined` where no
 * file is named.
 * @throws InputError `not-found`; MachineError.
 */
export async function findSaltKey(
  path: string | undefined,
  warn: (message: string) => void,
): Promise<((claims: ManifestClaims) => Uint8Array) | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readSecret(path, 'salt-key file', MOST_SALT_KEY_BYTES);
  warnOfReaders(path, warn);
  return (claims) => parseSaltKey(bytes, placeOfSecret(path), manifestBlockName(claims));
}
