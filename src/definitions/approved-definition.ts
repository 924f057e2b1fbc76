import { InputError } from '../core/errors.js';
import type { Game } from './game.js';
import { gameIds, loadGame } from './load-game.js';

/** Whether a definition is, to its hash, one that is shipped, or one of those that were approved. */
export function isApprovedDefinition(game: Game, approved: readonly string[]): boolean {
  if (approved.includes(game.definitionSha256)) return true;
  return (
    gameIds().includes(game.id) && loadGame(game.id).definitionSha256 === game.definitionSha256
  );
}

/**
 * Makes sure that a definition has the hash that was approved.
 *
 * @throws InputError `bad-definition`.
 */
export function checkDefinitionSha256(game: Game, approved: string | undefined): void {
  if (approved === undefined || approved === game.definitionSha256) return;
  const message = `the definition of ${game.id} has the hash ${game.definitionSha256}, and ${approved} was approved; give the definition that was approved`;
  throw new InputError('bad-definition', message);
}
