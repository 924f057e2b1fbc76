import { Command } from 'commander';
import { TOOL_VERSION } from '../core/tool-version.js';
import { auditCommand } from './audit-command.js';
import { batchCommand } from './batch-command.js';
import { checkProofCommand } from './check-proof-command.js';
import { teaching, type CommandHelp } from './command-help.js';
import { completionCommand } from './completion-command.js';
import { exportCommand } from './export-command.js';
import { gamesCommand } from './games-command.js';
import { generateCommand } from './generate-command.js';
import { refuseSwallowedFlags } from './given-options.js';
import { keyCommand } from './key-command.js';
import { loadCommand } from './load-command.js';
import { proveCommand } from './prove-command.js';
import { reportCommand } from './report-command.js';
import { seedCommand } from './seed-command.js';
import { showCommand } from './show-command.js';
import { signCommand } from './sign-command.js';
import { statusCommand } from './status-command.js';
import { usageLine } from './usage-line.js';
import { verifyCommand } from './verify-command.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block --game eldorado --stake 1 --seed demo',
    'gen-block verify output/eldorado-100-e1-b1',
    'gen-block games eldorado --stake 1',
    'gen-block show output/eldorado-100-e1-b1 --ticket 1234',
    'gen-block generate --help',
  ],
  notes: [
    'Without the name of a command a block is generated: all options of "generate" can stand behind "gen-block" itself.',
  ],
};

/**
 * The command line, ready to be parsed.
 *
 * @param argv - The arguments that it will parse.
 */
export function makeProgram(argv: readonly string[]): Command {
  const program = new Command('gen-block')
    .description(
      'Exact, secretly ordered blocks of instant lottery tickets, and their verification.',
    )
    .version(TOOL_VERSION, '-V, --version', 'print the version of the program')
    // What stands behind the name of a command is the command's own.
    .enablePositionalOptions()
    .configureHelp(teaching(HELP))
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
    .addCommand(signCommand())
    .addCommand(completionCommand());
  for (const command of withSubcommands(program)) {
    // Before a command counts its arguments: a value that an option has taken is missed there.
    command.hook('preSubcommand', (_parent, subcommand) => {
      refuseSwallowedFlags(subcommand, argv);
    });
    command
      .helpOption('-h, --help', 'show this help')
      .exitOverride()
      // Ours says it of all that has a name, and repeats no value.
      .showSuggestionAfterError(false)
      .configureOutput({
        outputError: (text, write) => {
          write(`gen-block: ${usageLine(command, text)}\n`);
        },
      });
  }
  return program;
}

/** A command and all below it. */
export function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
