import { InputError, printable } from '../core/errors.js';
import { checkIdentities } from '../formats/age-header.js';
import { readSecret, warnOfReaders } from './secret-file.js';

/** A longer file is no identity file. */
const MOST_BYTES = 65_536;

/** What an encrypted file begins with; an identity file can be one, too. */
const ENCRYPTED = /^(?:age-encryption\.org\/|-----BEGIN AGE)/;

/**
 * Reads the identities out of files as `age-keygen` writes them: one a line, and comments behind `#`.
 * A pipe will do.
 *
 * @returns `undefined` where no file is named.
 * @throws InputError `not-found`, `bad-identity`; the message never repeats one. MachineError.
 */
export async function readIdentities(
  paths: readonly string[] | undefined,
  warn: (message: string) => void,
): Promise<readonly string[] | undefined> {
  if (paths === undefined) return undefined;
  const identities: string[] = [];
  for (const path of paths) {
    const bytes = await readSecret(path, 'identity file', MOST_BYTES);
    warnOfReaders(path, warn);
    identities.push(...(await identitiesIn(bytes, printable(path))));
  }
  return identities;
}

async function identitiesIn(bytes: Uint8Array, place: string): Promise<readonly string[]> {
  const text = Buffer.from(bytes).toString('latin1');
  if (bytes.length > MOST_BYTES) {
    throw badFile(place, `has more than ${MOST_BYTES} bytes; check that it is the right file`);
  }
  if (ENCRYPTED.test(text)) {
    throw badFile(place, `is itself encrypted; decrypt it on the way: --identity <(age -d …)`);
  }
  const identities: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    await checkIdentities([line]).catch(() => {
      const advice = 'write one that begins with AGE-SECRET-KEY-1, or a comment behind #';
      throw badFile(place, `has no age identity in line ${index + 1}; ${advice}`);
    });
    identities.push(line);
  }
  if (identities.length > 0) return identities;
  throw badFile(place, 'holds no age identity; name the file that age-keygen has written');
}

function badFile(place: string, wrong: string): InputError {
  return new InputError('bad-identity', `the identity file ${place} ${wrong}`);
}
