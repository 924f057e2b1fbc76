import type { FindingCode } from './finding.js';

/** Follows ticket numbers: each once, in order, none missing. Takes memory only once one is off. */
export class TicketNumbers {
  readonly #blockSize: number;
  #next = 1;
  /** By ticket number, whether it came; made when the first one is out of order. */
  #seen: Uint8Array | undefined;

  constructor(blockSize: number) {
    this.#blockSize = blockSize;
  }

  /** The number that the next ticket should have. */
  get next(): number {
    return this.#next;
  }

  /**
   * Takes the number that was expected.
   *
   * @returns False, and nothing happened, where it came before.
   */
  takeNext(): boolean {
    if (this.#seen !== undefined) {
      if (this.#seen[this.#next] === 1) return false;
      this.#seen[this.#next] = 1;
    }
    this.#next += 1;
    return true;
  }

  /** Takes whatever number a ticket has. Returns what is wrong with it, if anything. */
  take(number: number): FindingCode | undefined {
    if (!Number.isSafeInteger(number) || number < 1 || number > this.#blockSize) {
      return 'ticket-range';
    }
    if (number === this.#next && this.takeNext()) return undefined;
    this.#seen ??= new Uint8Array(this.#blockSize + 1).fill(1, 0, this.#next);
    const isRepeated = this.#seen[number] === 1;
    this.#seen[number] = 1;
    this.#next = number + 1;
    return isRepeated ? 'ticket-repeated' : 'ticket-order';
  }

  /** Runs of numbers that never came: first and last of each. */
  missing(): readonly (readonly [first: number, last: number])[] {
    if (this.#seen === undefined) {
      return this.#next > this.#blockSize ? [] : [[this.#next, this.#blockSize]];
    }
    const runs: [number, number][] = [];
    let number = this.#seen.indexOf(0);
    while (number >= 0) {
      const end = this.#seen.indexOf(1, number);
      runs.push([number, (end < 0 ? this.#seen.length : end) - 1]);
      number = end < 0 ? -1 : this.#seen.indexOf(0, end);
    }
    return runs;
  }
}
