import { hashDefinition } from './definition-hash.js';
import type { Definition } from './definition.js';
import { checkForm } from './form-check.js';
import { toGame, type Game } from './game.js';
import { rulesOf } from './mechanics.js';
import type { Problem } from './problem.js';
import { checkSources } from './sources-check.js';
import { checkSymbols } from './symbols-check.js';
import { checkTables } from './tables-check.js';

/** A definition that is right, with the game that it defines; or else all that is wrong with it. */
export type DefinitionCheck =
  | { readonly problems: readonly []; readonly definition: Definition; readonly game: Game }
  | {
      readonly problems: readonly Problem[];
      readonly definition: undefined;
      readonly game: undefined;
    };

/**
 * Holds a JSON value against everything that a game definition must satisfy. It takes three steps,
 * each relying on the one before, and reports all problems of the first step that finds any: the form
 * (schema), the tables and sources, the rules of the mechanic.
 */
export function checkDefinition(value: unknown): DefinitionCheck {
  const { definition, problems } = checkForm(value);
  if (definition === undefined) return refused(problems);
  const contents = [
    ...checkSymbols(definition),
    ...checkTables(definition),
    ...checkSources(definition),
  ];
  if (contents.length > 0) return refused(contents);
  const game = toGame(definition, hashDefinition(definition));
  const broken = rulesOf(game).check(game);
  return broken.length > 0 ? refused(broken) : { problems: [], definition, game };
}

function refused(problems: readonly Problem[]): DefinitionCheck {
  return { problems, definition: undefined, game: undefined };
}
