import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { gameIds, loadGame } from '../definitions/load-game.js';
import { helpOf } from './command-help.js';
import { commandTree } from './completion/command-tree.js';
import { makeProgram, withSubcommands } from './program.js';
import { refuseUnknownCommand } from './usage-line.js';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));

/** The words behind the program's name that lead to a command. */
function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function helpText(command: Command, columns = 80): string {
  return command
    .configureOutput({ getOutHelpWidth: () => columns, getErrHelpWidth: () => columns })
    .helpInformation();
}

/** The runs of the program in a line for a shell, each as the arguments behind its name. */
function runsIn(example: string): readonly (readonly string[])[] {
  const runs = example.split(/ (?:\||&&) /).map((part) => part.replace(/ > \S+$/, '').split(' '));
  const places = runs.map((words) => [words, words.indexOf('gen-block')] as const);
  return places.filter(([, at]) => at >= 0).map(([words, at]) => words.slice(at + 1));
}

/** Parses arguments with the program's own parser, without running anything. */
async function parse(argv: readonly string[]): Promise<readonly string[]> {
  const program = makeProgram(argv);
  let reached: readonly string[] = [];
  for (const command of withSubcommands(program)) {
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    command.action((...given: readonly unknown[]) => {
      reached = pathOf(given.at(-1) as Command);
    });
  }
  refuseUnknownCommand(program, argv);
  await program.parseAsync([...argv], { from: 'user' });
  return reached;
}

const COMMANDS = withSubcommands(makeProgram([])).map(
  (command) => [['gen-block', ...pathOf(command)].join(' '), command] as const,
);
const EXAMPLES = COMMANDS.flatMap(([name, command]) =>
  (helpOf(command)?.examples ?? []).map((example) => [name, example] as const),
);
const OPTIONS = COMMANDS.flatMap(([name, command]) =>
  command.options
    .filter(({ required, optional }) => required || optional)
    .map((option) => [`${name} ${option.long ?? ''}`, option] as const),
);
const NUMBER_UNITS =
  /euros|tickets|threads?|number of the emission|number of the block|line of the prize table|between 0 and 1/;

describe('the help', () => {
  test.each(COMMANDS)('of %s begins with examples and ends with exit codes', (name, command) => {
    const text = helpText(command);
    const parts = ['Examples:\n', '\nUsage: ', '\nExit codes:\n'].map((part) => text.indexOf(part));
    expect(parts[0]).toBe(0);
    expect(parts).toEqual([...parts].sort((one, other) => one - other));
    expect(command.description()).not.toBe('');
    expect(text).toContain(`Usage: ${name}`);
    for (const code of ['0', '2', '3', '128 and more']) expect(text).toContain(`\n  ${code} `);
  });

  test.each([80, 100, 200])('fits into %i columns, and is never wider than 100', (columns) => {
    for (const [, command] of COMMANDS) {
      const lines = helpText(command, columns).split('\n');
      const widest = Math.max(...lines.map(({ length }) => length));
      expect(widest).toBeLessThanOrEqual(Math.min(columns, 100));
    }
  });

  test.each(COMMANDS)('of %s has an example of it', async (name, command) => {
    const own = helpOf(command)?.examples ?? [];
    const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
    const all = own.flatMap(runsIn).filter((argv) => !argv.includes('--help'));
    const reached = await Promise.all(all.map(async (argv) => (await parse(argv)).join(' ')));
    const path = pathOf(command).join(' ');
    expect(reached.some((each) => (isGroup ? each.startsWith(path) : each === path))).toBe(true);
    expect(name).not.toBe('');
  });

  test.each(EXAMPLES)('of %s: the parser takes %s', async (_name, example) => {
    const runs = runsIn(example);
    expect(runs.length).toBeGreaterThan(0);
    for (const argv of runs) {
      if (argv.includes('--help')) continue;
      expect((await parse(argv)).length).toBeGreaterThan(0);
    }
  });

  test('holds that an example with an option that there is not is found out', async () => {
    await expect(parse(['verify', 'x', '--sede', 'y'])).rejects.toThrow('unknown option');
    await expect(parse(['verfy', 'x'])).rejects.toThrow('there is no command');
  });

  test.each(OPTIONS)('says of %s what leaving it out means', (_name, option: Option) => {
    const { mandatory, defaultValue, defaultValueDescription } = option;
    const isSaid = mandatory || defaultValue !== undefined || defaultValueDescription !== undefined;
    expect(isSaid).toBe(true);
  });

  test('says the unit of every number', () => {
    const numbers = OPTIONS.filter(([, { flags }]) =>
      /<(?:number|numbers|euros|line|chance)>/.test(flags),
    );
    expect(numbers.length).toBeGreaterThan(10);
    for (const [, option] of numbers) {
      expect(`${option.flags} ${option.description}`).toMatch(NUMBER_UNITS);
    }
  });

  test('says of flags that they are off, and shows defaults and what is required', () => {
    const texts = new Map(COMMANDS.map(([name, command]) => [name, helpText(command)]));
    expect(texts.get('gen-block load')).toMatch(/--to <database> [^-]*\(required\)/);
    expect(texts.get('gen-block generate')).toMatch(/\(default:\s+"output"\)/);
    expect(texts.get('gen-block generate')).toContain('An option that takes no value is off');
    expect(texts.get('gen-block generate')).toMatch(
      /What is made:[^]*\nSeed:[^]*\nOutput:[^]*\nTrust:/,
    );
  });
});

