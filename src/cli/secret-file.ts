import { createReadStream, statSync } from 'node:fs';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/** Codes of the operating system for a path where no file is. */
const NO_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

const OTHERS_CAN_READ = 0o044;

/**
 * Reads a file with a secret, which may be a pipe; `-` is standard input. Of one that is too long no more
 * is read than shows that.
 *
 * @param what - What is in it, in words for a message.
 * @throws InputError `not-found`; MachineError.
 */
export async function readSecretFile(
  path: string,
  { what, mostBytes }: { readonly what: string; readonly mostBytes: number },
): Promise<Uint8Array> {
  try {
    return await readStart(path === '-' ? process.stdin : createReadStream(path), mostBytes);
  } catch (error) {
    const place = path === '-' ? 'standard input' : path;
    if (!NO_FILE.has(systemErrorCode(error))) throw machineError('read', place, error);
    const message = `there is no ${what} file ${printable(place)}; check the path`;
    throw new InputError('not-found', message);
  }
}

/** Whether others than the owner can read a file; a pipe passes. */
export function othersCanRead(path: string): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry?.isFile() === true && (entry.mode & OTHERS_CAN_READ) !== 0;
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
