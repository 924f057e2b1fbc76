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

# Puts together in "words" what bash has taken apart at "=", ":" and "@": there is no space in between.
_gen_block_join() {
  local line=\${COMP_LINE-} piece before=' ' index
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=\${COMP_WORDS[index]}
    # Where nothing is typed yet behind a separator, the last piece is empty.
    if ((index > 0)) && [[ $line == "$piece"* && $line != [[:space:]]* && ( -n $piece || $before == *[=:@] ) ]]; then
      words[\${#words[@]} - 1]+=$piece
    else
      words+=("$piece")
    fi
    line=\${line#*"$piece"}
    before=$piece
  done
}

# Leaves it to bash to offer files or folders, with all that it knows of quotes and tildes.
_gen_block_paths() {
  compopt -o "$1" 2>/dev/null
}
`;

const FIND = `
_gen_block() {
  local -a words=()
  _gen_block_join
  local last=$((\${#words[@]} - 1)) path='' option='' first=1 count=0 ended='' index
  local word=\${words[last]}
  COMPREPLY=()
`;

const MIDDLE = `  for ((index = first; index <= last; index++)); do
    if [[ -n $option ]]; then
      # The value that is being typed stands apart from the name of its option.
      ((index < last)) && option=''
    elif [[ -n $ended || \${words[index]} != -?* ]]; then
      ((index < last)) && ((count += 1))
    elif [[ \${words[index]} == -- ]]; then
      ((index < last)) && ended=1
    elif ((index < last)) || [[ \${words[index]} == --*=* ]]; then
      case "$path \${words[index]%%=*}" in
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
      if [[ \${words[index]} == *=* ]]; then
        if ((index == last)); then
          # An option that is not known, or a flag, takes nothing.
          [[ -n $option ]] || return
          word=\${word#*=}
        else
          option=''
        fi
      fi
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
  if ((last == first)); then
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
    '  case ${words[1]-} in\n',
    ...cases(1),
    // The word that is being typed is no command yet.
    '  esac\n  ((last < first)) && path= first=1\n',
    '  case "$path ${words[2]-}" in\n',
    ...cases(2),
    '  esac\n  ((last < first)) && path=${path% *} first=2\n',
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
  return [`        ${patterns}) option=\${words[index]%%=*} ;;\n`];
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
