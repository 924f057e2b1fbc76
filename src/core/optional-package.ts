import { defined } from './assert.js';
import { MachineError, systemErrorCode } from './errors.js';
import { OPTIONAL_PACKAGES } from './tool-version.js';

/** A part of the program that packages are needed for which an installation can leave out. */
export interface OptionalPart {
  /** The beginning of the sentence that says so, such as `a report`. */
  readonly what: string;
  /** The names of the packages, as `optionalDependencies` has them. */
  readonly packages: readonly string[];
}

/**
 * Loads what an installation may have left out.
 *
 * @param load - Imports it: by a literal name, which bundlers see.
 * @throws MachineError `ERR_MODULE_NOT_FOUND` that names the packages and how to add them, where one is
 * not installed, or not for this system. What else goes wrong comes as it is.
 */
export async function loadOptional<T>(part: OptionalPart, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new MachineError(missingText(part), { code: 'ERR_MODULE_NOT_FOUND', cause: error });
  }
}

/** A package that is not there, or one whose binary for this system is not. */
function isMissing(error: unknown): boolean {
  const code = systemErrorCode(error);
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') return true;
  return error instanceof Error && error.message.startsWith('No native build was found');
}

function missingText({ what, packages }: OptionalPart): string {
  const words = packages.length === 1 ? 'a package that is' : 'packages that are';
  const names = packages.map((name) => {
    const version = defined(OPTIONAL_PACKAGES.get(name), 'the version of an optional package');
    return `${name}@${version}`;
  });
  return `${what} needs ${words} not installed, or not for this system; add with: npm install ${names.join(' ')}`;
}
