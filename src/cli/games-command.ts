import { Command } from 'commander';
import { definitionOption, languageOption, refuseOptionsBefore, stakeOption } from './options.js';
import type { GamesFlags } from './run-games.js';

const EXAMPLES = `
Examples:
  gen-block games
  gen-block games eldorado --stake 1
  gen-block games lagon-paradis --stake 2 --lang fr
  gen-block games eldorado --markdown > eldorado.md
  gen-block games --definition my-game.json --json
  gen-block games check my-game.json

Exit codes: 0 done, 2 wrong usage or a definition that is not right, 3 the machine failed.`;

const CHECK_EXAMPLES = `
Examples:
  gen-block games check my-game.json
  gen-block games check my-game.json --quiet && echo right

Exit codes: 0 the definition is right, 2 it is not, 3 the machine failed.`;

/** `gen-block games`. */
export function gamesCommand(): Command {
  return (
    new Command('games')
      // What stands behind the name of a command is the command's own.
      .enablePositionalOptions()
      .description('list the games, or show all about one: prizes, odds, pay-out, laws')
      .argument('[game]', 'game to show; all games in a line each where it is left out')
      .addOption(stakeOption())
      .addOption(definitionOption("in place of a game's name"))
      .addOption(languageOption())
      .option('--markdown', 'print Markdown')
      .option('--json', 'print JSON (schemas/games.schema.json)')
      .addHelpText('after', EXAMPLES)
      .action(async (id: string | undefined, flags: GamesFlags) => {
        const { runGames } = await import('./run-games.js');
        runGames(id, flags);
      })
      .addCommand(checkCommand())
  );
}

function checkCommand(): Command {
  return new Command('check')
    .description("hold your own game's definition against all rules, and say what is wrong with it")
    .argument('<definition>', 'definition file (schemas/definition.schema.json)')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .addHelpText('after', CHECK_EXAMPLES)
    .action(async (path: string, flags: { readonly quiet?: boolean }, command: Command) => {
      refuseOptionsBefore(command);
      const { runGamesCheck } = await import('./run-games.js');
      runGamesCheck(path, flags);
    });
}
