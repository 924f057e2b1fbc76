import type { Command } from 'commander';
import { InputError, printable } from '../core/errors.js';

/**
 * Refuses an option that has taken the next option for its value: in `--seed --stake 1` the seed
 * would silently be `--stake`.
 *
 * @param argv - The arguments as they were given.
 */
export function refuseSwallowedFlags(command: Command, argv: readonly string[]): void {
  for (const option of command.options) {
    const { long, short } = option;
    const names = [long, short].filter((name) => name !== undefined);
    const takesText = option.required || option.optional;
    const values = argv.filter((_, index) => names.includes(argv[index - 1] ?? ''));
    const value = values.find((text) => /^-./.test(text));
    if (!takesText || value === undefined) continue;
    const name = long ?? short ?? '';
    // What follows a seed option may be the seed, which no message repeats.
    const shown = name === '--seed' ? '…' : printable(value, 40);
    const message =
      `${name} has no value: what follows it begins with a dash; ` +
      `write ${name}=${shown} if that is the value`;
    throw new InputError('usage', message);
  }
}

/** The long names of the options that the command line itself gives to a command. */
export function givenOptions(command: Command): readonly string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long ?? '');
}

/** What stands before the name of a command is its parent's, which does nothing here. */
export function refuseOptionsBefore(command: Command): void {
  const { parent } = command;
  const [given] = parent === null ? [] : givenOptions(parent);
  if (given === undefined) return;
  const message = `${given} stands before "${command.name()}", where it says nothing; put it behind`;
  throw new InputError('usage', message);
}
