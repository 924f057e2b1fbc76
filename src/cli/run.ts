import { CommanderError } from 'commander';
import { machineError, systemErrorCode } from '../core/errors.js';
import { formatProblem } from '../definitions/problem.js';
import { ProblemsError } from '../definitions/problems-error.js';
import { EXIT, failureOf } from './exit-code.js';
import { makeProgram } from './program.js';
import { SignalError } from './signals.js';
import { refuseUnknownCommand } from './usage-line.js';

/**
 * Runs the program. The exit code is set and the process left to end by itself, so that all output
 * gets out.
 *
 * @param argv - The arguments behind the program's name.
 */
export async function run(argv: readonly string[]): Promise<void> {
  // Others must not read the seed off the process list, where it stood on the command line.
  process.title = 'gen-block';
  process.stdout.on('error', onOutputError);
  process.stderr.on('error', onOutputError);
  try {
    const program = makeProgram(argv);
    refuseUnknownCommand(program, argv);
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Whoever reads our output may stop reading; anything else is a failure, if none is known yet. */
function onOutputError(error: Error): void {
  if (systemErrorCode(error) === 'EPIPE') return;
  setImmediate(() => {
    const isKnown = process.exitCode !== undefined && process.exitCode !== EXIT.right;
    if (!isKnown) process.exitCode = reportFailure(machineError('write to', 'the output', error));
  });
}

/** Says what went wrong, and returns the exit code that it means. */
export function reportFailure(error: unknown): number {
  // Commander has printed its own errors, and help and version are no errors at all.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.right : EXIT.badInput;
  const { message, exitCode } =
    error instanceof SignalError
      ? { message: error.message, exitCode: error.exitCode }
      : failureOf(error);
  process.stderr.write(`gen-block: ${message}\n`);
  // The message names the first problem.
  if (error instanceof ProblemsError) {
    const { problems, problemCount, what } = error;
    for (const problem of problems.slice(1)) {
      process.stderr.write(`  ${formatProblem(problem, what)}\n`);
    }
    const left = problemCount - problems.length;
    if (left > 0) process.stderr.write(`  and ${left} more\n`);
  }
  return exitCode;
}
