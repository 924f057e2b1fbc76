import { InvalidArgumentError, Option, type Command } from 'commander';
import { ENGINE_IDS, isEngineId, type EngineId } from '../core/algorithm.js';
import { InputError, printable } from '../core/errors.js';
import { parseEuros } from '../core/money.js';
import { MOST_BLOCK_NUMBER } from '../formats/manifest.js';
import {
  COMPRESSIONS,
  isCompression,
  TICKET_FORMATS,
  type Compression,
  type TicketFormat,
} from '../formats/ticket-formats.js';
import { parseDatabaseTarget, type DatabaseTarget } from '../load/database-target.js';
import type { PolicyId } from '../batch/job.js';
import { isLanguageId, LANGUAGE_IDS, type LanguageId } from '../view/language.js';

/** The name of the environment variable that a seed can stand in. */
export const SEED_VARIABLE = 'GEN_BLOCK_SEED';

/** What `--commit-tickets` does. */
export const COMMIT_TICKETS =
  'write commitment.json: what to publish before the sale, with the Merkle root of all tickets';

/** Wraps a parser so that giving its option twice is an error and not a silent choice of the last. */
function once<T>(name: string, parse: (text: string) => T): (text: string, previous?: T) => T {
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

/** An option that says where a sales database is. */
export function databaseOption(flags: string, description: string): Option {
  const option = new Option(
    flags,
    `${description}: sqlite:<path> or postgres://<user>@<host>/<name>`,
  );
  return option.argParser(
    once(option.long ?? flags, (text): DatabaseTarget => {
      const target = parseDatabaseTarget(text);
      if (target !== undefined) return target;
      // The text itself is not shown: a password may be in it.
      const advice =
        'write sqlite:<path>, or postgres://<user>@<host>:<port>/<name>, or postgres:// with PGHOST, PGUSER, PGDATABASE set';
      throw new InputError('usage', `${option.long ?? flags} names no database; ${advice}`);
    }),
  );
}

/** `--seed`. */
export function seedOption(
  description = 'seed, for tests: others can see the command line',
): Option {
  return textOption('--seed <text>', description);
}

/** `--seed-file`: several of them are shares of one seed. */
export function seedFileOption(description = 'file with the seed; - for standard input'): Option {
  return repeatedOption('--seed-file <file>', `${description}; given several times, its shares`);
}

/** `--encrypt-to`. */
export function encryptToOption(): Option {
  const description = 'encrypt the tickets files to this age recipient (age1…); may be repeated';
  return repeatedOption('--encrypt-to <recipient>', description);
}

/** `--identity`. */
export function identityOption(
  description = 'age identity file that opens encrypted files',
): Option {
  return repeatedOption('--identity <file>', `${description}; may be repeated`);
}

/** An option that may be given several times. */
function repeatedOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((text: string, previous?: readonly string[]) => {
    if (text !== '') return [...(previous ?? []), text];
    throw new InputError('usage', `${option.long ?? flags} is empty; give it a value`);
  });
}

/** `--policy`. */
export function policyOption(description: string): Option {
  return new Option('--policy <name>', `${description}: production`).argParser(
    once('--policy', (text): PolicyId => {
      if (text === 'production') return text;
      throw new InvalidArgumentError('Choose production.');
    }),
  );
}

/** `--definition-sha256`. */
export function definitionSha256Option(): Option {
  return hashOption(
    '--definition-sha256 <hash>',
    'hash of the definition that was approved: it must have this one',
  );
}

/** `--program-sha256`. */
export function programSha256Option(): Option {
  return hashOption(
    '--program-sha256 <hash>',
    'with --policy, hash of the program that was approved; this program where it is left out',
  );
}

/** An option that takes a SHA-256. */
function hashOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser(
    once(option.long ?? flags, (text) => {
      if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
      throw new InvalidArgumentError('Write 64 hexadecimal digits.');
    }),
  );
}

/** `--salt-key`: what the root of a block can be recomputed with, where the seed is not to be given. */
export function saltKeyOption(
  description = "the block's salt key, to check its Merkle root without the seed",
): Option {
  return textOption('--salt-key <file>', description);
}

/** `--passphrase-file`. */
export function passphraseOption(
  description = 'file with the passphrase of an encrypted private key; - for standard input',
): Option {
  return textOption('--passphrase-file <file>', description);
}

/** `--sign-key`. */
export function signKeyOption(): Option {
  return textOption('--sign-key <file>', 'private key to sign with (gen-block key --help)');
}

/** `--trusted-key`, which can be given several times. */
export function trustedKeyOption(): Option {
  return repeatedOption(
    '--trusted-key <file>',
    'public key that must have signed the block; may be repeated',
  );
}

/** `-g, --game`. */
export function gameOption(): Option {
  return textOption('-g, --game <id>', 'game: eldorado or lagon-paradis');
}

/** `-s, --stake`, as integer cents. */
export function stakeOption(): Option {
  return eurosOption('-s, --stake <euros>', 'price of a ticket in euros: 0.5, 1 or 2', 1);
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

/** `--engine`. */
export function engineOption(): Option {
  return new Option('--engine <name>', `random engine: ${ENGINE_IDS.join(' or ')}`)
    .default('seedrandom')
    .argParser(
      once('--engine', (text): EngineId => {
        if (isEngineId(text)) return text;
        throw new InvalidArgumentError(`Choose ${ENGINE_IDS.join(' or ')}.`);
      }),
    );
}

/** `-f, --format`, as a list without repetitions. */
export function formatOption(): Option {
  return new Option('-f, --format <list>', 'formats to write, joined by commas')
    .default(TICKET_FORMATS, TICKET_FORMATS.join())
    .argParser(once('--format', parseFormats));
}

function parseFormats(text: string): readonly TicketFormat[] {
  const names = text.split(',');
  const formats = TICKET_FORMATS.filter((format) => names.includes(format));
  if (formats.length === names.length) return formats;
  throw new InvalidArgumentError(`Choose from ${TICKET_FORMATS.join()}, each at most once.`);
}

/** `--compress`. */
export function compressOption(): Option {
  return new Option('--compress <name>', 'compress the tickets files: gzip').argParser(
    once('--compress', (text): Compression => {
      if (isCompression(text)) return text;
      throw new InvalidArgumentError(`Choose ${COMPRESSIONS.join(' or ')}.`);
    }),
  );
}

/** `--threads`. */
export function threadsOption(
  description = 'threads that may verify files at once (default: 1)',
): Option {
  return countOption('--threads <number>', description, 9999);
}

/** `--lang`. */
export function languageOption(): Option {
  return new Option(
    '--lang <language>',
    `language of words and numbers: ${LANGUAGE_IDS.join(' or ')}`,
  )
    .default('en')
    .argParser(
      once('--lang', (text): LanguageId => {
        if (isLanguageId(text)) return text;
        throw new InvalidArgumentError(`Choose ${LANGUAGE_IDS.join(' or ')}.`);
      }),
    );
}

/** `--definition`. */
export function definitionOption(description = 'in place of --game'): Option {
  return textOption('--definition <file>', `your own game's definition, ${description}`);
}

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
