import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TOOL_VERSION } from '../core/tool-version.js';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import {
  definitionPath,
  filesOf,
  folderMaker,
  hashesOf,
  namesIn,
} from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const PLAIN = ['--definition', definitionPath('rows-plain'), '--stake', '1'];
const NAME = 'rows-plain-100-e1-b1';
const WARNING =
  'gen-block: the seed stands on the command line, where other users can see it; for real blocks use --seed-file\n';

let out: string;

beforeEach(() => {
  out = newFolder();
});

/** Makes the sample block in the folder of this test. */
async function generate(...more: readonly string[]): Promise<CommandResult> {
  return runInside([...PLAIN, '--out', out, ...more]);
}

/** The one line that a failed run says, besides the warning about a seed in sight. */
function lineOf({ stdout, stderr }: CommandResult): string {
  expect(stdout).toBe('');
  const line = stderr.replace(WARNING, '');
  expect(line).toMatch(/^gen-block: [^\n]+\n$/);
  // eslint-disable-next-line no-control-regex -- that there is none is the point
  expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(line).not.toMatch(/ {4}at |\.[jt]s:\d/);
  return line.slice('gen-block: '.length, -1);
}

describe('wrong usage ends with exit code 2 and one line that says what to do', () => {
  const FILE = definitionPath('rows-plain');

  test.each<[string, readonly string[], string]>([
    [
      'no game',
      ['--stake', '1', '--seed', 'x'],
      'no game is given; add --game <id> or --definition <file>',
    ],
    [
      'an unknown game',
      ['--game', 'bingo', '--stake', '1', '--seed', 'x'],
      'there is no game "bingo"; choose eldorado or lagon-paradis, or give a definition with --definition',
    ],
    [
      'a game that would be a path',
      ['--game', '../../etc/passwd', '--stake', '1', '--seed', 'x'],
      'there is no game "../../etc/passwd"; choose eldorado or lagon-paradis, or give a definition with --definition',
    ],
    [
      'a name that every object has',
      ['--game', 'constructor', '--stake', '1', '--seed', 'x'],
      'there is no game "constructor"; choose eldorado or lagon-paradis, or give a definition with --definition',
    ],
    ['no stake', ['--game', 'eldorado', '--seed', 'x'], 'no stake is given; add --stake <euros>'],
    [
      'a stake that is not sold',
      ['--game', 'eldorado', '--stake', '3', '--seed', 'x'],
      'Eldorado is not sold at 3.00 euros; choose a stake of 0.50, 1.00, 2.00',
    ],
    ...['1.005', '1e0', '0', '-0', '€1', '1 ', '0x1', '１', '1.', '.5'].map(
      (text): [string, string[], string] => [
        `the stake ${JSON.stringify(text)}`,
        ['--game', 'eldorado', `--stake=${text}`, '--seed', 'x'],
        `option '-s, --stake <euros>' argument '${text}' is invalid. Write an amount in euros such as 0.5, 1 or 2.`,
      ],
    ),
    ['an empty seed', [...PLAIN, '--seed', ''], '--seed is empty; give it a value'],
    ['an empty folder name', [...PLAIN, '--out', ''], '--out is empty; give it a value'],
    [
      'a seed option that took the next option for its value',
      ['--game', 'eldorado', '--seed', '--stake', '1'],
      '--seed has no value: what follows it begins with a dash; write --seed=… if that is the value',
    ],
    [
      'a folder option that took the next option for its value',
      [...PLAIN, '-o', '--seed', 'x'],
      '--out has no value: what follows it begins with a dash; write --out=--seed if that is the value',
    ],
    [
      'two seeds',
      [...PLAIN, '--seed', 'first', '--seed', 'second'],
      '--seed is given twice; give it once',
    ],
    [
      'two stakes, one of them by its short name',
      ['--game', 'eldorado', '--stake', '1', '-s', '2'],
      '--stake is given twice; give it once',
    ],
    [
      'two emissions',
      [...PLAIN, '--emission', '1', '--emission', '1'],
      '--emission is given twice; give it once',
    ],
    [
      'a seed and a seed file',
      [...PLAIN, '--seed', 'x', '--seed-file', 'y'],
      '--seed and --seed-file are both given; give one of them',
    ],
    [
      'an unknown option',
      [...PLAIN, '--sede', 'x'],
      "unknown option '--sede' (did you mean --seed?)",
    ],
    [
      'a word too many',
      ['generate', 'eldorado'],
      "too many arguments for 'generate'. Expected 0 arguments but got 1.",
    ],
    [
      'threads for a stream',
      [...PLAIN, '--out', '-', '-f', 'csv', '--seed', 'x', '--threads', '2'],
      '--threads is for a folder, and --out - has none; leave it out',
    ],
    [
      'force for a stream',
      [...PLAIN, '--out', '-', '-f', 'csv', '--seed', 'x', '--force'],
      '--force is for a folder, and --out - has none; leave it out',
    ],
    [
      'a manifest in no folder',
      [...PLAIN, '--out', '-', '-f', 'csv', '--seed', 'x', '--manifest', '/none/such/m.json'],
      'there is no folder /none/such for the manifest; make it first',
    ],
    [
      'no threads',
      [...PLAIN, '--seed', 'x', '--threads', '0'],
      "option '--threads <number>' argument '0' is invalid. Write a whole number from 1 to 9999.",
    ],
    [
      'a tickets file to audit',
      ['audit', FILE.replace('rows-plain.json', 'x.csv')],
      `there is no ${FILE.replace('rows-plain.json', 'x.csv')}; check the path`,
    ],
    [
      'help for an unknown command',
      ['help', 'nonsense'],
      'there is no command "nonsense"; choose generate, verify, audit, show, batch, games, report, export, load, status, seed, prove, check-proof, key, sign, completion, help',
    ],
    [
      'an option without its value',
      ['--game', 'eldorado', '--stake'],
      "option '-s, --stake <euros>' argument missing",
    ],
    ...['0', '01', '1.0', '1e3', '+1', '1000000000', '9007199254740993', 'x'].map(
      (text): [string, string[], string] => [
        `the emission ${text}`,
        [...PLAIN, `--emission=${text}`],
        `option '--emission <number>' argument '${text}' is invalid. Write a whole number from 1 to 999999999.`,
      ],
    ),
    [
      'a negative block number',
      [...PLAIN, '--block', '-1'],
      '--block has no value: what follows it begins with a dash; write --block=-1 if that is the value',
    ],
    [
      'an unknown engine',
      [...PLAIN, '--engine', 'alea'],
      "option '--engine <name>' argument 'alea' is invalid. Choose seedrandom or chacha20.",
    ],
    ...['xml', 'csv,csv', '', 'csv,'].map((text): [string, string[], string] => [
      `the format ${JSON.stringify(text)}`,
      [...PLAIN, `--format=${text}`],
      `option '-f, --format <list>' argument '${text}' is invalid. Choose from ndjson,csv, each at most once.`,
    ]),
    [
      'a manifest file without a stream',
      [...PLAIN, '--manifest', 'm.json'],
      '--manifest goes with --out -; a folder has its own',
    ],
    [
      'a stream of two formats',
      [...PLAIN, '--out', '-', '--seed', 'x'],
      '--out - writes one format; add --format ndjson or --format csv',
    ],
    [
      'a stream and a report on one output',
      [...PLAIN, '--out', '-', '--seed', 'x', '-f', 'csv', '--json'],
      '--out - fills standard output with tickets; leave --json out',
    ],
    [
      'a stream without a seed',
      [...PLAIN, '--out', '-', '-f', 'csv'],
      '--out - has no folder for a fresh seed; give one with --seed-file or in the environment',
    ],
    [
      'a game and a definition of another game',
      ['--game', 'eldorado', ...PLAIN],
      `${FILE} defines the game rows-plain and --game says eldorado; leave --game out or name the same`,
    ],
    [
      'a definition that is not there',
      ['--definition', '/no/such.json', '--stake', '1'],
      'there is no file /no/such.json; check the path',
    ],
    [
      'a seed file that is not there',
      [...PLAIN, '--seed-file', '/no/such.seed'],
      'there is no seed file /no/such.seed; check the path',
    ],
    [
      'a folder for a seed file',
      [...PLAIN, '--seed-file', '/'],
      'there is no seed file /; check the path',
    ],
    ['nothing to verify', ['verify'], "missing required argument 'path'"],
    [
      'two things to verify',
      ['verify', 'a', 'b'],
      "too many arguments for 'verify'. Expected 1 argument but got 2.",
    ],
    [
      'a path to verify that leads nowhere',
      ['verify', '/no/such'],
      'there is no /no/such; check the path',
    ],
    [
      'a path to verify that goes through a file',
      ['verify', `${FILE}/x`],
      `there is no ${FILE}/x; check the path`,
    ],
    [
      'a path to verify that is too long for the system',
      ['verify', 'x'.repeat(300)],
      `there is no ${'x'.repeat(200)}…; check the path`,
    ],
    [
      'a folder to verify without a manifest',
      ['verify', '/proc/self/fd'],
      'there is no file /proc/self/fd/manifest.json; name a block folder, its manifest.json, or a tickets file with --game and --stake',
    ],
    [
      'a file to verify of another kind',
      ['verify', '/etc/passwd'],
      '/etc/passwd is no block folder, manifest.json, .ndjson or .csv file, with or without .gz and .age; name one of these',
    ],
    [
      'a bare tickets file without its game',
      ['verify', 'x.csv'],
      "x.csv does not say what it is; add --game and --stake, or name the block's folder",
    ],
    [
      'a bare tickets file that is not there',
      ['verify', '/no/x.csv', '-g', 'eldorado', '-s', '1'],
      'there is no file /no/x.csv; check the path',
    ],
    [
      'a bare tickets file at a stake that is not sold',
      ['verify', 'x.csv', '-g', 'eldorado', '-s', '3'],
      'Eldorado is not sold at 3.00 euros; choose a stake of 0.50, 1.00, 2.00',
    ],
    [
      'a bare tickets file with a seed',
      ['verify', 'x.csv', '-g', 'eldorado', '-s', '1', '--seed', 'x'],
      "a bare tickets file does not say what to make again; name the block's folder",
    ],
    [
      'a ticket to show without a seed',
      ['show', ...PLAIN],
      'no seed is given; add --seed-file <file>, or name a block',
    ],
    [
      'a ticket to show without a stake',
      ['show', '-g', 'eldorado'],
      'no stake is given; add --stake <euros>',
    ],
    [
      'a ticket to show that is not in the block',
      ['show', ...PLAIN, '--seed', 'x', '--ticket', '1001'],
      'there is no ticket 1001; choose one from 1 to 1,000',
    ],
  ])('%s', async (_, argv, line) => {
    const result = await runInside(argv);
    expect([lineOf(result), result.exitCode]).toEqual([line, 2]);
  });

  test.each([
    ['a stake', ['--game', 'eldorado', '--stake', '\u001b[31m1\u0007']],
    ['a game', ['--game', '\u001b]0;title\u0007\u202e', '--stake', '1']],
    ['an option', ['--\u001b[2J']],
    ['a command', ['\u001b[2J\nnew line']],
    ['a definition', ['--definition', '/no/\r\n\u001b[31m', '--stake', '1']],
    ['a seed file', [...PLAIN, '--seed-file', '/no/\u009b31m']],
    ['a path', ['verify', '/no/\u0000\u001b[31m'.replace('\u0000', '')]],
    ['a folder', [...PLAIN, '--seed', 'x', '--out', '/proc/\u001b[31m']],
  ])('control characters in %s do not reach the terminal', async (_, argv) => {
    expect(lineOf(await runInside(argv))).toContain('\\u{');
  });

  test.each([
    ['behind another seed', ['--seed', 'x', '--seed', 'Geheim7']],
    ['behind an option that is missing its value', ['--seed', '-Geheim7']],
    ['beside a seed file', ['--seed', 'Geheim7', '--seed-file', '/no']],
    ['with a part that is no UTF-8', ['--seed', 'Geheim7\uFFFD']],
    ['beside a wrong stake', ['--seed', 'Geheim7', '--stake', '3']],
  ])('no message repeats a seed %s', async (_, argv) => {
    const result = await runInside(['--definition', definitionPath('rows-plain'), ...argv]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).not.toContain('Geheim7');
  });

  test('an unknown command is named, and the commands that there are', async () => {
    const result = await runInside(['verfy', 'output']);
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toMatch(
      /^there is no command "verfy"; choose generate, verify, (\S+, )*help \(did you mean verify\?\)$/,
    );
  });

  test('the problems of a definition are listed, one a line, each with its place', async () => {
    const path = join(out, 'bad.json');
    const bad = sampleDefinition('rows-plain', ['/block_size', 0], ['/id', 'Not An Id']);
    writeFileSync(path, JSON.stringify(bad));
    const { exitCode, stdout, stderr } = await runInside(['--definition', path, '-s', '1']);
    expect([exitCode, stdout]).toEqual([2, '']);
    const [first = '', ...others] = stderr.trimEnd().split('\n');
    const counted = /^gen-block: \S+bad\.json: (\d+) problems in the definition; /.exec(first);
    expect(others).toHaveLength(Number(counted?.[1]) - 1);
    expect(others.every((line) => /^ {2}\S/.test(line))).toBe(true);
    for (const place of ['/block_size', '/id']) expect(stderr).toContain(place);
  });

  test('of very many problems of a definition the first are listed, and the rest counted', async () => {
    const path = join(out, 'bad.json');
    const strangers = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`stranger${i}`, i]));
    writeFileSync(path, JSON.stringify({ ...sampleDefinition('rows-plain'), ...strangers }));
    const { exitCode, stderr } = await runInside(['--definition', path, '-s', '1']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/: 50 problems in the definition; [^]*\n {2}and 30 more\n$/);
    expect(stderr.trimEnd().split('\n')).toHaveLength(21);
  });

  test('a definition that is no JSON is refused with its place', async () => {
    const path = join(out, 'bad.json');
    writeFileSync(path, '{"id": 1, "id": 2}');
    const result = await runInside(['--definition', path, '-s', '1']);
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toContain('bad.json');
  });

  test.each<[string, readonly (string | number)[]]>([
    ['a NUL', [97, 0, 98]],
    ['bytes that are no UTF-8', [97, 0xff, 98]],
    ['half a character', [0xc3]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['nothing', []],
    ['nothing but a line end', [10]],
    ['nothing but a CRLF', [13, 10]],
    ['too much', Array.from({ length: 65_537 }, () => 97)],
  ])('a seed file with %s is refused', async (_, bytes) => {
    const path = join(out, 'a.seed');
    writeFileSync(path, Uint8Array.from(bytes.map(Number)));
    const result = await generate('--seed-file', path);
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toMatch(
      /^the seed from \S+a\.seed (holds|is not valid UTF-8|is empty|has more than)/,
    );
    expect(namesIn(out)).toEqual(['a.seed']);
  });
});

