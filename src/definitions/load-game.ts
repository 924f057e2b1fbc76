import { fileURLToPath } from 'node:url';
import { InputError, printable } from '../core/errors.js';
import { formatEuros } from '../core/money.js';
import { readJsonFile } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import { checkDefinition } from './check-definition.js';
import { hashDefinition } from './definition-hash.js';
import { DefinitionError } from './definition-error.js';
import type { Definition } from './definition.js';
import { toGame, type Game, type Stake } from './game.js';

/** Resolves from `src/definitions` and from `dist/definitions` alike; the package ships both. */
const GAMES_FOLDER = new URL('../../src/definitions/games/', import.meta.url);

/**
 * The games shipped, in alphabetical order, each with the hash of its definition. A test holds these
 * definitions against the full check, so at run time the hash stands for it: to load the check's
 * libraries and compile the schema would cost some 150 ms at each start.
 */
const SHIPPED: ReadonlyMap<string, string> = new Map([
  ['eldorado', 'dbdfa18992f9330a66310d1a9de62f42dafbc82116b07c0421169dd5bfac7100'],
  ['lagon-paradis', '050a4b5f8b62665c9e572da6e7a4779cea0d033b0c9d1fbf86c9dad40b2e3976'],
]);

/** The size limit of a definition's file, in bytes; those shipped have 12,000. */
const MAX_DEFINITION_BYTES = 1024 * 1024;

/**
 * The ids of the games shipped, in alphabetical order.
 *
 * @returns Such as `['eldorado', 'lagon-paradis']`.
 * @group Games and definitions
 */
export function gameIds(): readonly string[] {
  return [...SHIPPED.keys()];
}

/**
 * Loads a game that is shipped with the program.
 *
 * @param id - One of {@link gameIds}.
 * @returns The game; its tables are those of the regulation (articles 3.1 to 3.3 of each).
 * @throws InputError `unknown-game` where there is none of this id, `bad-definition` where its file
 * is not the one that was shipped.
 * @example
 * ```ts
 * import { loadGame } from 'gen-block';
 *
 * const { name, blockSize, stakes } = loadGame('eldorado');
 * console.log(name, blockSize, stakes.map(({ stakeCents }) => stakeCents).join(' '));
 * // → Eldorado 900000 50 100 200
 * ```
 * @group Games and definitions
 */
export function loadGame(id: string): Game {
  return loadDefinedGame(id).game;
}

/** The definition of a game that is shipped, with its sources. Throws like {@link loadGame}. */
export function loadDefinition(id: string): Definition {
  const expected = shippedHash(id);
  const place = fileURLToPath(new URL(`${id}.json`, GAMES_FOLDER));
  const definition = readJsonFile(place, MAX_DEFINITION_BYTES);
  const found = hashDefinition(definition);
  if (found === expected) return definition as Definition;
  const message =
    `${printable(place)}: the definition's hash is ${found} where ${expected} was shipped; ` +
    'install gen-block again, or give your own definition with --definition';
  throw new InputError('bad-definition', message, { place: printable(place) });
}

function shippedHash(id: string): string {
  const hash = SHIPPED.get(id);
  if (hash !== undefined) return hash;
  const choices = gameIds().join(' or ');
  const message = `there is no game "${printable(id, 60)}"; choose ${choices}, or give a definition with --definition`;
  throw new InputError('unknown-game', message);
}

/**
 * A game, and the definition that says where each of its fields comes from.
 *
 * @group Games and definitions
 */
export interface DefinedGame {
  /** As its file says it. */
  readonly definition: Definition;
  /** In the form that the program works on. */
  readonly game: Game;
}

/**
 * A game that is shipped, with its definition. Throws like {@link loadGame}.
 *
 * @group Games and definitions
 */
export function loadDefinedGame(id: string): DefinedGame {
  const definition = loadDefinition(id);
  return { definition, game: toGame(definition, shippedHash(id)) };
}

/**
 * A game out of a definition file of the user. Throws like {@link loadDefinitionFile}.
 *
 * @group Games and definitions
 */
export function readDefinedGame(path: string): DefinedGame {
  return definedGame(readJsonFile(path, MAX_DEFINITION_BYTES), path);
}

/**
 * Loads a game out of a definition file of the user.
 *
 * @param path - The file (`schemas/definition.schema.json`).
 * @returns The game, once all its tables, sums and laws have been checked.
 * @throws InputError `not-found`, `bad-json`; {@link DefinitionError}; MachineError.
 * @group Games and definitions
 */
export function loadDefinitionFile(path: string): Game {
  return readDefinedGame(path).game;
}

/**
 * Makes a game out of the text of a definition.
 *
 * @param input - The JSON text, or its UTF-8 bytes.
 * @param place - What messages call the text, such as the path of its file.
 * @returns The game, once all its tables, sums and laws have been checked.
 * @throws InputError `bad-json`; {@link DefinitionError}.
 * @group Games and definitions
 */
export function parseDefinition(input: string | Uint8Array, place: string): Game {
  return definedGame(parseStrictJson(input, { place, maxBytes: MAX_DEFINITION_BYTES }), place).game;
}

function definedGame(value: unknown, place: string): DefinedGame {
  const { game, definition, problems } = checkDefinition(value);
  if (game === undefined) throw new DefinitionError(problems, place);
  return { game, definition };
}

/**
 * The stake of a game by its price.
 *
 * @param stakeCents - Its price.
 * @returns Its prize table and what its combinations pay.
 * @throws InputError `unknown-stake` where it is not sold at this price.
 * @group Games and definitions
 */
export function findStake(game: Game, stakeCents: number): Stake {
  const stake = game.stakes.find((candidate) => candidate.stakeCents === stakeCents);
  if (stake !== undefined) return stake;
  const choices = game.stakes.map((candidate) => formatEuros(candidate.stakeCents)).join(', ');
  const message = `${game.name} is not sold at ${formatEuros(stakeCents)} euros; choose a stake of ${choices}`;
  throw new InputError('unknown-stake', message);
}
