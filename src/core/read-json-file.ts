import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { InputError, machineError, printable, systemErrorCode } from './errors.js';
import { MAX_JSON_BYTES, parseStrictJson } from './strict-json.js';

/** Codes of the operating system for a path that leads nowhere. */
const NOWHERE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Reads a user's JSON file by the rules of {@link parseStrictJson}.
 *
 * @throws InputError `not-found` where there is no regular file, `bad-json` where its text is not
 * acceptable or too long; MachineError where it cannot be read.
 */
export function readJsonFile(path: string, maxBytes = MAX_JSON_BYTES): unknown {
  return parseStrictJson(readFileBytes(path, maxBytes), { place: path, maxBytes });
}

/**
 * Reads the bytes of a user's file, at most one more than allowed, which is enough to be refused.
 * Only a regular file is read: a device or a pipe could go on for ever, or never begin.
 *
 * @throws InputError `not-found`; MachineError.
 */
export function readFileBytes(path: string, maxBytes = MAX_JSON_BYTES): Uint8Array {
  const descriptor = openFile(path);
  try {
    refuseOthers(descriptor, path);
    return readAtMost(descriptor, maxBytes + 1);
  } catch (error) {
    throw machineError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(path: string): number {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (!NOWHERE.has(systemErrorCode(error))) throw machineError('read', path, error);
    const place = printable(path);
    const message = `there is no file ${place}; check the path`;
    throw new InputError('not-found', message, { place, cause: error });
  }
}

function refuseOthers(descriptor: number, path: string): void {
  if (fstatSync(descriptor).isFile()) return;
  const place = printable(path);
  const message = `${place} is not a regular file; name the file itself`;
  throw new InputError('not-found', message, { place });
}

function readAtMost(descriptor: number, byteCount: number): Uint8Array {
  // One byte more than there should be shows the end; only a file that grows needs more.
  let bytes = new Uint8Array(Math.min(byteCount, fstatSync(descriptor).size + 1));
  let end = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, end, bytes.length - end, null);
    end += count;
    if (count === 0 || end === byteCount) return bytes.subarray(0, end);
    if (end < bytes.length) continue;
    const longer = new Uint8Array(Math.min(byteCount, 2 * bytes.length));
    longer.set(bytes);
    bytes = longer;
  }
}
