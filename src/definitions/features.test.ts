import { expect, test } from '@jest/globals';
import { FEATURES, featureWords, type FeatureName } from './features.js';

test.each(Object.keys(FEATURES) as FeatureName[])('%s is called what it counts', (name) => {
  const { one, many } = FEATURES[name];
  expect(featureWords(name, 0)).toBe(`0 ${many}`);
  expect(featureWords(name, 1)).toBe(`1 ${one}`);
  expect(featureWords(name, 2)).toBe(`2 ${many}`);
});
