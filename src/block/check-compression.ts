import { InputError, printable } from '../core/errors.js';
import { COMPRESSIONS, isCompression } from '../formats/ticket-formats.js';

/** @throws InputError `usage` where a caller without types asks for a compression that there is not. */
export function checkCompression(compression: string | undefined): void {
  if (compression === undefined || isCompression(compression)) return;
  const message = `the compression ${printable(compression, 40)} is not known; choose ${COMPRESSIONS.join()}, or leave it out`;
  throw new InputError('usage', message);
}