describe('a machine that fails ends with exit code 3 and one line', () => {
  test.each([
    ['takes no new folder', '/proc/gen-block', 'cannot create /proc/gen-block: there is no such'],
    ['has a file there', definitionPath('rows-plain'), 'a file is there; choose another --out'],
    [
      'has a file above it',
      `${definitionPath('rows-plain')}/out`,
      'a part of the path is not a folder; check the path',
    ],
  ])('where the output folder %s', async (_, path, words) => {
    const result = await runInside([...PLAIN, '--seed', 'x', '--out', path]);
    expect(result.exitCode).toBe(3);
    expect(lineOf(result)).toContain(words);
  });

  test('where it takes no fresh seed', async () => {
    const result = await runInside([...PLAIN, '--out', '/proc']);
    expect(result.exitCode).toBe(3);
    expect(lineOf(result)).toMatch(
      /^cannot create \/proc\/\S+: there is no such file or folder; check the path$/,
    );
  });
});

describe('a block', () => {
  test('is made, reported on standard output, and told in words on standard error', async () => {
    const { exitCode, stdout, stderr } = await generate('--seed', 'demo');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^rows-plain, stake 1\.00 EUR, emission 1, block 1, engine seedrandom\n/,
    );
    expect(stdout).toContain('1,000 tickets, 172 winning (17.20 %).');
    expect(stdout).toContain('Prizes 500.00 EUR out of sales of 1,000.00 EUR: pay-out 50.00 %.');
    expect(stdout).toContain('No findings: the block conforms.');
    expect(stdout).not.toContain('gen-block:');
    const [warning, done] = stderr.split(/(?<=\n)/);
    expect(warning).toBe(WARNING);
    expect(done).toMatch(/^gen-block: \S+ was generated and verified in \d+\.\d s\n$/);
    expect(stderr.split('\n')).toHaveLength(3);
    expect(Object.keys(hashesOf(join(out, NAME)))).toHaveLength(3);
  });

  test('that is made again is kept, and that is said', async () => {
    await generate('--seed', 'demo');
    const before = hashesOf(join(out, NAME));
    const { exitCode, stdout, stderr } = await generate('--seed', 'demo');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No findings: the block conforms.');
    expect(stderr).toMatch(/was there already: verified and kept in \d+\.\d s\n$/);
    expect(hashesOf(join(out, NAME))).toEqual(before);
  });

  test('is reported as one line of JSON', async () => {
    const made = await generate('--seed', 'demo', '--json');
    const kept = await generate('--seed', 'demo', '--json');
    for (const [result, isKept] of [
      [made, false],
      [kept, true],
    ] as const) {
      expect(result.exitCode).toBe(0);
      expect(result.stdout.split('\n')).toHaveLength(2);
      expect(JSON.parse(result.stdout)).toMatchObject({
        folder: join(out, NAME),
        kept: isKept,
        report: { conforms: true, tickets: 1000, winningTickets: 172 },
      });
    }
  });

  test.each(['--quiet', '-q'])('is made without a word with %s', async (flag) => {
    const result = await generate('--seed', 'demo', flag);
    expect(result).toEqual({ exitCode: 0, signal: undefined, stdout: '', stderr: '' });
    expect(namesIn(out)).toEqual([NAME]);
  });

  test('is made by the default command and by its full name alike', async () => {
    await generate('--seed', 'demo');
    const other = newFolder();
    await runInside(['generate', ...PLAIN, '--out', other, '--seed', 'demo']);
    expect(hashesOf(join(other, NAME))).toEqual(hashesOf(join(out, NAME)));
  });

  test.each([
    ['0.5', 50],
    ['0,5', 50],
    ['0.50', 50],
    ['1', 100],
    ['1,00', 100],
    ['2', 200],
    ['2.00', 200],
  ])('of the stake %s is named after %d cents', async (text, cents) => {
    const definition = definitionPath('lagon-mini');
    const argv = ['--definition', definition, '-s', text, '-o', out, '--seed', 'x', '-f', 'csv'];
    expect((await runInside([...argv, '--block', '7', '--emission', '3'])).exitCode).toBe(0);
    expect(namesIn(out)).toEqual([`lagon-mini-${cents}-e3-b7`]);
  });

  test('has the formats that are asked for', async () => {
    await generate('--seed', 'demo', '--format', 'csv');
    expect([...filesOf(join(out, NAME)).keys()]).toEqual(['manifest.json', 'tickets.csv']);
  });

  test('under the name of another one is refused, and --force replaces it', async () => {
    await generate('--seed', 'first');
    const before = hashesOf(join(out, NAME));
    for (const [argv, words] of [
      [['--seed', 'second'], 'another seed'],
      [['--seed', 'first', '--engine', 'chacha20'], 'another engine'],
      [['--seed', 'first', '--format', 'csv'], 'other formats'],
    ] as const) {
      const refused = await generate(...argv);
      expect(refused.exitCode).toBe(2);
      expect(lineOf(refused)).toBe(
        `${join(out, NAME)} is there already, and it was made from ${words}; use --force to replace it, or another --out`,
      );
      expect(hashesOf(join(out, NAME))).toEqual(before);
    }
    expect((await generate('--seed', 'second', '--force')).exitCode).toBe(0);
    expect(hashesOf(join(out, NAME))).not.toEqual(before);
    expect(namesIn(out)).toEqual([NAME]);
  });

  test('that is there and broken ends with exit code 1, and its findings are shown', async () => {
    await generate('--seed', 'demo');
    const path = join(out, NAME, 'tickets.csv');
    writeFileSync(path, readFileSync(path, 'utf8').replace('\n1,', '\n2,'));
    const { exitCode, stdout, stderr } = await generate('--seed', 'demo');
    expect(exitCode).toBe(1);
    expect(stderr.replace(WARNING, '')).toBe(
      `gen-block: ${join(out, NAME)} is there already and does not conform; use --force to replace it\n`,
    );
    expect(stdout).toMatch(/\d+ findings: the block does not conform\./);
    expect(stdout).toContain('file-hash');
    const json = await generate('--seed', 'demo', '--json');
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ report: { conforms: false } });
  });
});

