import type { Transform } from 'node:stream';

/** One of zlib's streams: bytes in, bytes out, and how many of the former it has taken. */
export type ZlibStream = Transform & { readonly bytesWritten: number };

/**
 * Drives one of zlib's streams by hand, one piece at a time, so that a caller knows what has come of a
 * piece before it gives the next one. What comes of one piece is in memory at once: a caller that is
 * not sure of its bytes keeps the pieces small.
 */
export class ZlibPieces {
  readonly #stream: ZlibStream;
  #ready: Uint8Array[] = [];
  #error: Error | undefined;

  constructor(stream: ZlibStream) {
    this.#stream = stream;
    stream.on('data', (bytes: Uint8Array) => this.#ready.push(bytes));
    stream.on('error', (error) => {
      this.#error = error;
    });
  }

  /** Bytes that the stream has taken so far; it takes none behind its end. */
  get taken(): number {
    return this.#stream.bytesWritten;
  }

  /**
   * Puts the next bytes in; they must not change before the promise is settled.
   *
   * @returns What came out meanwhile.
   * @throws zlib's error, whose code begins with `Z_`.
   */
  async put(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.#outputOf((done) => this.#stream.write(bytes, done));
  }

  /** Ends the stream. Returns what was left in it. */
  async end(): Promise<readonly Uint8Array[]> {
    return this.#outputOf(() => this.#stream.end());
  }

  /** Frees what the stream holds, at whatever point it is. */
  destroy(): void {
    this.#stream.destroy();
  }

  async #outputOf(step: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.off('end', done).off('close', done);
        resolve();
      };
      // A stream that has come to its end, or failed, may leave a write without an answer.
      this.#stream.on('end', done).on('close', done);
      step(done);
    });
    if (this.#error !== undefined) throw this.#error;
    const output = this.#ready;
    this.#ready = [];
    return output;
  }
}
