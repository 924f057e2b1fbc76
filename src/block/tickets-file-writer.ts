import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { machineError } from '../core/errors.js';
import type { Compression } from '../formats/ticket-formats.js';
import { GzipCompressor } from './gzip-compressor.js';
import { createFile, writeAll } from './new-file.js';

/** A buffer, and the write that may still read from it. */
interface PieceBuffer {
  readonly bytes: Uint8Array;
  written: Promise<void>;
}

/** How a tickets file is written. */
interface WriterOptions {
  /** The longest piece that will be written. */
  readonly bufferBytes: number;
  readonly compression?: Compression | undefined;
}

/**
 * Writes a tickets file piece by piece. While one piece is on its way to the disk, or is compressed
 * on that way, it is hashed and the next one is made in a second buffer.
 */
export class TicketsFileWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  /** The buffer that is filled next, and the one whose piece may still be on its way. */
  #next: PieceBuffer;
  #previous: PieceBuffer;
  readonly #compressor: GzipCompressor | undefined;
  /** Bytes of the content, and of the file as far as it has been written. */
  #bytes = 0;
  #position = 0;

  private constructor(path: string, handle: FileHandle, options: WriterOptions) {
    const { bufferBytes, compression } = options;
    this.#path = path;
    this.#handle = handle;
    this.#compressor = compression === undefined ? undefined : new GzipCompressor();
    this.#next = { bytes: new Uint8Array(bufferBytes), written: Promise.resolve() };
    this.#previous = { bytes: new Uint8Array(bufferBytes), written: Promise.resolve() };
  }

  static async create(path: string, options: WriterOptions): Promise<TicketsFileWriter> {
    return new TicketsFileWriter(path, await createFile(path), options);
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
    buffer.written = this.#previous.written.then(() => this.#append(piece));
    // A failure shows when the buffer is needed again; until then it must not count as unhandled.
    buffer.written.catch(() => undefined);
    this.#bytes += length;
    this.#hash.update(piece);
    this.#next = this.#previous;
    this.#previous = buffer;
  }

  /**
   * Waits until every byte is on the disk. Returns the size and the hash (lower-case hex) of what was
   * written, before any compression.
   */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#previous.written;
    if (this.#compressor !== undefined) await this.#store(await this.#compressor.finish());
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
    await Promise.allSettled([this.#previous.written]);
    this.#compressor?.destroy();
    await this.#handle.close();
  }

  async #append(piece: Uint8Array): Promise<void> {
    await this.#store((await this.#compressor?.compress(piece)) ?? piece);
  }

  /** Adds bytes to the end of the file. */
  async #store(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#handle, bytes, this.#position);
    } catch (error) {
      throw machineError('write', this.#path, error);
    }
    this.#position += bytes.length;
  }
}
