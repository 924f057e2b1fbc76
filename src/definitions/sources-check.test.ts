import { expect, test } from '@jest/globals';
import type { DefinitionSource } from './definition.js';
import { sourceOf } from './sources-check.js';

const symbols: DefinitionSource = { pointer: '/symbols', source: 'regulation', article: '4.4' };
const code: DefinitionSource = { pointer: '/symbols/1/code', source: 'policy', note: 'one letter' };
const trigger: DefinitionSource = { pointer: '/symbols/1', source: 'regulation', article: '4.5' };
const definition = { sources: [symbols, code, trigger] };

test.each([
  ['/symbols', symbols],
  ['/symbols/0/code', symbols],
  ['/symbols/10/code', symbols],
  ['/symbols/1', trigger],
  ['/symbols/1/id', trigger],
  ['/symbols/1/code', code],
])('the source of %s is the nearest around it', (pointer, source) => {
  expect(sourceOf(definition, pointer)).toBe(source);
});

test.each(['', '/', '/symbol', '/symbols2', '/name'])('"%s" has no source here', (pointer) => {
  expect(sourceOf(definition, pointer)).toBeUndefined();
});
