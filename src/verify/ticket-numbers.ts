import type { FindingCode } from './finding.js';

/** Follows ticket numbers: each once, in order, none missing. Takes memory only once one is off. */
export class TicketNumbers {
  readonly #blockSize: number;
  /** Never a number that came before. */
  #next = 1;
  #highest = 0;
  /** Lines since the last good number that may stand in the place of a ticket. */
  #strayLines = 0;
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
   * Whether a ticket may have this number now: the next one, or one behind it where the lines
   * between were strays. What those were instead of is missing in the end.
   */
  isDue(number: number): boolean {
    if (number === this.#next) return number <= this.#blockSize;
    const isBehindStrays = number > this.#next && number <= this.#next + this.#strayLines;
    return isBehindStrays && number <= this.#blockSize && this.#seen?.[number] !== 1;
  }

  /** Takes whatever number a ticket has. Returns what is wrong with it, if anything. */
  take(number: number): FindingCode | undefined {
    if (!Number.isSafeInteger(number) || number < 1 || number > this.#blockSize) {
      this.#strayLines += 1;
      return 'ticket-range';
    }
    const isRepeated = this.#seen === undefined ? number < this.#next : this.#seen[number] === 1;
    if (isRepeated) {
      this.#strayLines += 1;
      return 'ticket-repeated';
    }
    const isDue = this.isDue(number);
    this.#mark(number);
    return isDue ? undefined : 'ticket-order';
  }

  /** Takes a line whose number could not be read. */
  takeUnreadable(): void {
    this.#strayLines += 1;
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

  #mark(number: number): void {
    if (number !== this.#next) {
      this.#seen ??= new Uint8Array(this.#blockSize + 1).fill(1, 0, this.#next);
    }
    if (this.#seen !== undefined) this.#seen[number] = 1;
    this.#highest = Math.max(this.#highest, number);
    // A number that came too early is passed over when its turn comes.
    this.#next = this.#seen?.[number + 1] === 1 ? this.#highest + 1 : number + 1;
    this.#strayLines = 0;
  }
}
