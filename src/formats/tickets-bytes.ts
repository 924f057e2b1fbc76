import type { FileHandle } from 'node:fs/promises';
import { decryptAge } from './decrypt-age.js';
import { gunzip } from './gunzip.js';
import type { TicketsFileForm } from './ticket-formats.js';

const BUFFER_BYTES = 524_288;

/**
 * The bytes of an open tickets file from where it stands, decrypted if it is encrypted, and uncompressed
 * if it is compressed. Each piece holds until the next one is asked for; the next one of the file is
 * being read by then.
 *
 * @param identities - What an encrypted file is opened with.
 * @throws GzipError, AgeError where the file is not what its form asks for; AgeLockedError where no
 * identity opens it; what the system says.
 */
export function ticketsBytes(
  handle: FileHandle,
  { compression, encryption }: Omit<TicketsFileForm, 'format'>,
  identities: readonly string[] = [],
): AsyncGenerator<Uint8Array> {
  const stored = storedBytes(handle);
  const bytes = encryption === undefined ? stored : decryptAge(stored, identities);
  return compression === undefined ? bytes : gunzip(bytes);
}

/** The bytes of an open file from where it stands, as they are. */
export async function* storedBytes(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffers = [new Uint8Array(BUFFER_BYTES), new Uint8Array(BUFFER_BYTES)];
  const readNext = async (): Promise<Uint8Array> => {
    const buffer = buffers.reverse()[0] ?? new Uint8Array(BUFFER_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    return buffer.subarray(0, bytesRead);
  };
  let next = readNext();
  for (;;) {
    const bytes = await next;
    if (bytes.length === 0) return;
    next = readNext();
    // A failure shows when it is awaited; until then it must not count as unhandled.
    next.catch(() => undefined);
    yield bytes;
  }
}
