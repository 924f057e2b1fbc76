import type { Definition } from './definition.js';
import type { Problem } from './problem.js';
import { schemaProblems } from './schema-problems.js';

/** Many times what the schema's limits allow in earnest; it bounds the number of ajv's errors. */
const MOST_VALUES = 20_000;

/** A definition that fits the schema, or else what does not fit. */
export interface FormCheck {
  readonly definition: Definition | undefined;
  readonly problems: readonly Problem[];
}

/** Holds any JSON value against `schemas/definition.schema.json`. */
export function checkForm(value: unknown): FormCheck {
  if (hasMoreValues(value, MOST_VALUES)) {
    const found = `more than ${MOST_VALUES} values`;
    const expected = 'a game definition, which is smaller';
    return { definition: undefined, problems: [{ pointer: '', found, expected }] };
  }
  const problems = schemaProblems('definition', value);
  return { definition: problems.length === 0 ? (value as Definition) : undefined, problems };
}

/**
 * Whether a JSON value holds more values than that, itself included. Stops as soon as the answer is
 * known, so that no value can keep it busy.
 */
export function hasMoreValues(value: unknown, limit: number): boolean {
  const values = [value];
  // The list grows while it is walked: it ends with every value in it.
  for (const next of values) {
    if (values.length > limit) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const child of Object.values(next).slice(0, limit)) values.push(child);
  }
  return false;
}
