/** Rows have at most eight letters, which are read as two words of four. */
const WORD_BYTES = 4;

const SECOND_HALF_BITS = 21;

/** Hashes the letters of a ticket: no two tickets of a block should meet by accident. */
export class TicketHash {
  /** 53 bits. */
  key = 0;
  /** 32 more bits. */
  rest = 0;
  readonly #masks: readonly [number, number];

  /** @param columns - Letters of a row. */
  constructor(columns: number) {
    this.#masks = [letterMask(columns), letterMask(columns - WORD_BYTES)];
  }

  /** Hashes so many rows of a ticket, at least eight bytes of which can be read. */
  take(view: DataView, rowStarts: Int32Array, rowCount: number): void {
    const [firstMask, secondMask] = this.#masks;
    let a = rowCount;
    let b = ~rowCount;
    let c = 1;
    for (let row = 0; row < rowCount; row += 1) {
      const start = rowStarts[row] ?? 0;
      const first = view.getUint32(start, true) & firstMask;
      const second = view.getUint32(start + WORD_BYTES, true) & secondMask;
      a = mix(a ^ first, 0x85ebca6b) ^ second;
      b = mix(b ^ second, 0xc2b2ae35) ^ mix(first, 0x27d4eb2f);
      c = mix(c + a, 0x9e3779b1) ^ mix(b + first, 0x165667b1);
    }
    a = mix(mix(a ^ (b >>> 7), 0x2c1b3c6d), 0x297a2d39);
    b = mix(mix(b ^ (c >>> 9), 0x85ebca6b), 0xc2b2ae35);
    c = mix(mix(c ^ (a >>> 5), 0x27d4eb2f), 0x9e3779b1);
    this.key = (a >>> 0) * 2 ** SECOND_HALF_BITS + (b >>> (32 - SECOND_HALF_BITS));
    this.rest = c >>> 0;
  }
}

/** Mixes the bits of a word; a bijection, since its factor is odd. */
function mix(word: number, factor: number): number {
  const product = Math.imul(word ^ (word >>> 16), factor);
  return product ^ (product >>> 13);
}

/** Which bytes of a word belong to so many letters, in the order of a little-endian read. */
function letterMask(letters: number): number {
  if (letters <= 0) return 0;
  return letters >= WORD_BYTES ? -1 : 2 ** (8 * letters) - 1;
}
