import { InputError } from './errors.js';

/**
 * Checks a number of threads.
 *
 * @throws InputError `bad-number` where they could do nothing.
 */
export function checkThreads(threads: number): void {
  if (Number.isInteger(threads) && threads >= 1) return;
  const message = `${threads} threads can do nothing; give a whole number from 1 on`;
  throw new InputError('bad-number', message, { place: 'threads' });
}
