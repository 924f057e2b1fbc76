import type { Evaluation } from './evaluator.js';

/** Gives each different evaluation an index, found again by a number that tells them apart. */
export class EvaluationIndex {
  readonly evaluations: Evaluation[] = [];
  readonly #indexes = new Map<number, number>();

  /**
   * @param key - A number that no other evaluation of the same evaluator has.
   * @param make - Makes the evaluation when its key is new.
   */
  indexOf(key: number, make: () => Evaluation): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.evaluations.push(make()) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
