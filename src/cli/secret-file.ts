import { createReadStream, statSync } from 'node:fs';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/** The longest line end that is not part of what stands before it, CRLF. */
const FINAL_LINE_END_BYTES = 2;

/** Codes of the operating system for a path where no file is. */
const NO_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/** Where a secret comes from, as messages say it. */
export function placeOfSecret(path: string): string {
  return path === '-' ? 'standard input' : printable(path);
}

/**
 * Reads a secret out of a file, a pipe, or standard input (`-`). Of what is too long no more is read than
 * shows it.
 *
 * @param what - What the file is, for messages.
 * @throws InputError `not-found`; MachineError.
 */
export async function readSecret(
  path: string,
  what: string,
  mostBytes: number,
): Promise<Uint8Array> {
  try {
    return await readStart(path === '-' ? process.stdin : createReadStream(path), mostBytes);
  } catch (error) {
    const place = placeOfSecret(path);
    if (!NO_FILE.has(systemErrorCode(error))) throw machineError('read', place, error);
    throw new InputError('not-found', `there is no ${what} ${place}; check the path`);
  }
}

/** The same, without the line end that an editor has put behind it. */
export async function readSecretLine(
  path: string,
  what: string,
  mostBytes: number,
): Promise<Uint8Array> {
  const bytes = await readSecret(path, what, mostBytes + FINAL_LINE_END_BYTES);
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

/** Reads a stream until its end, or until it is too long. */
async function readStart(
  stream: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes) break;
  }
  return Buffer.concat(pieces);
}

const OTHERS_CAN_READ = 0o044;

/** Warns of a secret file that more than its owner can read. */
export function warnOfReaders(
  path: string,
  warn: (message: string) => void,
  advice = 'take that from them (chmod 600)',
): void {
  if (path === '-') return;
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile() !== true || (entry.mode & OTHERS_CAN_READ) === 0) return;
  warn(`others can read ${printable(path)}; ${advice}`);
}
