import type { TreeCommand, TreeOption, ValueKind } from './command-tree.js';
import { fishQuote } from './shell-quote.js';

const HEAD = `# Completion of gen-block for fish 3 and later; written by "gen-block completion fish".

# Whether the words before the cursor are of this command.
function __gen_block_is
    set -l words (commandline -opc)
    set -l path
    switch "$words[2]"
`;

const FIRST = `
# Whether the next word can be the name of one below this command: it stands directly behind its own.
function __gen_block_before
    __gen_block_is $argv; and test (count (commandline -opc)) -eq (math (count $argv) + 1)
end

# What is no file is asked for below.
complete -c gen-block -f
`;

/** The script for fish. */
export function fishScript(commands: readonly TreeCommand[]): string {
  const tops = commands.filter(({ path }) => path.length === 1);
  return [HEAD, ...tops.map((top) => pathLines(top, commands)), '    end\n']
    .concat('    test "$path" = "$argv"\nend\n', FIRST)
    .concat(commands.flatMap(commandLines))
    .join('');
}

function pathLines({ path }: TreeCommand, commands: readonly TreeCommand[]): string {
  const [name = ''] = path;
  const below = commands.filter((each) => each.path.length === 2 && each.path[0] === name);
  const lines = below.map(
    (each) =>
      `                case ${each.path[1] ?? ''}\n                    set -a path ${each.path[1] ?? ''}\n`,
  );
  const inner =
    below.length === 0 ? '' : `            switch "$words[3]"\n${lines.join('')}            end\n`;
  return `        case ${name}\n            set path ${name}\n${inner}`;
}

function commandLines(command: TreeCommand): readonly string[] {
  const path = command.path.join(' ');
  const is = fishQuote(`__gen_block_is ${path}`.trim());
  const before = fishQuote(`__gen_block_before ${path}`.trim());
  return [
    ...command.below.map(
      ({ name, description }) =>
        `complete -c gen-block -n ${before} -a ${name} -d ${fishQuote(description)}\n`,
    ),
    ...command.arguments.map(
      ({ value }) => `complete -c gen-block -n ${is} ${valueFlags(value)}\n`,
    ),
    ...command.options.map((option) => `complete -c gen-block -n ${is} ${optionFlags(option)}\n`),
  ];
}

function optionFlags({ names, value, description }: TreeOption): string {
  const flags = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const takes = value === undefined ? [] : [`-r ${valueFlags(value)}`];
  return [...flags, ...takes, `-d ${fishQuote(description)}`].join(' ');
}

function valueFlags(value: ValueKind): string {
  if (value.kind === 'choices') return `-f -a ${fishQuote(value.choices.join(' '))}`;
  if (value.kind === 'file') return '-F';
  return value.kind === 'folder' ? "-f -a '(__fish_complete_directories)'" : '-f';
}
