import { Command, CommanderError } from 'commander';
import { systemErrorCode } from '../core/errors.js';
import { TOOL_VERSION } from '../core/tool-version.js';
import { DefinitionError } from '../definitions/load-game.js';
import { formatProblem } from '../definitions/problem.js';
import { EXIT, failureOf } from './exit-code.js';
import { generateCommand } from './generate-command.js';
import { showCommand } from './show-command.js';
import { SignalError } from './signals.js';
import { verifyCommand } from './verify-command.js';

/** The command line, ready to be parsed. */
function makeProgram(argv: readonly string[]): Command {
  const program = new Command('gen-block')
    .description(
      'Exact, secretly ordered blocks of instant lottery tickets, and their verification.',
    )
    .version(TOOL_VERSION)
    .addCommand(generateCommand(argv), { isDefault: true })
    .addCommand(verifyCommand(argv))
    .addCommand(showCommand(argv));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => {
        write(`gen-block: ${text.replace(/^error: /, '')}`);
      },
    });
  }
  return program;
}

/**
 * Runs the program. The exit code is set and the process left to end by itself, so that all output
 * gets out.
 *
 * @param argv - The arguments behind the program's name.
 */
export async function run(argv: readonly string[]): Promise<void> {
  // Others must not read the seed off the process list, where it stood on the command line.
  process.title = 'gen-block';
  process.stdout.on('error', endQuietly);
  process.stderr.on('error', endQuietly);
  try {
    await makeProgram(argv).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Whoever reads our output may stop reading; anything else is a failure. */
function endQuietly(error: Error): void {
  if (systemErrorCode(error) !== 'EPIPE') process.exitCode = EXIT.machine;
}

function reportFailure(error: unknown): number {
  // Commander has printed its own errors, and help and version are no errors at all.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.right : EXIT.badInput;
  const { message, exitCode } =
    error instanceof SignalError
      ? { message: error.message, exitCode: error.exitCode }
      : failureOf(error);
  process.stderr.write(`gen-block: ${message}\n`);
  if (error instanceof DefinitionError) {
    for (const problem of error.problems) process.stderr.write(`  ${formatProblem(problem)}\n`);
  }
  return exitCode;
}
