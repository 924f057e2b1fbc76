import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { machineError } from '../core/errors.js';
import { createFile, writeAll } from './new-file.js';

/** A buffer, and the write that may still read from it. */
interface PieceBuffer {
  readonly bytes: Uint8Array;
  written: Promise<void>;
}

/**
 * Writes a tickets file piece by piece. While one piece is on its way to the disk, it is hashed and
 * the next one is made in a second buffer.
 */
export class TicketsFileWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  /** The buffer that is filled next, and the one whose piece may still be on its way. */
  #next: PieceBuffer;
  #previous: PieceBuffer;
  #bytes = 0;

  private constructor(path: string, handle: FileHandle, bufferBytes: number) {
    this.#path = path;
    this.#handle = handle;
    this.#next = { bytes: new Uint8Array(bufferBytes), written: Promise.resolve() };
    this.#previous = { bytes: new Uint8Array(bufferBytes), written: Promise.resolve() };
  }

  /** @param bufferBytes - The longest piece that will be written. */
  static async create(path: string, bufferBytes: number): Promise<TicketsFileWriter> {
    return new TicketsFileWriter(path, await createFile(path), bufferBytes);
  }

  /** The buffer for the next piece. Throws MachineError where an earlier write has failed. */
  async nextBuffer(): Promise<Uint8Array> {
    await this.#next.written;
    return this.#next.bytes;
  }

  /** Writes the first `length` bytes of the buffer that {@link nextBuffer} gave. */
  write(length: number): void {
    const buffer = this.#next;
    const piece = buffer.bytes.subarray(0, length);
    buffer.written = writeAll(this.#handle, piece, this.#bytes).catch((error: unknown) => {
      throw machineError('write', this.#path, error);
    });
    // A failure shows when the buffer is needed again; until then it must not count as unhandled.
    buffer.written.catch(() => undefined);
    this.#bytes += length;
    this.#hash.update(piece);
    this.#next = this.#previous;
    this.#previous = buffer;
  }

  /** Waits until every byte is on the disk. Returns the size and the hash (lower-case hex). */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#previous.written;
    await this.#next.written;
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
    await Promise.allSettled([this.#previous.written, this.#next.written]);
    await this.#handle.close();
  }
}
