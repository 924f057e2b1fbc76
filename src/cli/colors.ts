import { isatty } from 'node:tty';
import picocolors from 'picocolors';

/** Colours of standard output, on a terminal only: the library alone would colour it where CI is set. */
export const pc = picocolors.createColors(isatty(1) && picocolors.isColorSupported);
