import { Argument, Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { SHELLS, type Shell } from './completion/shell-names.js';
import { chosenName, namesText } from './option-kinds.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block completion bash > ~/.local/share/bash-completion/completions/gen-block',
    'gen-block completion zsh > ~/.zfunc/_gen-block',
    'gen-block completion fish > ~/.config/fish/completions/gen-block.fish',
  ],
  notes: [
    'The script knows all commands and options of this version; write it again after an update. It neither starts gen-block nor reads any file. The package has the same scripts in dist/completions. How to install them: docs/operations.md.',
  ],
};

/** `gen-block completion`. */
export function completionCommand(): Command {
  const shell = new Argument('<shell>', `shell: ${namesText(SHELLS)}`);
  shell.argParser((text) => chosenName(text, SHELLS));
  shell.argChoices = [...SHELLS];
  return new Command('completion')
    .description('print the script with which a shell completes gen-block by the tabulator key')
    .addArgument(shell)
    .configureHelp(teaching(HELP))
    .action(async (name: Shell, _flags: object, command: Command) => {
      const { completionScript } = await import('./completion/completion-script.js');
      if (command.parent === null) return;
      process.stdout.write(completionScript(name, command.parent));
    });
}
