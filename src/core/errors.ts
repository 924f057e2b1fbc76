/**
 * What kind of bad input was met. Stable: callers may switch on it.
 *
 * @group Errors
 */
export type InputErrorCode =
  | 'usage'
  | 'unknown-game'
  | 'unknown-stake'
  | 'bad-number'
  | 'bad-seed'
  | 'bad-key'
  | 'bad-json'
  | 'bad-definition'
  | 'bad-jobs'
  | 'bad-manifest'
  | 'bad-registry'
  | 'bad-commitment'
  | 'bad-proof'
  | 'bad-salt-key'
  | 'policy'
  | 'bad-recipient'
  | 'bad-identity'
  | 'identity-needed'
  | 'definition-needed'
  | 'newer-schema'
  | 'older-schema'
  | 'not-found'
  | 'not-a-block'
  | 'target-exists'
  | 'registered'
  | 'locked';

/**
 * Input that cannot be used: an option, a file, a definition, an existing target.
 * The message is one line that says what is wrong, where, and what to do. Exit code 2.
 *
 * @group Errors
 */
export class InputError extends Error {
  /** What it is told by in a text. */
  override readonly name = 'InputError';
  /** What kind of bad input it is; it keeps its meaning. */
  readonly code: InputErrorCode;
  /** Where it is: a file, an option, a JSON pointer. */
  readonly place: string | undefined;

  constructor(
    code: InputErrorCode,
    message: string,
    options: { readonly place?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.place = options.place;
  }
}

/**
 * The machine did not do what was asked: disk full, permission, I/O error. Exit code 3.
 * The message names the path and says what to do.
 *
 * @group Errors
 */
export class MachineError extends Error {
  /** What it is told by in a text. */
  override readonly name = 'MachineError';
  /** The operating system's code, such as `ENOSPC`. */
  readonly code: string;

  constructor(message: string, options: { readonly code: string; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = options.code;
  }
}

/** The operating system's code of an error, such as `ENOENT`; `undefined` where it has none. */
export function systemErrorCode(error: unknown): string | undefined {
  // By its shape: errors of other realms (tests, worker threads) are no instances of this Error.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const ADVICE = new Map([
  ['ENOSPC', 'the disk is full; free some space or choose another --out'],
  ['EDQUOT', 'the disk quota is used up; free some space or choose another --out'],
  ['EFBIG', 'the file size limit is reached; raise it (ulimit -f) or choose another --out'],
  ['EACCES', 'permission is denied; check the owner and the mode of it and its folder'],
  ['EPERM', 'the operation is not permitted; check the owner and the attributes of the folder'],
  ['EROFS', 'the file system is read-only; choose another --out'],
  ['EMFILE', 'too many files are open; raise the limit (ulimit -n)'],
  ['EIO', 'the device reported an input/output error; check the disk before you try again'],
  ['ELOOP', 'the path is a symbolic link, which is not followed; name the real path'],
  ['ENOENT', 'there is no such file or folder; check the path'],
  ['ENOTDIR', 'a part of the path is not a folder; check the path'],
  ['EISDIR', 'the path is a folder where a file was expected'],
]);

/**
 * Turns an operating system error into a {@link MachineError} with one line of advice.
 * Errors without a system code are bugs and come back as they are.
 *
 * @param action - What was being done, such as `write`.
 * @param path - The file or folder that it was done to.
 */
export function machineError(action: string, path: string, error: unknown): Error {
  const code = systemErrorCode(error);
  if (code === undefined || error instanceof InputError || error instanceof MachineError) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const advice = ADVICE.get(code) ?? `the operating system said ${code}`;
  return new MachineError(`cannot ${action} ${printable(path)}: ${advice}`, { code, cause: error });
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * Text out of a user's file or option, made safe to print on a terminal: control characters, escape
 * sequences and direction marks are written as `\u{…}`, and what is long is cut.
 */
export function printable(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replaceAll(
    UNPRINTABLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
