import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadDefinitionFile } from '../../definitions/load-game.js';
import { AuditLab } from '../../testing/audit-lab.js';
import { definitionPath } from '../../testing/sample-requests.js';
import { loadDistributions } from './distributions.js';
import type { TestResult } from './judge.js';
import type { MeasuredBlock } from './measure-block.js';

const BLOCKS = 1000;

/** Blocks that are tested together, so many at a time. */
const TOGETHER = 10;

const LEVELS = [0.1, 0.05, 0.01];

const laws = await loadDistributions();

/** The p-values of tests by name, over many blocks. */
class PValues {
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
}

/** The p-value of Kolmogorov's test for uniform values. */
function uniformP(values: readonly number[]): number {
  const n = values.length;
  const distance = values
    .toSorted((a, b) => a - b)
    .reduce((most, value, index) => Math.max(most, value - index / n, (index + 1) / n - value), 0);
  return laws.bridgeAbove(distance * Math.sqrt(n));
}

/** The chance of so many alarms, or more, where each audit alarms with the chance of the level. */
function tooManyP(alarms: number, audits: number, level: number): number {
  return laws.binomial(alarms, audits, level).above;
}

function report(title: string, pValues: PValues): void {
  const rates = LEVELS.map(
    (level) =>
      `${((100 * pValues.alarms(level)) / pValues.audits).toFixed(1)} % at ${100 * level} %`,
  );
  const uniform = pValues.ofKind(false).map(([name, values]) => ({ name, p: uniformP(values) }));
  const least = uniform.reduce((worst, test) => (test.p < worst.p ? test : worst));
  process.stderr.write(
    `${title}: ${pValues.audits} audits, alarms ${rates.join(', ')}; ` +
      `${uniform.length} tests with continuous p-values, ` +
      `smallest Kolmogorov p ${least.p.toExponential(1)} (${least.name})\n`,
  );
}

describe.each(['eldorado-mini', 'lagon-mini'] as const)('right blocks of %s', (sample) => {
  const alone = new PValues();
  const together = new PValues();

  beforeAll(async () => {
    const game = loadDefinitionFile(definitionPath(sample));
    const lab = await AuditLab.open(game, 'calibration');
    let pool: MeasuredBlock[] = [];
    for (let block = 1; block <= BLOCKS; block += 1) {
      const measured = lab.measure(await lab.plan(block));
      alone.add(lab.judge(measured));
      pool.push(measured);
      if (pool.length < TOGETHER) continue;
      together.add(lab.judgeTogether(pool));
      pool = [];
    }
    report(`${sample}, each alone`, alone);
    report(`${sample}, ${TOGETHER} together`, together);
  }, 3_600_000);

  test.each(LEVELS)('raise an alarm at the stated rate of %d', (level) => {
    expect(tooManyP(alone.alarms(level), alone.audits, level)).toBeGreaterThan(0.001);
    expect(tooManyP(together.alarms(level), together.audits, level)).toBeGreaterThan(0.001);
    // Bonferroni's bound is nearly reached: the tests do not waste their error rate.
    expect(alone.alarms(level)).toBeGreaterThan(0.4 * level * alone.audits);
  });

  test('have uniform p-values, test by test', () => {
    const tests = alone.ofKind(false);
    expect(tests.length).toBeGreaterThan(100);
    for (const [name, pValues] of tests) {
      expect({ name, isUniform: uniformP(pValues) > 0.001 }).toEqual({ name, isUniform: true });
    }
  });

  test('have p-values that are bounds where they are discrete', () => {
    for (const [name, pValues] of alone.ofKind(true)) {
      for (const level of LEVELS) {
        const small = pValues.filter((pValue) => pValue <= level).length;
        const isBound = tooManyP(small, pValues.length, level) > 1e-5;
        expect({ name, level, isBound }).toEqual({ name, level, isBound: true });
      }
    }
  });

  test('have p-values in the tail as often as they say', () => {
    const all = alone.ofKind(false).flatMap(([, pValues]) => pValues);
    for (const level of [1e-3, 1e-4, 1e-5]) {
      const small = all.filter((pValue) => pValue <= level).length;
      expect(tooManyP(small, all.length, level)).toBeGreaterThan(0.001);
    }
  });
});
