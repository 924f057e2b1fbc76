import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { machineError } from '../core/errors.js';
import { createFile, writeAll } from './new-file.js';

/**
 * Writes a tickets file piece by piece. While one piece is on its way to the disk, it is hashed and
 * the next one is made in a second buffer.
 */
export class TicketsFileWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  /** The buffers, the next one to fill first, and the writes that still read from them. */
  readonly #buffers: { readonly bytes: Uint8Array; written: Promise<void> }[];
  #bytes = 0;

  private constructor(path: string, handle: FileHandle, bufferBytes: number) {
    this.#path = path;
    this.#handle = handle;
    this.#buffers = [0, 1].map(() => ({
      bytes: new Uint8Array(bufferBytes),
      written: Promise.resolve(),
    }));
  }

  /** @param bufferBytes - The longest piece that will be written. */
  static async create(path: string, bufferBytes: number): Promise<TicketsFileWriter> {
    return new TicketsFileWriter(path, await createFile(path), bufferBytes);
  }

  /** A buffer for the next piece. Throws MachineError where an earlier write has failed. */
  async nextBuffer(): Promise<Uint8Array> {
    const [next] = this.#buffers;
    await next?.written;
    return next?.bytes ?? new Uint8Array(0);
  }

  /** Writes the first `length` bytes of the buffer that was handed out last. */
  write(length: number): void {
    const [buffer] = this.#buffers.reverse().slice(-1);
    if (buffer === undefined) return;
    const piece = buffer.bytes.subarray(0, length);
    const written = writeAll(this.#handle, piece, this.#bytes).catch((error: unknown) => {
      throw machineError('write', this.#path, error);
    });
    // A failure shows when the buffer is needed again; until then it must not count as unhandled.
    written.catch(() => undefined);
    buffer.written = written;
    this.#bytes += length;
    this.#hash.update(piece);
  }

  /** Waits until every byte is on the disk. Returns the size and the hash (lower-case hex). */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    for (const { written } of this.#buffers) await written;
    try {
      await this.#handle.sync();
      await this.close();
    } catch (error) {
      throw machineError('sync', this.#path, error);
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes the file, finished or not. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#buffers.map(({ written }) => written));
    await this.#handle.close();
  }
}
