import { printable } from '../core/errors.js';

/**
 * One thing that is wrong with a definition, or with another file of the user's.
 *
 * @group Errors
 */
export interface Problem {
  /** JSON pointer (RFC 6901) of the place, exactly; it may hold what a user wrote. */
  readonly pointer: string;
  /** What stands there, safe to print. */
  readonly found: string;
  /** What should stand there. */
  readonly expected: string;
}

/**
 * One line for people: place, found, expected.
 *
 * @param what - What the file is.
 */
export function formatProblem({ pointer, found, expected }: Problem, what = 'definition'): string {
  const place = pointer === '' ? `the whole ${what}` : printable(pointer);
  return `${place}: found ${found}, expected ${expected}`;
}

/** A JSON value in few words, safe to print: text and numbers as written, the size of the rest. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `"${printable(value, 60)}"`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
