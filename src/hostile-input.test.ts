import { expect, test } from '@jest/globals';
import { fuzz } from './testing/fuzz.js';
import { makeFuzzTargets } from './testing/fuzz-run.js';

test('whatever is read is accepted or refused in the foreseen way, with words that are safe to show', async () => {
  for (const target of await makeFuzzTargets()) {
    expect(await fuzz(target, { first: 1, count: 100 })).toEqual([]);
  }
});
