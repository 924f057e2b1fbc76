import { expect, test } from '@jest/globals';
import { defaultThreads, machineNow } from './default-threads.js';

const MEGABYTES = 1_000_000;

test.each([
  [1, 8000, 1],
  [2, 8000, 2],
  [8, 8000, 8],
  [64, 64_000, 8],
  [64, 600, 4],
  [4, 127, 1],
  [4, 0, 1],
  [4, -10, 1],
  [0, 8000, 1],
])('%d processors and %d MB are good for %d blocks at once', (processors, megabytes, threads) => {
  expect(defaultThreads({ processors, memoryBytes: megabytes * MEGABYTES })).toBe(threads);
});

test('this machine is good for some', () => {
  const { processors, memoryBytes } = machineNow();
  expect(processors).toBeGreaterThanOrEqual(1);
  expect(Number.isFinite(memoryBytes)).toBe(true);
});
