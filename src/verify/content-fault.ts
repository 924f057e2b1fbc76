import { InputError, printable } from '../core/errors.js';
import { AGE_EXPECTED, AgeError, AgeLockedError } from '../formats/age-header.js';
import { GZIP_EXPECTED, GzipError } from '../formats/gunzip.js';
import type { Finding } from './finding.js';
import type { VerifyReport } from './report.js';

/** What asks for an identity where an encrypted file cannot be opened. */
const GIVE_IDENTITY = 'an identity that opens it';
const CONTENTS_NOT_CHECKED = 'contents not checked: give an identity with --identity';

/**
 * What a finding says of a tickets file whose content cannot be had; `undefined` where an error means
 * something else.
 */
export function contentFault(
  error: unknown,
): Pick<Finding, 'code' | 'expected' | 'found'> | undefined {
  if (error instanceof GzipError) {
    return { code: 'file-compression', expected: GZIP_EXPECTED, found: error.message };
  }
  if (error instanceof AgeError) {
    return { code: 'file-encryption', expected: AGE_EXPECTED, found: error.message };
  }
  if (!(error instanceof AgeLockedError)) return undefined;
  const found = `${error.message}; ${CONTENTS_NOT_CHECKED}`;
  return { code: 'file-encrypted', expected: GIVE_IDENTITY, found };
}

/** Whether a block could not be judged because no identity opens its files. */
export function isClosed({ findingCounts }: Pick<VerifyReport, 'findingCounts'>): boolean {
  return findingCounts.some(({ code }) => code === 'file-encrypted');
}

/** What is said where a block's tickets are needed, and no identity opens its files. */
export function closedBlock(path: string): InputError {
  const message = `${printable(path)} is encrypted, and no identity opens it; give one that does with --identity`;
  return new InputError('identity-needed', message);
}
