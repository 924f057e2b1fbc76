import { InputError, printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { formatProblem, type Problem } from './problem.js';

/** Problems that are worth showing at once. */
const MOST_PROBLEMS = 20;

/** A definition that is not right: its message names the first problem. */
export class DefinitionError extends InputError {
  /** The first problems, at most 20. */
  readonly problems: readonly Problem[];
  /** How many problems there are in all. */
  readonly problemCount: number;

  constructor(problems: readonly Problem[], place: string) {
    const count = problems.length === 1 ? '1 problem' : `${formatCount(problems.length)} problems`;
    const [first] = problems.map(formatProblem);
    super('bad-definition', `${printable(place)}: ${count} in the definition; ${first ?? ''}`, {
      place: printable(place),
    });
    this.problems = problems.slice(0, MOST_PROBLEMS);
    this.problemCount = problems.length;
  }
}
