import { createHash } from 'node:crypto';

/** Numbers that look random and come again with the same number of the campaign and the same text. */
export class Dice {
  readonly #key: string;
  #thrown = 0;

  constructor(seed: number, text: string) {
    this.#key = `${seed} ${text}`;
  }

  /** A whole number from 0 up to, but not including, the bound. */
  below(bound: number): number {
    this.#thrown += 1;
    const hash = createHash('sha256').update(`${this.#key} ${this.#thrown}`).digest();
    return hash.readUInt32BE(0) % bound;
  }

  /** One of a list that is not empty. */
  oneOf<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }

  /** Some of a list, in its order. */
  someOf<T>(list: readonly T[], count: number): readonly T[] {
    const indexes = new Set<number>();
    while (indexes.size < Math.min(count, list.length)) indexes.add(this.below(list.length));
    return list.filter((_, index) => indexes.has(index));
  }
}
