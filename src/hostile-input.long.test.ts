import { expect, test } from '@jest/globals';
import { fuzz } from './testing/fuzz.js';
import { makeFuzzTargets } from './testing/fuzz-run.js';

const INPUTS = 100_000;

/** Of the whole test process, which holds the test runner too. */
const MOST_MEMORY_KIB = 500 * 1024;

test('100,000 hostile inputs neither crash nor hang nor fill the memory', async () => {
  const targets = await makeFuzzTargets();
  const count = INPUTS / targets.length;
  for (const target of targets) {
    expect(await fuzz(target, { first: 1_000_000, count })).toEqual([]);
  }
  expect(process.resourceUsage().maxRSS).toBeLessThan(MOST_MEMORY_KIB);
}, 3_600_000);
