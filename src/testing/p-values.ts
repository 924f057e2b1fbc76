import type { Distributions } from '../verify/audit/distributions.js';
import type { TestResult } from '../verify/audit/judge.js';

/** Of the tests with continuous p-values, the one whose p-values look least uniform. */
export interface Uniformity {
  /** How many tests there are. */
  readonly tests: number;
  readonly name: string;
  /** The p-value of Kolmogorov's test for uniform values. */
  readonly leastP: number;
}

/** The p-values of tests by name, over many audits of right blocks. */
export class PValues {
  readonly #byName = new Map<string, { readonly pValues: number[]; isDiscrete: boolean }>();
  /** For each audit: its smallest p-value times the number of its tests. */
  readonly #smallest: number[] = [];

  add(tests: readonly TestResult[]): void {
    for (const { name, pValue, isDiscrete } of tests) {
      const known = this.#byName.get(name) ?? { pValues: [], isDiscrete: false };
      known.pValues.push(pValue);
      known.isDiscrete ||= isDiscrete;
      this.#byName.set(name, known);
    }
    const least = tests.reduce((most, { pValue }) => Math.min(most, pValue), 1);
    this.#smallest.push(least * tests.length);
  }

  /** The audits that alarm at a level. */
  alarms(level: number): number {
    return this.#smallest.filter((least) => least <= level).length;
  }

  get audits(): number {
    return this.#smallest.length;
  }

  /** Tests whose p-values should be uniform, and that every audit has; else those that are bounds. */
  ofKind(isDiscrete: boolean): readonly (readonly [string, readonly number[]])[] {
    return [...this.#byName]
      .filter(([, test]) => test.isDiscrete === isDiscrete && test.pValues.length === this.audits)
      .map(([name, { pValues }]) => [name, pValues] as const);
  }

  /** How uniform the p-values are that should be. */
  uniformity(laws: Distributions): Uniformity {
    const tests = this.ofKind(false);
    const worst = { name: 'none', leastP: 1 };
    for (const [name, pValues] of tests) {
      const p = uniformP(pValues, laws);
      if (p >= worst.leastP) continue;
      worst.name = name;
      worst.leastP = p;
    }
    return { tests: tests.length, ...worst };
  }
}

function uniformP(values: readonly number[], laws: Distributions): number {
  const n = values.length;
  const distance = values
    .toSorted((a, b) => a - b)
    .reduce((most, value, index) => Math.max(most, value - index / n, (index + 1) / n - value), 0);
  return laws.bridgeAbove(distance * Math.sqrt(n));
}
