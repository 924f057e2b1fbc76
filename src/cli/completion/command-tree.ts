import { Help, type Argument, type Command, type Option } from 'commander';

/** What a shell can offer for a value. */
export type ValueKind =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'folder' | 'text' };

/** An option as a shell completes it. */
export interface TreeOption {
  /** Such as `-g` and `--game`. */
  readonly names: readonly string[];
  /** In one line. */
  readonly description: string;
  /** What it takes; nothing where it is a flag. */
  readonly value?: ValueKind;
  /** The name of its value, such as `id`. */
  readonly valueName: string;
  readonly isRepeatable: boolean;
}

/** An argument as a shell completes it. */
export interface TreeArgument {
  readonly name: string;
  readonly value: ValueKind;
  /** Whether all further arguments are of its kind. */
  readonly isVariadic: boolean;
}

/** A command as a shell completes it. */
export interface TreeCommand {
  /** The words behind the program's name, such as `batch` and `finish`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly TreeOption[];
  readonly arguments: readonly TreeArgument[];
  /** The words that can follow it, with what they do. */
  readonly below: readonly { readonly name: string; readonly description: string }[];
}

const FILE_NAMES = new Set(['file', 'files', 'path', 'block', 'blocks', 'jobs', 'definition']);
const FOLDER_NAMES = new Set(['folder', 'shares']);

/** A command and all below it, each with what a shell can offer behind it. */
export function commandTree(
  command: Command,
  path: readonly string[] = [],
): readonly TreeCommand[] {
  const { commands } = command;
  const helper = new Help();
  const below = helper
    .visibleCommands(command)
    .map((each) => ({ name: each.name(), description: oneLine(each.description()) }));
  const tree: TreeCommand = {
    path,
    description: oneLine(command.description()),
    options: optionsOf(command, helper),
    arguments: command.registeredArguments.map(treeArgument),
    below,
  };
  const names = commands.map((each) => each.name());
  const help = below.filter(({ name }) => !names.includes(name));
  return [
    tree,
    ...commands.flatMap((each) => commandTree(each, [...path, each.name()])),
    ...help.map((each) => helpTree([...path, each.name], each.description, names)),
  ];
}

/** The options of a command; those of the one that its name can be left out of stand behind it, too. */
function optionsOf(command: Command, helper: Help): readonly TreeOption[] {
  const isTop = command.parent === null;
  const usual = isTop ? command.commands.slice(0, 1) : [];
  const own = [command, ...usual].flatMap((each) => helper.visibleOptions(each));
  const names = own.map(({ long }) => long);
  return own.filter(({ long }, index) => names.indexOf(long) === index).map(treeOption);
}

/** The command `help`, which commander makes by itself. */
function helpTree(
  path: readonly string[],
  description: string,
  choices: readonly string[],
): TreeCommand {
  const argument = {
    name: 'command',
    value: { kind: 'choices', choices },
    isVariadic: false,
  } as const;
  return { path, description, options: [], arguments: [argument], below: [] };
}

function treeOption(option: Option): TreeOption {
  const valueName = /<(.+)>/.exec(option.flags)?.[1] ?? '';
  const description = oneLine(option.description);
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    description,
    ...(option.required ? { value: valueKind(valueName, option.argChoices) } : {}),
    valueName,
    isRepeatable: /may be repeated|several times/.test(description),
  };
}

function treeArgument(argument: Argument): TreeArgument {
  const name = argument.name();
  return { name, value: valueKind(name, argument.argChoices), isVariadic: argument.variadic };
}

function valueKind(name: string, choices: readonly string[] | undefined): ValueKind {
  if (choices !== undefined) return { kind: 'choices', choices };
  if (FILE_NAMES.has(name)) return { kind: 'file' };
  return { kind: FOLDER_NAMES.has(name) ? 'folder' : 'text' };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
