import { InputError, printable } from '../core/errors.js';
import type { Game } from '../definitions/game.js';
import { checkDefinitionSha256 } from '../definitions/approved-definition.js';
import { gameIds, loadDefinitionFile, loadGame } from '../definitions/load-game.js';
import { didYouMean } from './did-you-mean.js';

/**
 * The game that the options name, by its id or by a definition file.
 *
 * @throws InputError where none is named, or the file's game is not the one that is named.
 */
export function chosenGame(options: {
  readonly game?: string | undefined;
  readonly definition?: string | undefined;
  readonly definitionSha256?: string | undefined;
}): Game {
  const game = gameOf(options);
  checkDefinitionSha256(game, options.definitionSha256);
  return game;
}

function gameOf(options: Parameters<typeof chosenGame>[0]): Game {
  const { game: id, definition } = options;
  if (definition === undefined) {
    if (id !== undefined) return withHint(id, gameIds(), () => loadGame(id));
    throw new InputError('usage', 'no game is given; add --game <id> or --definition <file>');
  }
  const game = loadDefinitionFile(definition);
  if (id === undefined || id === game.id) return game;
  const message = `${printable(definition)} defines the game ${game.id} and --game says ${printable(id, 60)}; leave --game out or name the same`;
  throw new InputError('usage', message);
}

/**
 * Loads what has a name; where there is none of this name, the refusal says which one was perhaps meant.
 *
 * @param names - All that could stand in its place.
 */
export function withHint<T>(id: string, names: readonly string[], load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'unknown-game') throw error;
    throw new InputError(error.code, `${error.message}${didYouMean(id, names)}`);
  }
}
