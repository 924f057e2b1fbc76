/**
 * A broken invariant: a fault of this program, never of its input.
 * Nothing catches it on purpose; the command line reports it as a bug.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * States what must hold whatever the input is.
 *
 * @param condition - What was expected to hold.
 * @param message - What was expected and what was found; a function where the text costs something.
 * @throws {@link InvariantError} when the condition is false.
 */
export function assert(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) {
    throw new InvariantError(typeof message === 'function' ? message() : message);
  }
}

/**
 * Narrows a value that an invariant promises to be there, such as an element at an index in range.
 *
 * @throws {@link InvariantError} when it is `undefined`.
 */
export function defined<T>(value: T | undefined, what: string): T {
  assert(value !== undefined, `${what} was expected to be defined`);
  return value;
}