describe('the seed', () => {
  async function madeWith(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, string>>> {
    const folder = newFolder();
    const result = await runInside([...PLAIN, '--out', folder, ...argv], env);
    expect(result.exitCode).toBe(0);
    return hashesOf(join(folder, NAME));
  }

  test('gives the same bytes by whatever road it comes', async () => {
    const file = join(out, 'a.seed');
    const bySeed = await madeWith(['--seed', 'été 🂡']);
    for (const end of ['', '\n', '\r\n']) {
      writeFileSync(file, `été 🂡${end}`);
      expect(await madeWith(['--seed-file', file])).toEqual(bySeed);
    }
    expect(await madeWith([], { GEN_BLOCK_SEED: 'été 🂡' })).toEqual(bySeed);
    expect(await madeWith(['--seed=été 🂡'])).toEqual(bySeed);
  });

  test('from a file loses one line end, and neither two nor a space', async () => {
    const file = join(out, 'a.seed');
    for (const content of ['demo\n\n', 'demo\n\r\n', 'demo \n', ' demo', '\ufeffdemo', 'demo\r']) {
      writeFileSync(file, content);
      const seed = content.replace(/\r?\n$/, '');
      expect(await madeWith(['--seed-file', file])).toEqual(await madeWith([`--seed=${seed}`]));
      expect(seed).not.toBe('demo');
    }
    expect(await madeWith(['--seed', 'demo\n'])).not.toEqual(await madeWith(['--seed', 'demo']));
  });

  test('may be as long as 65,536 bytes, and its line end comes on top', async () => {
    const file = join(out, 'a.seed');
    writeFileSync(file, `${'a'.repeat(65_536)}\r\n`);
    expect(Object.keys(await madeWith(['--seed-file', file]))).toHaveLength(3);
  });

  test('is not normalised: two spellings of one letter are two seeds', async () => {
    const composed = await madeWith(['--seed', 'é'.normalize('NFC')]);
    expect(await madeWith(['--seed', 'é'.normalize('NFD')])).not.toEqual(composed);
  });

  test.each([
    ['option', ['--seed', 'x'], '--seed and GEN_BLOCK_SEED'],
    ['file', ['--seed-file', '/no'], '--seed-file and GEN_BLOCK_SEED'],
  ])('in an %s and in the environment too is refused', async (_, argv, names) => {
    const result = await runInside([...PLAIN, '--out', out, ...argv], { GEN_BLOCK_SEED: 'y' });
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toBe(`${names} are both given; give one of them`);
  });

  test.each([
    ['empty', '', 'is empty; give one of at least 128 bits'],
    ['no UTF-8', 'x\uFFFD', 'is not valid UTF-8; write it as text, in hexadecimal for example'],
  ])('in the environment that is %s is refused', async (_, seed, words) => {
    const result = await runInside([...PLAIN, '--out', out], { GEN_BLOCK_SEED: seed });
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toBe(`the seed from GEN_BLOCK_SEED ${words}`);
  });

  test('is in no word that the program says and in no byte that it writes', async () => {
    const text = 'Zq7-sésame-0f3b9c';
    const seed = Buffer.from(text);
    const forms = [text, seed.toString('hex'), seed.toString('base64'), seed.toString('latin1')];
    const name = 'lagon-mini-100-e1-b1';
    const argv = ['--definition', definitionPath('lagon-mini'), '--stake', '1', '--out', out];
    const runs = [
      await runInside([...argv, '--seed', text]),
      await runInside([...argv, '--seed', text, '--json', '--force']),
      await runInside([...argv, '--seed', `${text}2`]),
      await runInside(['verify', join(out, name), ...argv.slice(0, 2), '--seed', text]),
      await runInside(['verify', join(out, name), ...argv.slice(0, 2), '--seed', `${text}2`]),
    ];
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 2, 0, 1]);
    const said = runs.map(({ stdout, stderr }) => stdout + stderr);
    const written = [...filesOf(join(out, name)).values()].map((bytes) => bytes.toString('latin1'));
    for (const form of forms) {
      expect([...said, ...written].filter((haystack) => haystack.includes(form))).toEqual([]);
    }
  });

  test('on the command line is warned of, and nowhere else', async () => {
    const file = join(out, 'a.seed');
    writeFileSync(file, 'demo\n');
    const seen = await generate('--seed', 'demo');
    const fromFile = await generate('--seed-file', file);
    const fromEnvironment = await runInside([...PLAIN, '--out', out], { GEN_BLOCK_SEED: 'demo' });
    expect(seen.stderr).toContain(WARNING);
    for (const { exitCode, stderr } of [fromFile, fromEnvironment]) {
      expect(exitCode).toBe(0);
      expect(stderr).not.toContain('command line');
    }
  });
});

