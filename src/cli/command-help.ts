import { Help, type Command, type Option } from 'commander';

/** What a command's help says besides its arguments and options. */
export interface CommandHelp {
  /** Command lines to copy, each in one line; the help folds them. */
  readonly examples: readonly string[];
  /** What else is to be known, a paragraph each. */
  readonly notes?: readonly string[];
  /** The environment variables that it reads. */
  readonly environment?: readonly EnvironmentUse[];
  /** What its exit codes say; what every command has in common is left out. */
  readonly exits?: Readonly<Record<number, string>>;
}

/** A reason to read the environment. */
type EnvironmentUse = keyof typeof VARIABLES;

/** All environment variables that the program reads, by what they are for, and what each does. */
const VARIABLES = {
  seed: [['GEN_BLOCK_SEED', 'the seed; refused beside --seed or --seed-file']],
  shard: [
    ['JOB_COMPLETION_INDEX', 'with --shard kubernetes/n: which share, from 0'],
    ['SLURM_ARRAY_TASK_ID', 'with --shard slurm/n: which share, from 1'],
  ],
  database: [
    [
      'PGHOST, PGPORT, PGUSER, PGDATABASE',
      'of a postgres:// database, what the address leaves out',
    ],
    ['PGPASSWORD, PGPASSFILE', 'the password, or the file that it is in'],
    ['PGSSLMODE', 'how the connection is encrypted, such as verify-full'],
    ['PGSERVICE', 'not read: refused where it is set'],
  ],
  colors: [
    ['NO_COLOR', 'no colours, where it is set; there are none outside a terminal anyway'],
    ['TERM', 'no colours, where it is dumb'],
    ['FORCE_COLOR, CI', 'colours also on a dumb terminal, where one is set'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>;

const USUAL_EXITS: Readonly<Record<number, string>> = {
  0: 'done',
  2: 'wrong usage or bad input',
  3: 'the machine failed',
};

const SIGNAL_EXIT = ['128 and more', 'stopped by the signal of that number, such as 130: Ctrl-C'];

/** Where a terminal is wider, text is folded here all the same, to be read. */
const MOST_COLUMNS = 100;

/** Help by the settings of commander that it was made into. */
const helps = new WeakMap<object, CommandHelp>();

/** What a command's help says besides its arguments and options, where it was made with {@link teaching}. */
export function helpOf(command: Command): CommandHelp | undefined {
  return helps.get(command.configureHelp());
}

/**
 * The settings of commander for a help that teaches: examples first, then usage, arguments and options with
 * what leaving them out means, then what else is to be known, the environment and the exit codes.
 */
export function teaching(help: CommandHelp): Partial<Help> {
  const settings: Partial<Help> = {
    optionDescription,
    // The description names the choices.
    argumentDescription: ({ description }) => description,
    formatHelp: (command, helper) => {
      helper.helpWidth = Math.min(helper.helpWidth ?? MOST_COLUMNS, MOST_COLUMNS);
      const width = helper.helpWidth;
      const examples = help.examples.map((example) => foldCommand(example, width));
      const notes = [...(help.notes ?? []), ...flagsNote(command)];
      return [
        'Examples:',
        ...examples,
        '',
        Help.prototype.formatHelp.call(helper, command, helper),
        ...notes.flatMap((note) => [helper.boxWrap(note, width), '']),
        ...list('Environment:', (help.environment ?? []).flatMap(variablesOf), helper),
        ...list('Exit codes:', exitItems(help), helper),
      ].join('\n');
    },
  };
  helps.set(settings, help);
  return settings;
}

/** An option's own words, and what it is where it is left out. */
function optionDescription(option: Option): string {
  const { description, mandatory, defaultValueDescription } = option;
  const defaultValue: unknown = option.defaultValue;
  if (!option.required && !option.optional) return description;
  if (mandatory && defaultValue === undefined) return `${description} (required)`;
  if (defaultValue !== undefined) {
    return `${description} (default: ${defaultValueDescription ?? JSON.stringify(defaultValue)})`;
  }
  return defaultValueDescription === undefined
    ? description
    : `${description} (without it: ${defaultValueDescription})`;
}

function flagsNote(command: Command): readonly string[] {
  const hasFlags = command.options.some(({ long, required, optional }) => {
    return long !== '--version' && !required && !optional;
  });
  return hasFlags ? ['An option that takes no value is off unless it is given.'] : [];
}

function variablesOf(use: EnvironmentUse): readonly (readonly [string, string])[] {
  return VARIABLES[use];
}

function exitItems({ exits }: CommandHelp): readonly (readonly [string, string])[] {
  const all = Object.entries({ ...USUAL_EXITS, ...exits });
  const [name = '', meaning = ''] = SIGNAL_EXIT;
  return [...all, [name, meaning]];
}

/** A heading and its items, as commander writes its own. */
function list(
  heading: string,
  items: readonly (readonly [string, string])[],
  helper: Help,
): readonly string[] {
  const width = Math.max(0, ...items.map(([name]) => name.length));
  const lines = items.map(([name, text]) => helper.formatItem(name, width, text, helper));
  return helper.formatItemList(heading, lines, helper);
}

/** A command line in lines that fit, as a shell takes them: broken before an option or an operator only. */
function foldCommand(example: string, width: number): string {
  const lines: string[] = [];
  let line = '  ';
  for (const part of example.split(/(?<![|&>]) (?=-{1,2}[a-z]|[|>]|&&|gen-block )/)) {
    // Room for the backslash.
    if (line.trim() !== '' && line.length + 1 + part.length > width - 2) {
      lines.push(`${line} \\`);
      line = `      ${part}`;
    } else {
      line = line.trim() === '' ? `${line}${part}` : `${line} ${part}`;
    }
  }
  return [...lines, line].join('\n');
}
