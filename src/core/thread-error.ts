import { MachineError, printable, systemErrorCode } from './errors.js';

/**
 * What it means that a worker thread has ended before its work was done: the machine has failed it, as
 * its own errors come as messages. It may have run out of memory, or could not be loaded.
 *
 * @param work - What the thread was doing, such as `verifying tickets.csv`.
 * @param cause - What Node says about it, where it says anything.
 */
export function threadError(work: string, cause?: unknown): MachineError {
  const code = systemErrorCode(cause) ?? 'ERR_THREAD_ENDED';
  const why = cause instanceof Error ? ` (${printable(cause.message)})` : '';
  const message = `the thread that was ${work} has ended before it was done${why}; run the same command again, with --threads 1 if that happens again`;
  return new MachineError(message, { code, cause });
}