describe('a fresh seed', () => {
  const SEED_FILE = `${NAME}.seed`;

  test('is written beside the block, for its owner only, and makes the block again', async () => {
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(0);
    expect(stderr.split('\n')[0]).toBe(
      `gen-block: a fresh seed was written to ${join(out, SEED_FILE)}; whoever has it knows every winner`,
    );
    expect(namesIn(out)).toEqual([NAME, SEED_FILE]);
    expect(readFileSync(join(out, SEED_FILE), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    const seed = readFileSync(join(out, SEED_FILE), 'utf8').trim();
    for (const bytes of filesOf(join(out, NAME)).values()) {
      expect(bytes.toString('latin1').includes(seed)).toBe(false);
    }
    expect(stderr).not.toContain(seed);
    const again = await generate('--seed-file', join(out, SEED_FILE));
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('verified and kept');
  });

  test('is never left without a word', async () => {
    const { stderr } = await generate('--quiet');
    expect(stderr).toBe(
      `gen-block: a fresh seed was written to ${join(out, SEED_FILE)}; whoever has it knows every winner\n`,
    );
  });

  test('is another one each time', async () => {
    await generate();
    const other = newFolder();
    await runInside([...PLAIN, '--out', other]);
    expect(hashesOf(join(other, NAME))).not.toEqual(hashesOf(join(out, NAME)));
  });

  test('never replaces a seed that is there', async () => {
    writeFileSync(join(out, SEED_FILE), 'mine\n');
    const result = await generate();
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toContain(`${join(out, SEED_FILE)} is there already`);
    expect(namesIn(out)).toEqual([SEED_FILE]);
    expect(readFileSync(join(out, SEED_FILE), 'utf8')).toBe('mine\n');
  });

  test.each([[['--seed', 'demo']], [[]]])(
    'is not made where the block is there already (%j)',
    async (argv) => {
      await generate(...argv);
      const before = [...filesOf(join(out, NAME)), ...readdirSync(out)].length;
      const names = readdirSync(out);
      const result = await generate();
      expect(result.exitCode).toBe(2);
      expect(lineOf(result)).toContain('is there already');
      expect(readdirSync(out)).toEqual(names);
      expect([...filesOf(join(out, NAME)), ...readdirSync(out)]).toHaveLength(before);
    },
  );

  test('replaces a block by force', async () => {
    await generate('--seed', 'demo');
    const before = hashesOf(join(out, NAME));
    expect((await generate('--force')).exitCode).toBe(0);
    expect(hashesOf(join(out, NAME))).not.toEqual(before);
    expect(namesIn(out)).toEqual([NAME, SEED_FILE]);
  });

  test('that made no block is taken away again, so that the next run is not in its way', async () => {
    writeFileSync(join(out, NAME), 'something else');
    const result = await generate('--force');
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`${join(out, SEED_FILE)} was removed again\n`);
    expect(namesIn(out)).toEqual([NAME]);
  });
});

describe('verify', () => {
  const verify = async (path: string, ...more: readonly string[]): Promise<CommandResult> =>
    runInside(['verify', path, '--definition', definitionPath('rows-plain'), ...more]);

  beforeEach(async () => {
    await generate('--seed', 'demo');
  });

  test.each(['', '/manifest.json'])('accepts a block named by its folder%s', async (file) => {
    const { exitCode, stdout, stderr } = await verify(join(out, NAME) + file);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('No findings: the block conforms.');
    expect(stdout).toContain('Not checked: that the order of the tickets comes from');
  });

  test.each(['ndjson', 'csv'])('accepts a bare %s file whose game is named', async (format) => {
    const { exitCode, stdout } = await verify(join(out, NAME, `tickets.${format}`), '-s', '1');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^rows-plain, stake 1\.00 EUR\n/);
  });

  test('makes the block again from its seed', async () => {
    const { exitCode, stdout, stderr } = await verify(join(out, NAME), '--seed', 'demo');
    expect([exitCode, stderr]).toEqual([0, WARNING]);
    expect(stdout).not.toContain('Not checked');
  });

  test('ends with exit code 1 for another seed', async () => {
    const { exitCode, stdout } = await verify(join(out, NAME), '--seed', 'another');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('1 x seed-commitment');
    expect(stdout).not.toContain('another\n');
  });

  test('takes no seed from the environment, which may be that of another block', async () => {
    const argv = ['verify', join(out, NAME), '--definition', definitionPath('rows-plain')];
    const { exitCode, stdout } = await runInside(argv, { GEN_BLOCK_SEED: 'another' });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('only `verify` with the seed can tell');
  });

  test('ends with exit code 1 for a broken block, and shows what was found where', async () => {
    const path = join(out, NAME, 'tickets.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"prize_cents":0,', '"prize_cents":1,'));
    const { exitCode, stdout, stderr } = await verify(join(out, NAME));
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toContain('1 x file-hash');
    expect(stdout).toMatch(/1 x prize\n.*tickets\.ndjson, .*ticket \d+: expected 0.*found 1/);
    const json = await verify(join(out, NAME), '--json');
    expect(json.exitCode).toBe(1);
    const report = JSON.parse(json.stdout) as { findings: readonly { code: string }[] };
    expect(report.findings.map(({ code }) => code)).toContain('prize');
    const quiet = await verify(join(out, NAME), '--quiet');
    expect(quiet).toEqual({ exitCode: 1, signal: undefined, stdout: '', stderr: '' });
  });

  test('says nothing with --quiet where all is right', async () => {
    const quiet = await verify(join(out, NAME), '-q');
    expect(quiet).toEqual({ exitCode: 0, signal: undefined, stdout: '', stderr: '' });
  });

  test('needs the definition of a game that is not shipped', async () => {
    const result = await runInside(['verify', join(out, NAME)]);
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toBe(
      'the block is of the game "rows-plain", which is not shipped; give its definition with --definition',
    );
  });

  test('does not let a game and a stake be named for a block, which says itself what it is', async () => {
    const result = await verify(join(out, NAME), '--stake', '2');
    expect(result.exitCode).toBe(2);
    expect(lineOf(result)).toBe(
      '--game and --stake are for a bare tickets file; a block says itself what it is',
    );
  });

  test('names the manifest where it is no JSON', async () => {
    writeFileSync(join(out, NAME, 'manifest.json'), '{');
    const { exitCode, stdout } = await verify(join(out, NAME));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^a block that cannot be identified\n/);
    expect(stdout).toContain('manifest-syntax');
  });

  test('that is stopped does not speak of a block that was not kept', async () => {
    const ended = runInside([
      'verify',
      join(out, NAME),
      '--definition',
      definitionPath('rows-plain'),
    ]);
    while (process.listenerCount('SIGTERM') === 0) await setImmediate();
    process.emit('SIGTERM', 'SIGTERM');
    const { exitCode, stdout, stderr } = await ended;
    expect([exitCode, stdout]).toEqual([143, '']);
    expect(stderr).toBe('gen-block: stopped by SIGTERM; the block was not verified to its end\n');
  });

  test('does not let a broken file steer the terminal', async () => {
    const path = join(out, NAME, 'tickets.csv');
    writeFileSync(path, readFileSync(path, 'utf8').replace('\n1,', '\n\u001b[31m1,'));
    mkdirSync(join(out, NAME, 'a\u001b[2Jb'));
    const { exitCode, stdout } = await verify(join(out, NAME));
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('file-unexpected');
  });
});

