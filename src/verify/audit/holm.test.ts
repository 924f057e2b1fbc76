import { describe, expect, test } from '@jest/globals';
import { rejectByHolm } from './holm.js';

function rejected(pValues: readonly number[], alpha: number): readonly number[] {
  const tests = pValues.map((pValue) => ({ pValue }));
  return rejectByHolm(tests, alpha).map(({ test: { pValue } }) => pValue);
}

describe("Holm's procedure", () => {
  test('holds the smallest p-value to alpha over the number of tests', () => {
    expect(rejected([0.5, 0.011, 0.5, 0.5, 0.5], 0.05)).toEqual([]);
    expect(rejected([0.5, 0.01, 0.5, 0.5, 0.5], 0.05)).toEqual([0.01]);
  });

  test('holds each further one to the tests that are left, and stops at the first that passes', () => {
    expect(rejected([0.01, 0.0125, 0.9, 0.02, 0.017], 0.05)).toEqual([0.01, 0.0125]);
    expect(rejected([0.01, 0.013, 0.9, 0.0001, 0.026], 0.05)).toEqual([0.0001, 0.01, 0.013]);
  });

  test('gives adjusted p-values that never fall', () => {
    const tests = [0.004, 0.001, 0.0011].map((pValue) => ({ pValue }));
    const adjusted = rejectByHolm(tests, 0.05).map(({ adjustedP }) => adjustedP);
    expect(adjusted).toEqual([0.003, 0.003, 0.004]);
  });

  test('rejects nothing where there is nothing', () => {
    expect(rejected([], 0.05)).toEqual([]);
  });
});
