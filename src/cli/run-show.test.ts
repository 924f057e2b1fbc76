import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';
import type { SampleName } from '../testing/sample-definitions.js';

const newFolder = folderMaker();

/** A sample block on the disk, made by the program itself. */
interface Made {
  readonly folder: string;
  /** The options that name its game and its stake. */
  readonly game: readonly string[];
  /** Its records, as they stand in `tickets.ndjson`. */
  readonly lines: readonly string[];
}

async function make(name: SampleName): Promise<Made> {
  const out = newFolder();
  const game = ['--definition', definitionPath(name), '--stake', '1'];
  await runInside(['generate', ...game, '--seed', 'demo', '--out', out, '--quiet']);
  const folder = join(out, `${name}-100-e1-b1`);
  const lines = readFileSync(join(folder, 'tickets.ndjson'), 'utf8').split(/(?<=\n)/);
  return { folder, game, lines };
}

const ROWS = await make('rows-plain');
const COLLECT = await make('collect-bare');
const ELDORADO = await make('eldorado-mini');

interface Line {
  readonly ticket: number;
  readonly prize_cents: number;
  readonly grids: readonly (readonly string[])[];
}

function recordsIn(text: string): readonly Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function show(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['show', ...argv]);
}

/** What is shown of a block on the disk. */
async function shown({ folder, game }: Made, ...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await show(folder, ...game.slice(0, 2), ...argv);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

/** The one line of a run that must be refused. */
async function refusal(...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await show(...argv);
  expect([exitCode, stdout]).toEqual([2, '']);
  const said = stderr.replace(/^gen-block: the seed stands on the command line[^\n]*\n/, '');
  expect(said).toMatch(/^gen-block: [^\n]+\n$/);
  // eslint-disable-next-line no-control-regex -- that there is none is the point
  expect(said.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  return said.slice('gen-block: '.length, -1);
}

describe('a ticket out of the files of a block', () => {
  test.each([
    ['rows', ROWS],
    ['choices', COLLECT],
    ['EXTRA stages', ELDORADO],
  ])('is, of a game with %s, the one that the seed makes again', async (_, made) => {
    const numbers = [1, 2, 599, 600].join();
    const files = await shown(made, '--ticket', numbers, '--json');
    expect(files).toBe([0, 1, 598, 599].map((index) => made.lines[index]).join(''));
    const seed = await show(...made.game, '--seed', 'demo', '--ticket', numbers, '--json');
    expect(seed.stdout).toBe(files);
    const pictured = await shown(made, '--ticket', numbers);
    expect((await show(...made.game, '--seed', 'demo', '--ticket', numbers)).stdout).toBe(pictured);
    expect(pictured.match(/^Ticket [\d,]+ of [a-z-]+-100-e1-b1: /gm)).toHaveLength(4);
  });

  test('is found by the path of the manifest too', async () => {
    const { folder, game, lines } = ROWS;
    const argv = [join(folder, 'manifest.json'), ...game.slice(0, 2), '--ticket', '3', '--json'];
    expect((await show(...argv)).stdout).toBe(lines[2]);
  });

  test('is the first of the block where nothing else is asked for', async () => {
    expect(await shown(ROWS, '--json')).toBe(ROWS.lines[0]);
  });

  test('comes in the order in which it is asked for', async () => {
    const json = await shown(ROWS, '--ticket', '9,3,9', '--json');
    expect(recordsIn(json).map(({ ticket }) => ticket)).toEqual([9, 3, 9]);
  });

  test('says in French what it wins', async () => {
    const winner = recordsIn(ROWS.lines.join('')).find(({ prize_cents }) => prize_cents === 4000);
    const text = await shown(ROWS, '--ticket', String(winner?.ticket), '--lang', 'fr');
    expect(text).toMatch(/^Unité de jeu \d+ de rows-plain-100-e1-b1 : gagne 40,00 € \(4A\)\n/);
    expect(text).toContain('\nGrille principale\n┌');
    expect(text).toMatch(/\n 4 apple {2}40,00\n lot \(€\) {2}40,00\n$/);
  });
});

describe('a kind of ticket', () => {
  const prizesOf = (json: string): ReadonlySet<number> =>
    new Set(recordsIn(json).map(({ prize_cents }) => prize_cents));
  const numbersOf = (prize: number): readonly number[] =>
    recordsIn(ROWS.lines.join(''))
      .filter(({ prize_cents }) => prize_cents === prize)
      .map(({ ticket }) => ticket);

  test.each([
    ['of a prize', ['--prize', '10'], 1000],
    ['of a prize, written with a comma', ['--prize', '10,0'], 1000],
    ['of a line of the prize table', ['--tier', '2'], 1000],
    ['that loses', ['--losing'], 0],
    ['that wins nothing', ['--prize', '0'], 0],
  ])('%s: the first of the block, or so many', async (_, wish, prize) => {
    const [first, second, third] = numbersOf(prize);
    const one = await shown(ROWS, ...wish, '--json');
    expect(recordsIn(one).map(({ ticket }) => ticket)).toEqual([first]);
    const three = await shown(ROWS, ...wish, '--count', '3', '--json');
    expect(recordsIn(three).map(({ ticket }) => ticket)).toEqual([first, second, third]);
  });

  test('is shown in full where the block has fewer than are asked for', async () => {
    const json = await shown(ROWS, '--tier', '1', '--count', '1000', '--json');
    expect(recordsIn(json).map(({ ticket }) => ticket)).toEqual(numbersOf(4000));
  });

  test('is drawn by chance', async () => {
    const json = await shown(ROWS, '--prize', '1', '--random', '--count', '40', '--json');
    const numbers = recordsIn(json).map(({ ticket }) => ticket);
    expect([...prizesOf(json)]).toEqual([100]);
    expect(new Set(numbers).size).toBe(40);
    // 40 of 80 tickets: the chance that it is just the first ones is below 1 in 10 to the 23rd.
    expect(numbers).not.toEqual(numbersOf(100).slice(0, 40));
  });

  test('is found from the seed as well', async () => {
    const { stdout } = await show(...ROWS.game, '--seed', 'demo', '--tier', '1', '--json');
    expect(stdout).toBe(ROWS.lines[(numbersOf(4000)[0] ?? 0) - 1]);
  });
});

describe('a choice', () => {
  test('is shown alone, by its letter or by its name, in any case', async () => {
    const text = await shown(COLLECT, '--ticket', '5', '--choice', 'buoy');
    expect(text).toMatch(/\n Choice: buoy\n ┌/);
    expect(text.match(/Choice: /g)).toHaveLength(1);
    for (const choice of ['B', 'b', 'Buoy', 'BUOY']) {
      expect(await shown(COLLECT, '--ticket', '5', '--choice', choice)).toBe(text);
    }
  });

  test('is one of three side by side where none is made', async () => {
    const text = await shown(COLLECT, '--tier', '1');
    expect(text).toMatch(/\n Choice: anchor +Choice: buoy +Choice: crab\n ┌/);
    expect(text).toMatch(/\n 8 anchor = 100\.00 +8 buoy = 100\.00 +8 crab = 100\.00\n/);
  });
});

describe('show refuses', () => {
  const SEEDED = [...ROWS.game, '--seed', 'demo'];

  test.each([
    [['--ticket', '1', '--prize', '1'], '--ticket and --prize are both given; choose one'],
    [['--ticket', '1', '--prize', '0'], '--ticket and --prize are both given; choose one'],
    [['--ticket', '1', '--tier', '1'], '--ticket and --tier are both given; choose one'],
    [['--ticket', '1', '--losing'], '--ticket and --losing are both given; choose one'],
    [['--ticket', '1', '--random'], '--ticket and --random are both given; choose one'],
    [['--prize', '1', '--tier', '1'], '--prize and --tier are both given; choose one'],
    [['--prize', '1', '--losing'], '--prize and --losing are both given; choose one'],
    [['--tier', '1', '--losing'], '--tier and --losing are both given; choose one'],
    [
      ['--ticket', '1', '--tier', '1', '--losing'],
      '--ticket and --tier are both given; choose one',
    ],
    [
      ['--ticket', '1', '--count', '2'],
      '--count is given and --ticket, which says how many; choose one',
    ],
    [
      ['--choice', 'perle', '--json'],
      '--choice is given and --json, which prints whole records; choose one',
    ],
    [['--choice', 'A'], 'Rows plain has no symbols to choose; leave --choice out'],
    [
      ['--prize', '15'],
      'no ticket wins 15.00 euros; choose a prize of 40.00; 10.00; 6.00; 2.00; 1.00',
    ],
    [['--tier', '6'], 'there is no tier 6; choose one from 1, the highest prize, to 5'],
    [['--ticket', '5,1001'], 'there is no ticket 1001; choose one from 1 to 1,000'],
    [
      ['--ticket', '0'],
      "option '--ticket <numbers>' argument '0' is invalid. Write whole numbers from 1 up, joined by commas.",
    ],
    [
      ['--ticket', '1,'],
      "option '--ticket <numbers>' argument '1,' is invalid. Write whole numbers from 1 up, joined by commas.",
    ],
    [
      ['--count', '1001'],
      "option '--count <number>' argument '1001' is invalid. Write a whole number from 1 to 1000.",
    ],
    [
      ['--lang', 'EN'],
      "option '--lang <language>' argument 'EN' is invalid. Choose en or fr (did you mean en?).",
    ],
  ])('%j', async (argv, line) => {
    expect(await refusal(...SEEDED, ...argv)).toBe(line);
  });

  test('a choice that the game does not have, with those that it has', async () => {
    const argv = [
      '--definition',
      definitionPath('lagon-mini'),
      '-s',
      '1',
      '--seed',
      'demo',
      '--choice',
    ];
    for (const choice of ['noix', 'perl', '\u001b[2J']) {
      expect(await refusal(...argv, choice)).toBe(
        `"${choice.replace('\u001b', '\\u{1b}')}" cannot be chosen in Lagon mini; choose tortue (T), perle (P), hibiscus (H)`,
      );
    }
  });

  test.each([
    ['--seed', 'demo'],
    ['--seed-file', '/no/such'],
    ['--game', 'eldorado'],
    ['--stake', '1'],
    ['--emission', '1'],
    ['--block', '7'],
    ['--engine', 'seedrandom'],
  ])('%s beside a block whose files say it', async (option, value) => {
    const { folder, game } = ROWS;
    expect(await refusal(folder, ...game.slice(0, 2), option, value)).toBe(
      `${option} is given and the block ${folder}, whose files say all; leave one of the two out`,
    );
  });

  test('a block of a game that is not shipped, without its definition', async () => {
    expect(await refusal(ROWS.folder, '--ticket', '1')).toBe(
      'the block is of the game "rows-plain", which is not shipped; give its definition with --definition',
    );
  });

  test('a block whose file was changed, also by one letter', async () => {
    const made = await make('collect-bare');
    const file = join(made.folder, 'tickets.ndjson');
    writeFileSync(file, made.lines.join('').replace(/ABC|ACB|BCA|BAC|CAB|CBA/, 'AAA'));
    expect(await refusal(made.folder, ...made.game.slice(0, 2), '--ticket', '600')).toBe(
      `${file} is not the file of the manifest: its SHA-256 is another; gen-block verify says what is wrong with the block`,
    );
  });

  test('a path that leads nowhere, or steers the terminal', async () => {
    expect(await refusal('/no/such')).toBe('there is no /no/such; check the path');
    expect(await refusal('/no/\u001b[2J')).toBe('there is no /no/\\u{1b}[2J; check the path');
  });
});
