import type { TreeArgument, TreeCommand, TreeOption, ValueKind } from './command-tree.js';
import { shellQuote } from './shell-quote.js';

const HEAD = [
  '#compdef gen-block',
  '# Completion of gen-block for zsh 5; written by "gen-block completion zsh".',
  '',
  '# Offers files or folders, but behind nothing that zsh would evaluate to see what is there: of a word with a',
  '# dollar sign only "$NAME/" at its start, where what the variable holds is no pattern and no command either.',
  '_gen-block__paths() {',
  '  local word=${words[CURRENT]#--[a-z0-9-]##=} name',
  '  [[ $word == *\\`* ]] && return 1',
  '  if [[ $word == *\\$* ]]; then',
  '    [[ $word == (|\\")\\$[A-Za-z_][A-Za-z0-9_]#/[^\\$]# ]] || return 1',
  '    name=${${word#\\"}[2,-1]%%/*}',
  '    [[ ${(P)name} == *[^A-Za-z0-9_./,:+@%\\ -]* ]] && return 1',
  '  fi',
  // _files would offer files where there is no such folder.
  '  if (( $@[(I)-/] )); then _path_files "$@"; else _files "$@"; fi',
  '}',
  '',
].join('\n');

const TAIL = `
# In a folder of $fpath it is called for the first time; otherwise it was read by "source" or "eval".
if [[ $funcstack[1] == _gen-block ]]; then
  _gen-block "$@"
else
  compdef _gen-block gen-block
fi
`;

/** The script for zsh. */
export function zshScript(commands: readonly TreeCommand[]): string {
  const functions = commands.map((command) => commandFunction(command, commands));
  return [HEAD, ...functions, TAIL].join('');
}

function functionName(path: readonly string[]): string {
  return ['_gen-block', ...path].join('_');
}

function commandFunction(command: TreeCommand, commands: readonly TreeCommand[]): string {
  const { path, below, options } = command;
  const children = commands.filter((each) => {
    return (
      each.path.length === path.length + 1 && path.every((word, index) => each.path[index] === word)
    );
  });
  const name = functionName(path);
  const specs = [
    ...options.flatMap(optionSpecs),
    ...command.arguments.map((argument, index) =>
      argumentSpec(argument, index, below.length > 0 && `${name}_first`),
    ),
    ...(command.arguments.length === 0 && below.length > 0 ? [`1:command:${name}_first`] : []),
  ];
  return [
    ...(below.length === 0 ? [] : [firstFunction(command)]),
    `\n${name}() {\n`,
    ...(children.length === 0 ? [] : [dispatch(children)]),
    `  _arguments -s -S${specs.map((spec) => ` \\\n    ${shellQuote(spec)}`).join('')}\n`,
    '}\n',
  ].join('');
}

/** Goes on in the function of the command whose name stands directly behind this one's. */
function dispatch(children: readonly TreeCommand[]): string {
  const cases = children.map(({ path }) => {
    return `      ${path.at(-1) ?? ''}) shift words; ((CURRENT -= 1)); ${functionName(path)}; return ;;\n`;
  });
  return `  if ((CURRENT > 2)); then\n    case $words[2] in\n${cases.join('')}    esac\n  fi\n`;
}

/** Offers the names of the commands below one, and what else can stand in their place. */
function firstFunction({ path, below, arguments: [argument] }: TreeCommand): string {
  const names = below.map(({ name, description }) => {
    return `    ${shellQuote(`${name}:${description.replaceAll(':', String.raw`\:`)}`)}\n`;
  });
  const value = argument === undefined ? '' : offer(argument.value);
  const other = value === '' ? '' : `  ${value}\n`;
  return `\n${functionName(path)}_first() {\n  local -a names=(\n${names.join('')}  )\n  _describe command names\n${other}}\n`;
}

/** The names of an option in the language of `_arguments`; one of them excludes the others. */
function optionSpecs(option: TreeOption): readonly string[] {
  const { names, description, value, valueName, isRepeatable } = option;
  const action = value === undefined ? '' : `:${valueName}:${specAction(value)}`;
  const before = isRepeatable ? '*' : `(${names.join(' ')})`;
  return names.map((name) => {
    return `${before}${name}${suffixOf(name, value)}[${escapeSpec(description)}]${action}`;
  });
}

/** How a value can be attached to the name of its option. */
function suffixOf(name: string, value: ValueKind | undefined): string {
  if (value === undefined) return '';
  return name.startsWith('--') ? '=' : '+';
}

function argumentSpec(argument: TreeArgument, index: number, first: string | false): string {
  const { name, value, isVariadic } = argument;
  const place = isVariadic ? '*' : `${index + 1}`;
  const action = index === 0 && first !== false ? first : specAction(value);
  return `${place}:${name}:${action}`;
}

/** What a spec says of a value; a space says that nothing can be offered. */
function specAction(value: ValueKind): string {
  if (value.kind === 'choices') return `(${value.choices.join(' ')})`;
  return offer(value) || ' ';
}

/** The command that offers a value. */
function offer(value: ValueKind): string {
  if (value.kind === 'choices') return `compadd -- ${value.choices.map(shellQuote).join(' ')}`;
  if (value.kind === 'file') return '_gen-block__paths';
  return value.kind === 'folder' ? '_gen-block__paths -/' : '';
}

function escapeSpec(text: string): string {
  return text.replaceAll(/[[\]\\:]/g, String.raw`\$&`);
}
