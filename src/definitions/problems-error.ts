import { InputError, printable, type InputErrorCode } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { formatProblem, type Problem } from './problem.js';

/** Problems that are worth showing at once. */
const MOST_PROBLEMS = 20;

/** What is not right: the code of the error, and what people call it. */
export interface ProblemsSubject {
  readonly code: InputErrorCode;
  readonly what: string;
}

/** A file of the user's that is not right in one or more places: its message names the first. */
export class ProblemsError extends InputError {
  /** What the file is, for people. */
  readonly what: string;
  /** The first problems, at most 20. */
  readonly problems: readonly Problem[];
  /** How many problems there are in all. */
  readonly problemCount: number;

  constructor({ code, what }: ProblemsSubject, problems: readonly Problem[], place: string) {
    const count = problems.length === 1 ? '1 problem' : `${formatCount(problems.length)} problems`;
    const [first] = problems.map((problem) => formatProblem(problem, what));
    super(code, `${printable(place)}: ${count} in the ${what}; ${first ?? ''}`, {
      place: printable(place),
    });
    this.what = what;
    this.problems = problems.slice(0, MOST_PROBLEMS);
    this.problemCount = problems.length;
  }
}
