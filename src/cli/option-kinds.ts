import { InvalidArgumentError, Option } from 'commander';
import { InputError } from '../core/errors.js';
import { parseEuros } from '../core/money.js';
import { MOST_BLOCK_NUMBER } from '../formats/manifest.js';
import { didYouMean } from './did-you-mean.js';

/*
 * The kinds of options. The help and the completion of shells know an option's kind by the name of its
 * value: <file> and <folder> are paths, what has `argChoices` is one of them, all else is free text.
 */

/** Wraps a parser so that giving its option twice is an error and not a silent choice of the last. */
export function once<T>(
  name: string,
  parse: (text: string) => T,
): (text: string, previous?: T) => T {
  let isGiven = false;
  return (text) => {
    // The value itself is not shown: it may be a seed.
    if (isGiven) throw new InputError('usage', `${name} is given twice; give it once`);
    isGiven = true;
    return parse(text);
  };
}

/** An option that takes one text. */
export function textOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const name = option.long ?? flags;
  return option.argParser(
    once(name, (text) => {
      if (text !== '') return text;
      throw new InputError('usage', `${name} is empty; give it a value`);
    }),
  );
}

/** An option that may be given several times. */
export function repeatedOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((text: string, previous?: readonly string[]) => {
    if (text !== '') return [...(previous ?? []), text];
    throw new InputError('usage', `${option.long ?? flags} is empty; give it a value`);
  });
}

/** An option that takes one of some names. */
export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
): Option {
  const option = new Option(flags, description);
  option.argChoices = [...choices];
  return option.argParser(once(option.long ?? flags, (text) => chosenName(text, choices)));
}

/**
 * The one of some names that was given.
 *
 * @throws InvalidArgumentError.
 */
export function chosenName<T extends string>(text: string, choices: readonly T[]): T {
  const choice = choices.find((name) => name === text);
  if (choice !== undefined) return choice;
  const hint = didYouMean(text, choices);
  throw new InvalidArgumentError(`Choose ${namesText(choices)}${hint}.`);
}

/** Names for a sentence: `a`, `a or b`, `a, b or c`. */
export function namesText(names: readonly string[]): string {
  const last = names.slice(-1).join('');
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** An option that takes a SHA-256. */
export function hashOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser(
    once(option.long ?? flags, (text) => {
      if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
      throw new InvalidArgumentError('Write 64 hexadecimal digits.');
    }),
  );
}

/** An option that takes a number from 1 up, and is 1 where it is not given. */
export function numberOption(flags: string, description: string): Option {
  return countOption(flags, description).default(1);
}

/** An option that takes a number from 1 up. */
export function countOption(flags: string, description: string, most = MOST_BLOCK_NUMBER): Option {
  const option = new Option(flags, description);
  return option.argParser(
    once(option.long ?? flags, (text) => {
      if (isNumber(text, most)) return Number(text);
      throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`);
    }),
  );
}

/** An option that takes numbers from 1 up, joined by commas. */
export function numbersOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser(
    once(option.long ?? flags, (text) => {
      const parts = text.split(',');
      if (parts.every((part) => isNumber(part, MOST_BLOCK_NUMBER))) return parts.map(Number);
      throw new InvalidArgumentError('Write whole numbers from 1 up, joined by commas.');
    }),
  );
}

function isNumber(text: string, most: number): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= most;
}

/** An option that takes an amount in euros, as integer cents. */
export function eurosOption(flags: string, description: string, least = 0): Option {
  const option = new Option(flags, description);
  return option.argParser(
    once(option.long ?? flags, (text) => {
      const cents = parseEuros(text);
      if (cents !== undefined && cents >= least) return cents;
      throw new InvalidArgumentError('Write an amount in euros such as 0.5, 1 or 2.');
    }),
  );
}
