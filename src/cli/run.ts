import { Command, CommanderError } from 'commander';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { TOOL_VERSION } from '../core/tool-version.js';
import { formatProblem } from '../definitions/problem.js';
import { ProblemsError } from '../definitions/problems-error.js';
import { auditCommand } from './audit-command.js';
import { batchCommand } from './batch-command.js';
import { EXIT, failureOf } from './exit-code.js';
import { checkProofCommand } from './check-proof-command.js';
import { exportCommand } from './export-command.js';
import { gamesCommand } from './games-command.js';
import { generateCommand } from './generate-command.js';
import { keyCommand } from './key-command.js';
import { loadCommand } from './load-command.js';
import { refuseSwallowedFlags } from './options.js';
import { proveCommand } from './prove-command.js';
import { reportCommand } from './report-command.js';
import { seedCommand } from './seed-command.js';
import { showCommand } from './show-command.js';
import { SignalError } from './signals.js';
import { signCommand } from './sign-command.js';
import { statusCommand } from './status-command.js';
import { verifyCommand } from './verify-command.js';

/** The most of a parser's error that is shown: its words and the start of what the user wrote. */
const MOST_ERROR_LETTERS = 400;

/** The command line, ready to be parsed. */
function makeProgram(argv: readonly string[]): Command {
  const program = new Command('gen-block')
    .description(
      'Exact, secretly ordered blocks of instant lottery tickets, and their verification.',
    )
    .version(TOOL_VERSION)
    // What stands behind the name of a command is the command's own.
    .enablePositionalOptions()
    .addCommand(generateCommand(), { isDefault: true })
    .addCommand(verifyCommand())
    .addCommand(auditCommand())
    .addCommand(showCommand())
    .addCommand(batchCommand())
    .addCommand(gamesCommand())
    .addCommand(reportCommand())
    .addCommand(exportCommand())
    .addCommand(loadCommand())
    .addCommand(statusCommand())
    .addCommand(seedCommand())
    .addCommand(proveCommand())
    .addCommand(checkProofCommand())
    .addCommand(keyCommand())
    .addCommand(signCommand());
  for (const command of withSubcommands(program)) {
    // Before a command counts its arguments: a value that an option has taken is missed there.
    command.hook('preSubcommand', (_parent, subcommand) => {
      refuseSwallowedFlags(subcommand, argv);
    });
    command.exitOverride().configureOutput({
      outputError: (text, write) => {
        // One line, in which nothing that the user wrote can steer the terminal.
        const line = text
          .replace(/^error: /, '')
          .trimEnd()
          .replaceAll('\n', ' ');
        write(`gen-block: ${printable(line, MOST_ERROR_LETTERS)}\n`);
      },
    });
  }
  return program;
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Without this, the default command would only say that it takes no arguments. */
function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  const [first = '-', second = '-'] = argv;
  const named = first === 'help' ? second : first;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (named.startsWith('-') || names.includes(named)) return;
  const message = `there is no command "${printable(named, 60)}"; choose ${names.join(', ')}`;
  throw new InputError('usage', message);
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
