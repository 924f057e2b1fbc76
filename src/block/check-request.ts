import { ENGINE_IDS, isEngineId } from '../core/algorithm.js';
import { InputError, printable } from '../core/errors.js';
import { MOST_BLOCK_NUMBER } from '../formats/manifest.js';
import { COMPRESSIONS, isCompression, TICKET_FORMATS } from '../formats/ticket-formats.js';

/** Longer seeds are no seeds but wrong files. */
export const MOST_SEED_BYTES = 65_536;

/** What makes a seed unfit, in words that follow its name; for text that was no UTF-8 by then. */
export const NOT_UTF8 = 'is not valid UTF-8; write it as text, in hexadecimal for example';

/** What is wrong with a seed, in words that follow its name; `undefined` where it can be used. */
export function seedFault(seed: Uint8Array): string | undefined {
  if (seed.length === 0) return 'is empty; give one of at least 128 bits';
  if (seed.length > MOST_SEED_BYTES) {
    return `has more than ${MOST_SEED_BYTES} bytes; check that it is the right file`;
  }
  if (seed.includes(0)) return 'holds a NUL byte; write it as text, in hexadecimal for example';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(seed);
    return undefined;
  } catch {
    return NOT_UTF8;
  }
}

/**
 * Checks what the types say already, and what they cannot say: callers without types are not told
 * apart by them.
 *
 * @throws InputError `bad-seed`, `bad-number`, `usage`.
 */
export function checkRequest(request: {
  readonly seed: Uint8Array;
  readonly engine: string;
  readonly emission: number;
  readonly block: number;
}): void {
  const { seed, engine, emission, block } = request;
  checkSeed(seed);
  if (!isEngineId(engine)) refuseChoice('engine', engine, ENGINE_IDS);
  for (const [name, number] of Object.entries({ emission, block })) {
    if (Number.isInteger(number) && number >= 1 && number <= MOST_BLOCK_NUMBER) continue;
    const shown: unknown = number;
    const asText =
      typeof shown === 'number' ? String(shown) : `the ${typeof shown} ${String(shown)}`;
    const message = `${name} is ${printable(asText, 60)}; give a whole number from 1 to ${MOST_BLOCK_NUMBER}`;
    throw new InputError('bad-number', message, { place: name });
  }
}

/** @throws InputError `bad-seed`; the message never repeats it. */
export function checkSeed(seed: Uint8Array): void {
  if (!(seed instanceof Uint8Array)) {
    throw new InputError('bad-seed', 'the seed is no bytes; give a Buffer or another Uint8Array');
  }
  const fault = seedFault(seed);
  if (fault !== undefined) throw new InputError('bad-seed', `the seed ${fault}`);
}

/** The same for the form of tickets files. */
export function checkForms(
  formats: string | readonly string[],
  compression: string | undefined,
): void {
  if (typeof formats === 'string' || formats.length === 0) {
    throw new InputError('usage', `no format is given; choose from ${TICKET_FORMATS.join()}`);
  }
  const known: readonly string[] = TICKET_FORMATS;
  const unknown = formats.find((format) => !known.includes(format));
  if (unknown !== undefined) refuseChoice('format', unknown, TICKET_FORMATS);
  if (compression !== undefined && !isCompression(compression)) {
    refuseChoice('compression', compression, COMPRESSIONS);
  }
}

function refuseChoice(what: string, choice: unknown, choices: readonly string[]): never {
  const message = `the ${what} ${printable(String(choice), 40)} is not known; choose ${choices.join(' or ')}`;
  throw new InputError('usage', message, { place: what });
}
