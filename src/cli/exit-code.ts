import { InvariantError } from '../core/assert.js';
import { InputError, MachineError, printable, systemErrorCode } from '../core/errors.js';

/** What the program's exit code says. Signals end it with 128 plus their number. */
export const EXIT = {
  /** Done and right. */
  right: 0,
  /** The block does not conform. */
  nonconforming: 1,
  /** Wrong usage or bad input. */
  badInput: 2,
  /** The machine failed: disk full, permission, or a fault of this program. */
  machine: 3,
} as const;

/** The one line to show for an error, and the exit code that it means. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** Turns whatever was thrown into one line and an exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof InputError) return { message: error.message, exitCode: EXIT.badInput };
  if (error instanceof MachineError) return { message: error.message, exitCode: EXIT.machine };
  const detail = error instanceof Error ? error.message : String(error);
  // Without words of its own, but the operating system's and no fault of the program.
  if (/^E[A-Z\d]+$/.test(systemErrorCode(error) ?? '')) {
    return { message: `the machine failed: ${printable(detail)}`, exitCode: EXIT.machine };
  }
  const kind = error instanceof InvariantError ? 'a broken invariant' : 'an unexpected error';
  const message = `${kind}, which is a fault of gen-block itself; please report it: ${detail}`;
  return { message, exitCode: EXIT.machine };
}
