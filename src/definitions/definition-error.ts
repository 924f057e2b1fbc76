import type { Problem } from './problem.js';
import { ProblemsError } from './problems-error.js';

/**
 * A definition that is not right: its message names the first problem.
 *
 * @group Errors
 */
export class DefinitionError extends ProblemsError {
  constructor(problems: readonly Problem[], place: string) {
    super({ code: 'bad-definition', what: 'definition' }, problems, place);
  }
}
