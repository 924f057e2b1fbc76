import { InvalidArgumentError, Option } from 'commander';
import { ENGINE_IDS } from '../core/algorithm.js';
import { InputError } from '../core/errors.js';
import { COMPRESSIONS, TICKET_FORMATS, type TicketFormat } from '../formats/ticket-formats.js';
import { parseDatabaseTarget, type DatabaseTarget } from '../load/database-target.js';
import { LANGUAGE_IDS } from '../view/language.js';
import { didYouMean } from './did-you-mean.js';
import {
  choiceOption,
  countOption,
  eurosOption,
  hashOption,
  namesText,
  once,
  repeatedOption,
  textOption,
} from './option-kinds.js';

/** The name of the environment variable that a seed can stand in. */
export const SEED_VARIABLE = 'GEN_BLOCK_SEED';

/** The games that are shipped. To ask the definitions would load them at each start; a test compares. */
export const GAME_NAMES: readonly string[] = ['eldorado', 'lagon-paradis'];

/** The stakes in euros that the games that are shipped are sold at; a test compares. */
const STAKES: readonly string[] = ['0.5', '1', '2'];

/** What `--commit-tickets` does. */
export const COMMIT_TICKETS =
  'write commitment.json: what to publish before the sale, with the Merkle root of all tickets';

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
  return textOption('--seed <text>', description).default(undefined, 'see --seed-file');
}

/**
 * `--seed-file`: several of them are shares of one seed.
 *
 * @param otherwise - What happens where no seed is given in any way.
 */
export function seedFileOption(
  otherwise: string,
  description = 'file with the seed; - for standard input',
): Option {
  return repeatedOption(
    '--seed-file <file>',
    `${description}; given several times, its shares`,
  ).default(undefined, otherwise);
}

/** `--encrypt-to`. */
export function encryptToOption(): Option {
  const description = 'encrypt the tickets files to this age recipient (age1…); may be repeated';
  return repeatedOption('--encrypt-to <recipient>', description).default(
    undefined,
    'nothing is encrypted',
  );
}

/** `--identity`. */
export function identityOption(
  description = 'age identity file that opens encrypted files',
): Option {
  return repeatedOption('--identity <file>', `${description}; may be repeated`).default(
    undefined,
    'encrypted files stay closed',
  );
}

/** `--policy`. */
export function policyOption(description: string): Option {
  return choiceOption('--policy <name>', `${description}: production`, ['production']).default(
    undefined,
    'nothing more is asked',
  );
}

/** `--definition-sha256`. */
export function definitionSha256Option(): Option {
  return hashOption(
    '--definition-sha256 <hash>',
    'hash of the definition that was approved: it must have this one',
  ).default(undefined, 'any definition will do');
}

/** `--program-sha256`. */
export function programSha256Option(): Option {
  return hashOption(
    '--program-sha256 <hash>',
    'with --policy, hash of the program that was approved',
  ).default(undefined, 'this program');
}

/** `--salt-key`: what the root of a block can be recomputed with, where the seed is not to be given. */
export function saltKeyOption(
  description = "the block's salt key, to check its Merkle root without the seed",
  otherwise = 'the seed, if given',
): Option {
  return textOption('--salt-key <file>', description).default(undefined, otherwise);
}

/** `--passphrase-file`. */
export function passphraseOption(
  description = 'file with the passphrase of an encrypted private key; - for standard input',
  otherwise = 'the key must not be encrypted',
): Option {
  return textOption('--passphrase-file <file>', description).default(undefined, otherwise);
}

/** `--sign-key`. */
export function signKeyOption(): Option {
  return textOption('--sign-key <file>', 'private key to sign with (gen-block key --help)').default(
    undefined,
    'not signed',
  );
}

/** `--trusted-key`, which can be given several times. */
export function trustedKeyOption(): Option {
  return repeatedOption(
    '--trusted-key <file>',
    'public key that must have signed the block; may be repeated',
  ).default(undefined, 'signatures are not asked for');
}

/** `-g, --game`. A definition can bring a game of any other name, so that no name is refused here. */
export function gameOption(otherwise: string): Option {
  const option = textOption('-g, --game <id>', `game: ${namesText(GAME_NAMES)}`);
  option.argChoices = [...GAME_NAMES];
  return option.default(undefined, otherwise);
}

/** `-s, --stake`, as integer cents. */
export function stakeOption(otherwise: string): Option {
  const description = `price of a ticket in euros, one of the game's stakes, such as ${namesText(STAKES)}`;
  const option = eurosOption('-s, --stake <euros>', description, 1);
  option.argChoices = [...STAKES];
  return option.default(undefined, otherwise);
}

/** `--engine`. */
export function engineOption(): Option {
  const description = `random engine: ${namesText(ENGINE_IDS)}`;
  return choiceOption('--engine <name>', description, ENGINE_IDS).default('seedrandom');
}

/** `-f, --format`, as a list without repetitions. */
export function formatOption(): Option {
  const option = new Option('-f, --format <list>', 'formats to write, joined by commas')
    .default(TICKET_FORMATS, TICKET_FORMATS.join())
    .argParser(once('--format', parseFormats));
  option.argChoices = [...TICKET_FORMATS, TICKET_FORMATS.join()];
  return option;
}

function parseFormats(text: string): readonly TicketFormat[] {
  const names = text.split(',');
  const formats = TICKET_FORMATS.filter((format) => names.includes(format));
  if (formats.length === names.length) return formats;
  const unknown = names.find((name) => !TICKET_FORMATS.some((format) => format === name)) ?? '';
  const hint = didYouMean(unknown, TICKET_FORMATS);
  throw new InvalidArgumentError(`Choose from ${TICKET_FORMATS.join()}, each at most once${hint}.`);
}

/** `--compress`. */
export function compressOption(): Option {
  const description = `compress the tickets files: ${namesText(COMPRESSIONS)}`;
  return choiceOption('--compress <name>', description, COMPRESSIONS).default(
    undefined,
    'not compressed',
  );
}

/** `--threads`. */
export function threadsOption(
  description = 'threads that may verify files at once',
  otherwise = '1 thread',
): Option {
  return countOption('--threads <number>', description, 9999).default(undefined, otherwise);
}

/** `--lang`. */
export function languageOption(): Option {
  const description = `language of words and numbers: ${namesText(LANGUAGE_IDS)}`;
  return choiceOption('--lang <language>', description, LANGUAGE_IDS).default('en');
}

/** `--definition`. */
export function definitionOption(
  description = 'in place of --game',
  otherwise = 'a game that is shipped',
): Option {
  return textOption('--definition <file>', `your own game's definition, ${description}`).default(
    undefined,
    otherwise,
  );
}
