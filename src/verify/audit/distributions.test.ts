import { describe, expect, test } from '@jest/globals';
import { loadDistributions } from './distributions.js';

const laws = await loadDistributions();

/** Expects a value to a relative error of 1e-9, which the special functions keep far into the tail. */
function expectClose(found: number, known: number): void {
  expect(Math.abs(found / known - 1)).toBeLessThan(1e-9);
}

function chiSquare(degrees: number) {
  return { mean: degrees, variance: 2 * degrees, third: 8 * degrees };
}

// Known values by mpmath with 40 digits.
describe('the law with given cumulants', () => {
  test('is the chi-square law where the cumulants are its own', () => {
    expectClose(laws.byCumulants(60, chiSquare(4)).above, 2.900863120340454e-12);
    expectClose(laws.byCumulants(3500, chiSquare(3019)).above, 1.8466992223499511e-9);
    expectClose(laws.byCumulants(0.5, chiSquare(9)).below, 3.0433741161079275e-5);
  });

  test('is the normal law without skewness', () => {
    const cumulants = { mean: 10, variance: 4, third: 0 };
    expectClose(laws.byCumulants(22, cumulants).above, 9.86587645037698e-10);
    expectClose(laws.byCumulants(-2, cumulants).below, 9.86587645037698e-10);
  });

  test('is mirrored where the skewness is negative', () => {
    const { below, above } = laws.byCumulants(-60, { mean: -4, variance: 8, third: -32 });
    expectClose(below, 2.900863120340454e-12);
    expectClose(above, 1 - 2.900863120340454e-12);
  });

  test('ends where the gamma law ends', () => {
    expect(laws.byCumulants(-1, chiSquare(4))).toEqual({ below: 0, above: 1 });
  });

  test('gives 0 and 1 where a probability is too small for a double', () => {
    expect(laws.byCumulants(1e6, chiSquare(4))).toEqual({ below: 1, above: 0 });
    expect(laws.byCumulants(500, chiSquare(1e5))).toEqual({ below: 0, above: 1 });
  });
});

describe('exact laws of counts', () => {
  test('are Poisson', () => {
    expectClose(laws.poisson(40, 7.3).above, 3.4324092586735403e-17);
    expectClose(laws.poisson(2, 7.3).below, 0.02360670249914889);
    expect(laws.poisson(0, 7.3).above).toBe(1);
  });

  test('give 0 and 1 where a Poisson probability is too small for a double', () => {
    expect(laws.poisson(5000, 7.3)).toEqual({ below: 1, above: 0 });
    expect(laws.poisson(5, 5000)).toEqual({ below: 0, above: 1 });
  });

  test('are binomial', () => {
    expectClose(laws.binomial(0, 157, 0.1).below, 6.547477007013774e-8);
    expectClose(laws.binomial(40, 157, 0.1).above, 2.3335970798261113e-8);
    expect(laws.binomial(0, 157, 0.1).above).toBe(1);
  });
});

describe('laws of distances', () => {
  test('are those of a Brownian bridge', () => {
    expectClose(laws.bridgeAbove(2), 0.0006709252557796953);
    // Closer to 0 than any bridge stays; the library's series would never end.
    expect(laws.bridgeAbove(0)).toBe(1);
  });

  test('are exact for a few values', () => {
    // Of a single uniform value: it lies above the distance.
    expectClose(laws.oneSidedDistanceAbove(1, 0.9), 0.1);
    expect(laws.oneSidedDistanceAbove(5, 2)).toBe(0);
  });
});
