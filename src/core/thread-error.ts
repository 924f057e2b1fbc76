import { InvariantError } from './assert.js';
import {
  InputError,
  MachineError,
  printable,
  systemErrorCode,
  type InputErrorCode,
} from './errors.js';

/** An error as one thread tells it to another: its class would be lost on the way. */
export interface ThreadError {
  readonly name: string;
  readonly code: string | undefined;
  readonly place: string | undefined;
  readonly message: string;
}

/** Puts whatever was thrown into words that another thread can be told. */
export function toThreadError(thrown: unknown): ThreadError {
  const { name, message } = isErrorLike(thrown) ? thrown : new Error(String(thrown));
  const place = thrown instanceof InputError ? thrown.place : undefined;
  return { name, code: systemErrorCode(thrown), place, message };
}

/** By its shape: errors of other realms are no instances of this Error. */
function isErrorLike(thrown: unknown): thrown is Error {
  if (typeof thrown !== 'object' || thrown === null) return false;
  return 'name' in thrown && 'message' in thrown;
}

/** The error that another thread has told, of the class that it had there. */
export function fromThreadError({ name, code, place, message }: ThreadError): Error {
  if (name === 'InputError') {
    return new InputError(code as InputErrorCode, message, place === undefined ? {} : { place });
  }
  if (name === 'MachineError') return new MachineError(message, { code: code ?? 'EIO' });
  if (name === 'InvariantError') return new InvariantError(message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** What a thread has died of. */
export interface ThreadDeath {
  readonly exitCode: number;
  /** What nobody has caught in it. */
  readonly cause: unknown;
}

/**
 * What it means that a worker thread has ended before its work was done: the machine has failed it, as
 * its own errors come as messages. It may have run out of memory, or could not be loaded.
 *
 * @param work - What the thread was doing, such as `verifying tickets.csv`.
 */
export function endedThreadError(work: string, { exitCode, cause }: ThreadDeath): MachineError {
  const isMemory = systemErrorCode(cause) === 'ERR_WORKER_OUT_OF_MEMORY';
  const detail = cause === undefined ? `exit code ${exitCode}` : toThreadError(cause).message;
  const what = isMemory ? 'ran out of memory' : `died (${printable(detail)})`;
  const message = `the thread that was ${work} ${what}; run the same command again, with fewer --threads`;
  return new MachineError(message, { code: isMemory ? 'ENOMEM' : 'ECHILD', cause });
}
