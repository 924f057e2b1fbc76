import { readFileSync } from 'node:fs';
import type { Definition } from '../definitions/definition.js';
import { toGame, type CollectGame, type RowsGame } from '../definitions/game.js';

const FOLDER = new URL('../../fixtures/definitions/', import.meta.url);

/** The definitions in `fixtures/definitions`. */
export type SampleName = 'eldorado-mini' | 'lagon-mini' | 'collect-bare' | 'rows-plain';

/** One change of a definition: what comes to a JSON pointer; `undefined` takes away what is there. */
export type Edit = readonly [pointer: string, replacement: unknown];

/** A sample definition with some changes, right or wrong. */
export function sampleDefinition(name: SampleName, ...edits: readonly Edit[]): Definition {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  const definition = JSON.parse(text) as Definition;
  for (const edit of edits) applyEdit(definition, edit);
  return definition;
}

/** The game of a sample with the rows mechanic, unchecked, so that its rules can be. */
export function sampleRowsGame(
  name: 'eldorado-mini' | 'rows-plain',
  ...edits: readonly Edit[]
): RowsGame {
  return toGame(sampleDefinition(name, ...edits), 'no hash') as RowsGame;
}

/** The game of a sample with the collect mechanic, unchecked. */
export function sampleCollectGame(
  name: 'lagon-mini' | 'collect-bare',
  ...edits: readonly Edit[]
): CollectGame {
  return toGame(sampleDefinition(name, ...edits), 'no hash') as CollectGame;
}

type Container = Record<string, unknown>;

function applyEdit(definition: Definition, [pointer, replacement]: Edit): void {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop() ?? '';
  let container = definition as unknown as Container;
  for (const step of steps) container = container[step] as Container;
  if (Array.isArray(container) && replacement === undefined) container.splice(Number(last), 1);
  else if (replacement === undefined) Reflect.deleteProperty(container, last);
  else container[last] = replacement;
}
