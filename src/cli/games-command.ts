import { Argument, Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { refuseOptionsBefore } from './given-options.js';
import { GAME_NAMES, definitionOption, languageOption, stakeOption } from './options.js';
import type { GamesFlags } from './run-games.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block games',
    'gen-block games eldorado --stake 1',
    'gen-block games lagon-paradis --stake 2 --lang fr',
    'gen-block games eldorado --markdown > eldorado.md',
    'gen-block games --definition my-game.json --json',
    'gen-block games check my-game.json',
  ],
  environment: ['colors'],
  exits: { 2: 'wrong usage, or a definition that is not right' },
};

const CHECK_HELP: CommandHelp = {
  examples: [
    'gen-block games check my-game.json',
    'gen-block games check my-game.json --quiet && echo right',
  ],
  exits: { 0: 'the definition is right', 2: 'it is not right, or wrong usage' },
};

/** `gen-block games`. */
export function gamesCommand(): Command {
  return (
    new Command('games')
      // What stands behind the name of a command is the command's own.
      .enablePositionalOptions()
      .description('list the games, or show all about one: prizes, odds, pay-out, laws')
      .addArgument(gameArgument())
      .addOption(stakeOption('all stakes'))
      .addOption(definitionOption("in place of a game's name"))
      .addOption(languageOption())
      .option('--markdown', 'print Markdown')
      .option('--json', 'print JSON (schemas/games.schema.json)')
      .configureHelp(teaching(HELP))
      .action(async (id: string | undefined, flags: GamesFlags) => {
        const { runGames } = await import('./run-games.js');
        runGames(id, flags);
      })
      .addCommand(checkCommand())
  );
}

function gameArgument(): Argument {
  const argument = new Argument(
    '[game]',
    'game to show; all games in a line each where it is left out',
  );
  argument.argChoices = [...GAME_NAMES];
  return argument;
}

function checkCommand(): Command {
  return new Command('check')
    .description("hold your own game's definition against all rules, and say what is wrong with it")
    .argument('<definition>', 'definition file (schemas/definition.schema.json)')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .configureHelp(teaching(CHECK_HELP))
    .action(async (path: string, flags: { readonly quiet?: boolean }, command: Command) => {
      refuseOptionsBefore(command);
      const { runGamesCheck } = await import('./run-games.js');
      runGamesCheck(path, flags);
    });
}
