import { jsonPointer } from '../core/json-pointer.js';
import type { Definition, DefinitionSource } from './definition.js';
import { findRepeats } from './list-checks.js';
import { describeValue, type Problem } from './problem.js';

/**
 * Every field of a definition must say where it comes from: an article of the regulation, or policy
 * of the operator.
 */
export function checkSources(definition: Definition): readonly Problem[] {
  const values = valuesByPointer(definition);
  const pointers = definition.sources.map(({ pointer }) => pointer);
  const covered = new Set(pointers);
  return [
    ...pointers.flatMap((pointer, index) => {
      if (values.has(pointer)) return [];
      const found = describeValue(pointer);
      const expected = 'the pointer of a field of this definition';
      return [{ pointer: `/sources/${index}/pointer`, found, expected }];
    }),
    ...findRepeats(pointers, (index) => `/sources/${index}/pointer`),
    ...[...values].flatMap(([pointer, value]) => {
      if (!isLeaf(value) || pathUp(pointer).some((step) => covered.has(step))) return [];
      const expected = 'an entry of /sources for this field or for one around it';
      return [{ pointer, found: 'no source', expected }];
    }),
  ];
}

/**
 * Where a field comes from: of the sources for it and for the fields around it the nearest.
 *
 * @param pointer - JSON pointer of the field.
 */
export function sourceOf(
  { sources }: Pick<Definition, 'sources'>,
  pointer: string,
): DefinitionSource | undefined {
  for (const step of pathUp(pointer)) {
    const source = sources.find((candidate) => candidate.pointer === step);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** A pointer and those of the values around it, innermost first, the whole document left out. */
function pathUp(pointer: string): readonly string[] {
  const path: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    path.push(pointer.slice(0, end));
  }
  return path;
}

/** Every value inside a definition, by its pointer. */
function valuesByPointer(value: unknown): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const visit = (inner: unknown, path: string): void => {
    values.set(path, inner);
    if (typeof inner !== 'object' || inner === null) return;
    for (const [key, child] of Object.entries(inner)) visit(child, path + jsonPointer([key]));
  };
  visit(value, '');
  return values;
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
