import type { Problem } from '../definitions/problem.js';
import { ProblemsError } from '../definitions/problems-error.js';

/**
 * A job file that is not right: its message names the first problem.
 *
 * @group Errors
 */
export class JobsError extends ProblemsError {
  constructor(problems: readonly Problem[], place: string) {
    super({ code: 'bad-jobs', what: 'job file' }, problems, place);
  }
}