describe('show', () => {
  test('makes one ticket again, as it stands in the file', async () => {
    await generate('--seed', 'demo');
    const lines = readFileSync(join(out, NAME, 'tickets.ndjson'), 'utf8').split(/(?<=\n)/);
    for (const number of [1, 500, 1000]) {
      const argv = ['show', ...PLAIN, '--seed', 'demo', '--ticket', String(number), '--json'];
      expect((await runInside(argv)).stdout).toBe(lines[number - 1]);
    }
  });

  test('draws the grids and says what the ticket is worth', async () => {
    await generate('--seed', 'demo');
    const records = readFileSync(join(out, NAME, 'tickets.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { prize_cents: number; combination: string });
    const loser = records.findIndex(({ prize_cents }) => prize_cents === 0) + 1;
    const winner = records.findIndex(({ prize_cents }) => prize_cents === 4000) + 1;
    const show = async (ticket: number): Promise<string> =>
      (await runInside(['show', ...PLAIN, '--seed', 'demo', '--ticket', String(ticket)])).stdout;
    expect(await show(loser)).toMatch(
      new RegExp(`^Ticket ${loser} of rows-plain-100-e1-b1: loses\n\nMain grid\n┌`),
    );
    const { combination = '' } = records[winner - 1] ?? {};
    expect(await show(winner)).toContain(
      `Ticket ${winner} of rows-plain-100-e1-b1: wins 40.00 EUR (${combination})\n`,
    );
  });

  test('takes its seed from the environment too', async () => {
    const argv = ['show', ...PLAIN, '--ticket', '7', '--json'];
    const { stdout } = await runInside([...argv, '--seed', 'demo']);
    expect((await runInside(argv, { GEN_BLOCK_SEED: 'demo' })).stdout).toBe(stdout);
  });
});

describe('a stream', () => {
  test.each(['ndjson', 'csv'])(
    'of %s has the bytes of the file, and a manifest',
    async (format) => {
      await generate('--seed', 'demo', '--format', format);
      const manifest = join(out, 'm.json');
      const argv = ['--seed', 'demo', '-f', format, '--manifest', manifest];
      const { exitCode, stdout, stderr } = await runInside([...PLAIN, '-o', '-', ...argv]);
      expect(exitCode).toBe(0);
      const files = filesOf(join(out, NAME));
      expect(stdout === files.get(`tickets.${format}`)?.toString('utf8')).toBe(true);
      expect(readFileSync(manifest)).toEqual(files.get('manifest.json'));
      expect(stderr).toContain('No findings: the block conforms.');
      const again = await runInside([...PLAIN, '-o', '-', ...argv]);
      expect([again.exitCode, again.stdout]).toEqual([2, '']);
      expect(lineOf(again)).toBe(`${manifest} is there already; choose another name`);
    },
  );

  test('can be quiet', async () => {
    const argv = [...PLAIN, '-o', '-', '-f', 'csv', '--seed', 'demo', '-q'];
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toHaveLength(1002);
  });
});

describe('help', () => {
  test.each([
    [['--help'], 'Usage: gen-block [options] [command]'],
    [['help'], 'Usage: gen-block [options] [command]'],
    [['generate', '--help'], 'gen-block --game eldorado --stake 1 --seed demo'],
    [['verify', '-h'], 'Exit codes:\n  0             the block conforms\n'],
    [['help', 'show'], 'gen-block show -g eldorado'],
  ])('%j is data on standard output', async (argv, words) => {
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(words);
  });

  test('the version is that of the package', async () => {
    const { exitCode, stdout } = await runInside(['--version']);
    expect([exitCode, stdout]).toEqual([0, `${TOOL_VERSION}\n`]);
  });
});
