import type { Command } from 'commander';
import { InputError, printable } from '../core/errors.js';
import { didYouMean } from './did-you-mean.js';

/** The most of a parser's error that is shown: its words and the start of what the user wrote. */
const MOST_ERROR_LETTERS = 400;

/**
 * An error of the parser as one line, in which nothing that the user wrote can steer the terminal, and with
 * the name that was perhaps meant. What stands behind an equals sign is not repeated: behind a name with a
 * typing error it may be a seed.
 *
 * @param command - The command that the error is of.
 */
export function usageLine(command: Command, text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ')
    .replace(/(unknown option '-[^=']*)=.*'$/, "$1=…'")
    .replace(/( argument '[^=']*=).*(' is invalid\. )/, '$1…$2');
  return `${printable(line, MOST_ERROR_LETTERS)}${hintOn(command, line)}`;
}

function hintOn(command: Command, line: string): string {
  const flag = /^unknown option '(--[^=']+)/.exec(line)?.[1];
  if (flag !== undefined) {
    const names = command.options.flatMap(({ long }) => long ?? []);
    return didYouMean(flag, [...names, '--help']);
  }
  // "finish" with a typing error is a job file with too many others behind it.
  if (!line.startsWith('too many arguments')) return '';
  return didYouMean(command.args[0] ?? '', commandNames(command));
}

function commandNames(command: Command): readonly string[] {
  return command.commands.map((each) => each.name());
}

/**
 * Without this, the default command would only say that it takes no arguments, and a command that is
 * nothing but others would show its help.
 *
 * @throws InputError `usage`.
 */
export function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  let command = program;
  for (const word of argv) {
    const hasOthers = command.commands.length > 0 && command.registeredArguments.length === 0;
    if (word.startsWith('-') || !hasOthers) return;
    if (word === 'help') continue;
    const named = command.commands.find((each) => each.name() === word);
    if (named === undefined) throw unknownCommand(command, word);
    command = named;
  }
}

function unknownCommand(command: Command, word: string): InputError {
  const names = [...commandNames(command), 'help'];
  // Below the others the word may be the seed or the key that the command is about.
  const shown =
    command.parent === null
      ? ` "${printable(word, 60)}"`
      : ` of that name below "${command.name()}"`;
  const message = `there is no command${shown}; choose ${names.join(', ')}${didYouMean(word, names)}`;
  return new InputError('usage', message);
}
