/** Bytes that come in pieces of any length, and are taken in pieces of others. */
export class ByteFeed {
  readonly #source: AsyncIterator<Uint8Array>;
  /** What has come and has not been taken yet. It holds only until the next piece comes. */
  #rest: Uint8Array = new Uint8Array(0);

  /** @param source - Its pieces need not hold longer than until the next one is asked for. */
  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * The next bytes, as many as are there but no more than `most`; none at the end. They hold until
   * the next call.
   */
  async next(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { done, value } = (await this.#source.next()) as IteratorResult<Uint8Array, undefined>;
      if (done === true) break;
      this.#rest = value;
    }
    const bytes = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes;
  }

  /** Takes back the end of what {@link next} gave last. */
  unread(count: number): void {
    const { buffer, byteOffset, length } = this.#rest;
    this.#rest = new Uint8Array(buffer, byteOffset - count, length + count);
  }

  /** The next `length` bytes, or fewer at the end; a copy of its own. */
  async take(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, await this.fill(bytes));
  }

  /** Copies the next bytes, until the target is full. Returns how many there were: fewer at the end. */
  async fill(target: Uint8Array): Promise<number> {
    let done = 0;
    while (done < target.length) {
      const piece = await this.next(target.length - done);
      if (piece.length === 0) break;
      target.set(piece, done);
      done += piece.length;
    }
    return done;
  }

  /** Ends the source, whether or not it has come to its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
