import { describe, expect, test } from '@jest/globals';
import { deviance, devianceCumulants, devianceOf } from './deviance.js';

describe('a deviance', () => {
  test('is twice the logarithm of the likelihood ratio', () => {
    expect(deviance(38, 10)).toBeCloseTo(2 * (38 * Math.log(3.8) - 28), 10);
    expect(deviance(0, 10)).toBe(20);
    expect(deviance(10, 10)).toBe(0);
  });

  test('out of places counts what is missing as well', () => {
    expect(devianceOf(3, 2, 10)).toBeCloseTo(deviance(3, 2) + deviance(7, 8), 12);
    expect(devianceOf(10, 5, 10)).toBeCloseTo(20 * Math.log(2), 12);
  });
});

// By mpmath with 40 digits, summed over all counts.
describe('the cumulants of a deviance', () => {
  test.each([
    [5, 1.04667696638, 2.26678305335, 9.88132495994],
    [10, 1.01882853969, 2.08768749396, 8.63866094635],
    [50, 1.00340268948, 2.01390047692, 8.0852188593],
    [299, 1.00055928982, 2.00224471607, 8.0135139468],
    [301, 1.00055556115, 2.00222970062, 8.0134232434],
  ])('of a Poisson count that expects %d', (expected, mean, variance, third) => {
    const cumulants = devianceCumulants(expected);
    expect(cumulants.mean).toBeCloseTo(mean, 4);
    expect(cumulants.variance).toBeCloseTo(variance, 3);
    expect(cumulants.third).toBeCloseTo(third, 2);
  });

  test.each([
    [6, 20, 1.03666376572, 2.1826326015, 9.40621112856],
    [16.8, 100, 1.01081254843, 2.04579155294, 8.29239881493],
  ])('of a count that expects %d out of %d', (expected, size, mean, variance, third) => {
    const cumulants = devianceCumulants(expected, size);
    expect(cumulants.mean).toBeCloseTo(mean, 4);
    expect(cumulants.variance).toBeCloseTo(variance, 3);
    expect(cumulants.third).toBeCloseTo(third, 2);
  });

  test('are worked out once for expectations that hardly differ', () => {
    expect(devianceCumulants(20.0001)).toBe(devianceCumulants(20.0002));
  });
});
