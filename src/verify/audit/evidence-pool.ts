import { addEvidence, type Measurement } from './evidence.js';

/** Adds up the evidence of blocks of one game and stake, test by test. */
export class EvidencePool {
  readonly #sums = new Map<string, { measurement: Measurement | undefined; blocks: number }>();

  add(measurements: readonly Measurement[]): void {
    for (const measurement of measurements) {
      const sum = this.#sums.get(measurement.name);
      if (sum === undefined) {
        this.#sums.set(measurement.name, { measurement, blocks: 1 });
      } else {
        sum.blocks += 1;
        const evidence =
          sum.measurement && addEvidence(sum.measurement.evidence, measurement.evidence);
        // What does not add up stays out of the pool.
        sum.measurement = evidence && { ...measurement, evidence };
      }
    }
  }

  /** The pooled evidence of every test that several blocks have. */
  measurements(): readonly Measurement[] {
    return [...this.#sums.values()].flatMap(({ measurement, blocks }) =>
      measurement === undefined || blocks < 2 ? [] : [measurement],
    );
  }
}
