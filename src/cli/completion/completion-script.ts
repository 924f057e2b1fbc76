import type { Command } from 'commander';
import { bashScript } from './bash-script.js';
import { commandTree, type TreeCommand } from './command-tree.js';
import { fishScript } from './fish-script.js';
import type { Shell } from './shell-names.js';
import { zshScript } from './zsh-script.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Readonly<
  Record<Shell, (commands: readonly TreeCommand[]) => string>
>;

/** The names that the scripts have in the folders where shells look for them. */
export const SCRIPT_NAMES = {
  bash: 'gen-block',
  zsh: '_gen-block',
  fish: 'gen-block.fish',
} satisfies Readonly<Record<Shell, string>>;

/**
 * The script with which a shell completes the program, made out of its commands. It holds all that there is
 * to offer: completing neither starts the program nor evaluates what was typed.
 *
 * @param program - The whole command line.
 */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](commandTree(program));
}
