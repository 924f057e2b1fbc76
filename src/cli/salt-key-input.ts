import { readFileBytes } from '../core/read-json-file.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import { manifestBlockName } from '../formats/manifest.js';
import { MOST_SALT_KEY_BYTES, parseSaltKey } from '../formats/salt-key.js';

/**
 * Gives the salt key out of a file for the block of a manifest.
 *
 * @throws InputError `not-found`, `bad-salt-key`; MachineError; not before it is asked.
 */
export function saltKeyReader(path: string): (claims: ManifestClaims) => Uint8Array {
  return (claims) => {
    const bytes = readFileBytes(path, MOST_SALT_KEY_BYTES);
    return parseSaltKey(bytes, path, manifestBlockName(claims));
  };
}
