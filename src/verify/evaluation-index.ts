import type { Evaluation } from './evaluator.js';

/** Gives each different evaluation an index, found again by a key that tells them apart. */
export class EvaluationIndex {
  readonly evaluations: Evaluation[] = [];
  readonly #indexes = new Map<number | string, number>();

  /** The index of the evaluation with this key; -1 where there is none yet. */
  find(key: number | string): number {
    return this.#indexes.get(key) ?? -1;
  }

  /**
   * Adds an evaluation and returns its index.
   *
   * @param key - One that no other evaluation of the same evaluator has.
   */
  add(key: number | string, evaluation: Evaluation): number {
    const index = this.evaluations.push(evaluation) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
