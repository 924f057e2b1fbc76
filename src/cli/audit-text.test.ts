import { describe, expect, test } from '@jest/globals';
import { makeAuditReport } from '../verify/audit/audit-report.js';
import type { TestResult } from '../verify/audit/judge.js';
import { auditText } from './audit-text.js';

function result(name: string, pValue: number): TestResult {
  return {
    name,
    group: 'order',
    statistic: 1,
    degrees: null,
    pValue,
    isDiscrete: false,
    note: 'a note',
  };
}

/** The text for two blocks whose pooled tests have these p-values. */
function textOf(pValues: readonly number[], alpha = 1e-6): string {
  const tests = pValues.map((pValue, index) => result(`test ${index + 1}`, pValue));
  const pooled = { gameId: 'eldorado', stakeCents: 100, paths: ['a', 'b'], tests };
  return auditText(makeAuditReport([], [pooled], alpha));
}

describe('the text of an audit', () => {
  test('names the smallest p-value of each group', () => {
    const text = textOf([0.5, 0.02, 0.7]);
    expect(text).toContain('eldorado, stake 1.00 EUR, 2 blocks together.');
    expect(text).toMatch(/order +3 tests, smallest p 0\.020: test 2\n/);
    expect(text).toContain('No alarm.');
  });

  test('states the error rate as it was written, and the threshold', () => {
    expect(textOf([0.5, 0.5, 0.5, 0.5], 0.05)).toContain('at most 0.05, over all 4 tests');
    const text = textOf([0.5, 0.5, 0.5, 0.5]);
    expect(text).toContain('at most 1e-6, over all 4 tests');
    expect(text).toContain('alarms below 2.5e-7');
    expect(text).toContain('0 of at most 5 % where 0.2 are expected');
  });

  test('says of an alarm by which tests of all blocks, how clear, and why', () => {
    const text = textOf([0.5, 1e-9, 0.5]);
    expect(text).toContain('Alarm: 1 test.\n');
    expect(text).toContain('  p 1.0e-9, adjusted 3.0e-9: together: order: test 2 (a note)\n');
    expect(text).not.toContain('No alarm.');
  });

  test('lists twenty alarms, and how many more there are', () => {
    const text = textOf(Array.from({ length: 25 }, () => 1e-12));
    expect(text).toContain('Alarm: 25 tests.');
    expect(text.match(/adjusted/g)).toHaveLength(20);
    expect(text).toContain('  and 5 more\n');
  });
});