describe('what decides a block', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(name),
  );
  const texts = new Map(files.map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]));

  test('is no environment but what the help names, in the command line alone', () => {
    const uses = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/[^\n]*process\.env[^\n]*/g)].map(([line]) => `${name}: ${line.trim()}`),
    );
    const allowed =
      /^cli\/[^:]+: .*(?:findSeed\(flags, process\.env,|parseShard\(.*, process\.env\)|process\.env\['PGSERVICE'\])/;
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter((use) => !allowed.test(use))).toEqual([]);
  });

  test('is in the help of each command that reads it', () => {
    const readers = COMMANDS.filter(([, command]) => {
      const path = pathOf(command);
      const run = [...texts].find(([name]) => name === `cli/run-${path[0] ?? ''}.ts`)?.[1] ?? '';
      return path.length === 1 && run.includes('findSeed(flags, process.env,');
    });
    const names = readers.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['gen-block generate', 'gen-block prove']));
    const more = ['gen-block batch finish', 'gen-block seed salt-key'];
    for (const [name, command] of COMMANDS) {
      if (name === 'gen-block seed') continue;
      const isReader = names.includes(name) || more.includes(name);
      expect([name, helpText(command).includes('\n  GEN_BLOCK_SEED ')]).toEqual([name, isReader]);
    }
    for (const variable of ['JOB_COMPLETION_INDEX', 'SLURM_ARRAY_TASK_ID', 'PGSERVICE']) {
      expect(COMMANDS.map(([, command]) => helpText(command)).join('')).toContain(variable);
    }
  });

  test('is no variable that the parser of options reads', () => {
    const variables = COMMANDS.flatMap(([, command]) => command.options).map(
      ({ envVar }) => envVar,
    );
    expect(variables.filter((name) => name !== undefined)).toEqual([]);
  });
});

describe('what is offered for options', () => {
  const tree = commandTree(makeProgram([]));
  const values = (path: string, name: string): unknown =>
    tree
      .find((command) => command.path.join(' ') === path)
      ?.options.find(({ names }) => names.includes(name))?.value;

  test('are the games and stakes that are shipped', () => {
    const stakes = new Set(
      gameIds().flatMap((id) => loadGame(id).stakes.map(({ stakeCents }) => `${stakeCents / 100}`)),
    );
    const choices = [...stakes].sort((one, other) => Number(one) - Number(other));
    expect(values('generate', '--stake')).toEqual({ kind: 'choices', choices });
    expect(values('generate', '--game')).toEqual({ kind: 'choices', choices: gameIds() });
  });

  test('are the same behind the program as behind the command that it is short for', () => {
    for (const name of ['--game', '-g', '--seed-file', '--out', '--seed']) {
      expect(values('', name)).toEqual(values('generate', name));
    }
    expect(values('', '--seed')).toEqual({ kind: 'text' });
    expect(values('', '--seed-file')).toEqual({ kind: 'file' });
    expect(values('', '--out')).toEqual({ kind: 'folder' });
  });
});
