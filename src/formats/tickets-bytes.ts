import type { FileHandle } from 'node:fs/promises';
import { gunzip } from './gunzip.js';
import type { Compression } from './ticket-formats.js';

const BUFFER_BYTES = 524_288;

/**
 * The bytes of an open tickets file from where it stands, uncompressed if it is compressed. Each piece
 * holds until the next one is asked for; the next one of the file is being read by then.
 *
 * @throws GzipError where the file is not what its compression asks for; what the system says.
 */
export function ticketsBytes(
  handle: FileHandle,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  const bytes = readAhead(handle);
  return compression === undefined ? bytes : gunzip(bytes);
}

async function* readAhead(handle: FileHandle): AsyncGenerator<Uint8Array> {
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
