import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadDefinitionFile } from '../../definitions/load-game.js';
import { AuditLab } from '../../testing/audit-lab.js';
import { PValues } from '../../testing/p-values.js';
import { definitionPath } from '../../testing/sample-requests.js';
import { loadDistributions } from './distributions.js';
import type { MeasuredBlock } from './measure-block.js';

const BLOCKS = 1000;

/** Blocks that are tested together, so many at a time. */
const TOGETHER = 10;

const LEVELS = [0.1, 0.05, 0.01];

const laws = await loadDistributions();

/** The chance of so many alarms, or more, where each audit alarms with the chance of the level. */
function tooManyP(alarms: number, audits: number, level: number): number {
  return laws.binomial(alarms, audits, level).above;
}

function report(title: string, pValues: PValues): void {
  const rates = LEVELS.map(
    (level) =>
      `${((100 * pValues.alarms(level)) / pValues.audits).toFixed(1)} % at ${100 * level} %`,
  );
  const uniform = pValues.uniformity(laws);
  process.stderr.write(
    `${title}: ${pValues.audits} audits, alarms ${rates.join(', ')}; ` +
      `${uniform.tests} tests with continuous p-values, ` +
      `smallest Kolmogorov p ${uniform.leastP.toExponential(1)} (${uniform.name})\n`,
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

  test('have uniform p-values, test by test, alone and together', () => {
    for (const pValues of [alone, together]) {
      const { tests, leastP, name } = pValues.uniformity(laws);
      expect(tests).toBeGreaterThan(100);
      // One family of tests for uniformity, by Bonferroni.
      expect({ name, isUniform: tests * leastP > 0.01 }).toEqual({ name, isUniform: true });
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
