import type { TreeArgument, TreeCommand, TreeOption, ValueKind } from './command-tree.js';
import { shellQuote } from './shell-quote.js';

/** What stands before the commands: finds the command and the option, out of words that are never evaluated. */
const HEAD = `# Completion of gen-block for bash 4 and later; written by "gen-block completion bash".

# Offers what begins with the word: pairs of a name and what it means, which is shown in lists only.
_gen_block_offer() {
  local word=$1 name
  local -a names=() texts=()
  shift
  while (($# > 1)); do
    if [[ $1 == "$word"* ]]; then
      names+=("$1")
      texts+=("$2")
    fi
    shift 2
  done
  # 63 and 33: bash lists what there is, and inserts no more than all of it begins with.
  if ((\${#names[@]} > 1)) && [[ \${COMP_TYPE:-9} == 63 || \${COMP_TYPE:-9} == 33 ]]; then
    local index
    for index in "\${!names[@]}"; do
      [[ -n \${texts[index]} ]] || continue
      printf -v name '%-20s  (%s)' "\${names[index]}" "\${texts[index]}"
      names[index]=\${name:0:\${COLUMNS:-80}}
    done
  fi
  COMPREPLY+=("\${names[@]}")
}

# Leaves it to bash to offer files or folders, with all that it knows of quotes and tildes.
_gen_block_paths() {
  compopt -o "$1" 2>/dev/null
}
`;

const FIND = `
_gen_block() {
  local word=\${COMP_WORDS[COMP_CWORD]} path='' option='' first=1 count=0 ended='' index
  COMPREPLY=()
  # "--game=" comes in pieces.
  [[ $word == '=' ]] && word=''
`;

const MIDDLE = `  for ((index = first; index < COMP_CWORD; index++)); do
    if [[ \${COMP_WORDS[index]} == '=' ]]; then
      continue
    elif [[ -n $option ]]; then
      option=''
    elif [[ -n $ended || \${COMP_WORDS[index]} != -?* ]]; then
      ((count += 1))
    elif [[ \${COMP_WORDS[index]} == -- ]]; then
      ended=1
    else
      case "$path \${COMP_WORDS[index]}" in
`;

/** The script for bash. */
export function bashScript(commands: readonly TreeCommand[]): string {
  return [
    HEAD,
    `
# Offers the options of the command; uses the names of the function that calls it.
_gen_block_options() {
  case $path in
`,
    ...commands.map(optionsLine),
    `  esac
}
`,
    FIND,
    ...pathLines(commands),
    MIDDLE,
    ...commands.flatMap(takingLines),
    `        *) option='' ;;
      esac
    fi
  done
  if [[ -n $option ]]; then
    case "$path $option" in
`,
    ...commands.flatMap(valueLines),
    `    esac
    return
  fi
  if [[ -z $ended && $word == -* ]]; then
    _gen_block_options
    return
  fi
  if ((COMP_CWORD == first)); then
    case $path in
`,
    ...commands.flatMap(belowLines),
    `    esac
  fi
  case "$path $count" in
`,
    ...commands.flatMap(argumentLines),
    `    *) [[ -n $ended$word$COMPREPLY ]] || _gen_block_options ;;
  esac
}

complete -F _gen_block gen-block
`,
  ].join('');
}

/** Finds the command: its name stands directly behind that of the one above it. */
function pathLines(commands: readonly TreeCommand[]): readonly string[] {
  const cases = (depth: number): readonly string[] => {
    const words = commands
      .filter(({ path }) => path.length === depth)
      .map(({ path }) => quoted(path));
    return words.map((each) => `    ${each}) path=${each} first=${depth + 1} ;;\n`);
  };
  return [
    '  case ${COMP_WORDS[1]-} in\n',
    ...cases(1),
    // The word that is being typed is no command yet.
    '  esac\n  ((COMP_CWORD < first)) && path= first=1\n',
    '  case "$path ${COMP_WORDS[2]-}" in\n',
    ...cases(2),
    '  esac\n  ((COMP_CWORD < first)) && path=${path% *} first=2\n',
  ];
}

function quoted(path: readonly string[]): string {
  return shellQuote(path.join(' '));
}

function key(path: readonly string[], word: string): string {
  return shellQuote(`${path.join(' ')} ${word}`);
}

function takers({ options }: TreeCommand): readonly TreeOption[] {
  return options.filter(({ value }) => value !== undefined);
}

function takingLines(command: TreeCommand): readonly string[] {
  const names = takers(command).flatMap((option) => option.names);
  if (names.length === 0) return [];
  const patterns = names.map((name) => key(command.path, name)).join(' | ');
  return [`        ${patterns}) option=\${COMP_WORDS[index]} ;;\n`];
}

function valueLines(command: TreeCommand): readonly string[] {
  return takers(command).flatMap(({ names, value }) => {
    const line = value === undefined ? undefined : offer(value);
    const patterns = names.map((name) => key(command.path, name)).join(' | ');
    return line === undefined ? [] : [`      ${patterns}) ${line} ;;\n`];
  });
}

function optionsLine({ path, options }: TreeCommand): string {
  const pairs = options.flatMap(({ names, description }) =>
    names.filter((name) => name.startsWith('--')).map((name) => [name, description]),
  );
  return `      ${quoted(path)}) ${offerPairs(pairs)} ;;\n`;
}

function belowLines({ path, below }: TreeCommand): readonly string[] {
  if (below.length === 0) return [];
  const pairs = below.map(({ name, description }) => [name, description]);
  return [`      ${quoted(path)}) ${offerPairs(pairs)} ;;\n`];
}

function argumentLines(command: TreeCommand): readonly string[] {
  return command.arguments.flatMap(({ value, isVariadic }: TreeArgument, index) => {
    const line = offer(value);
    const words = `${command.path.join(' ')} `;
    const pattern = isVariadic ? `${shellQuote(words)}*` : shellQuote(`${words}${index}`);
    return line === undefined ? [] : [`    ${pattern}) ${line} ;;\n`];
  });
}

/** Offers a value; nothing where it is free text. */
function offer(value: ValueKind): string | undefined {
  if (value.kind === 'choices') return offerPairs(value.choices.map((choice) => [choice, '']));
  if (value.kind === 'text') return undefined;
  return `_gen_block_paths ${value.kind === 'file' ? 'default' : 'dirnames'}`;
}

function offerPairs(pairs: readonly (readonly string[])[]): string {
  const words = pairs.flat().map((word) => ` \\\n        ${shellQuote(word)}`);
  return `_gen_block_offer "$word"${words.join('')}`;
}
