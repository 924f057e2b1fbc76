import { expect, test } from '@jest/globals';
import { binomial } from './binomial.js';

test.each([
  [0, 0, 1n],
  [5, 0, 1n],
  [5, 5, 1n],
  [5, 6, 0n],
  [18, 10, 43_758n],
  [32, 16, 601_080_390n],
  [64, 32, 1_832_624_140_942_590_534n],
])('of %i cells, %i can be chosen in %i ways', (cells, taken, ways) => {
  expect(binomial(cells, taken)).toBe(ways);
});

test('the ways to choose any number of cells are a power of two', () => {
  for (let cells = 0; cells <= 40; cells += 1) {
    const total = Array.from({ length: cells + 1 }, (_, taken) => binomial(cells, taken));
    expect(total.reduce((sum, ways) => sum + ways, 0n)).toBe(2n ** BigInt(cells));
  }
});
