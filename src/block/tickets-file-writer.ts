import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { machineError } from '../core/errors.js';
import type { Compression } from '../formats/ticket-formats.js';
import type { AgeEncrypter } from './age-encrypter.js';
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
  /** Encrypts what the file is made of, once it is compressed. */
  readonly encrypter?: AgeEncrypter | undefined;
  /** Waited for with each piece, before it is compressed or encrypted. */
  readonly onPiece?: ((piece: Uint8Array) => Promise<void>) | undefined;
}

/** What was written: the size and the hash of the content, before any compression or encryption. */
interface WrittenContent {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** The hash of the encrypted file; not there where it is not encrypted. */
  readonly storedSha256?: string;
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
  readonly #encrypter: AgeEncrypter | undefined;
  readonly #onPiece: WriterOptions['onPiece'];
  /** Over the file as it is stored, where only its writer could tell what it should be. */
  readonly #storedHash: Hash | undefined;
  /** Bytes of the content, and of the file as far as it has been written. */
  #bytes = 0;
  #position = 0;

  private constructor(path: string, handle: FileHandle, options: WriterOptions) {
    const { bufferBytes, compression, encrypter, onPiece } = options;
    this.#path = path;
    this.#handle = handle;
    this.#compressor = compression === undefined ? undefined : new GzipCompressor();
    this.#encrypter = encrypter;
    this.#onPiece = onPiece;
    this.#storedHash = encrypter === undefined ? undefined : createHash('sha256');
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

  /** Waits until every byte is on the disk. */
  async finish(): Promise<WrittenContent> {
    await this.#previous.written;
    if (this.#compressor !== undefined) await this.#encrypt(await this.#compressor.finish());
    if (this.#encrypter !== undefined) await this.#store(this.#encrypter.finish());
    try {
      await this.#handle.sync();
      await this.close();
    } catch (error) {
      throw machineError('sync', this.#path, error);
    }
    const stored = this.#storedHash && { storedSha256: this.#storedHash.digest('hex') };
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex'), ...stored };
  }

  /** Closes the file, finished or not. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#previous.written]);
    this.#compressor?.destroy();
    await this.#handle.close();
  }

  async #append(piece: Uint8Array): Promise<void> {
    await this.#onPiece?.(piece);
    await this.#encrypt((await this.#compressor?.compress(piece)) ?? piece);
  }

  async #encrypt(bytes: Uint8Array): Promise<void> {
    await this.#store(this.#encrypter?.encrypt(bytes) ?? bytes);
  }

  /** Adds bytes to the end of the file. */
  async #store(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#handle, bytes, this.#position);
      this.#storedHash?.update(bytes);
    } catch (error) {
      throw machineError('write', this.#path, error);
    }
    this.#position += bytes.length;
  }
}
