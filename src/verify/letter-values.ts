const BYTE_VALUES = 256;

/**
 * Reads rows of letters as numbers: each letter is a digit to a base, and with base 1 the digits
 * add up. Letters are looked up two at a time, so that a row of six takes three loads.
 */
export class LetterValues {
  readonly #base: number;
  readonly #ofLetter: Int32Array;
  /** By the two bytes of a pair, the first one low. */
  readonly #ofPair: Int32Array;

  /**
   * @param digits - By letter, not negative.
   * @param unknown - What any other letter counts, and any pair with one: so far below zero that no
   * letters of a row can make up for it.
   */
  constructor(digits: ReadonlyMap<string, number>, base: number, unknown: number) {
    this.#base = base;
    this.#ofLetter = new Int32Array(BYTE_VALUES).fill(unknown);
    this.#ofPair = new Int32Array(BYTE_VALUES * BYTE_VALUES).fill(unknown);
    for (const [first, firstDigit] of digits) {
      this.#ofLetter[first.charCodeAt(0)] = firstDigit;
      for (const [second, secondDigit] of digits) {
        const pair = first.charCodeAt(0) + BYTE_VALUES * second.charCodeAt(0);
        this.#ofPair[pair] = firstDigit * base + secondDigit;
      }
    }
  }

  /** The number that so many letters stand for; negative where one of them is unknown. */
  numberAt(view: DataView, start: number, letters: number): number {
    const base = this.#base;
    const end = start + letters;
    let number = 0;
    let at = start;
    for (; at < end - 1; at += 2) {
      number = number * base * base + (this.#ofPair[view.getUint16(at, true)] ?? 0);
    }
    return at < end ? number * base + (this.#ofLetter[view.getUint8(at)] ?? 0) : number;
  }
}
