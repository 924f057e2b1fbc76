import { execFileSync, type StdioOptions } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newAgeKey, runAge, writeIdentityFile, type AgeKey } from '../testing/age-lab.js';
import { checkedJson } from '../testing/checked-json.js';
import { PROGRAM, runInside, runProcess, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const GAME = ['--definition', definitionPath('eldorado-mini')];
const JOB = [...GAME, '--stake', '1', '--seed', 'demo'];
const NAME = 'eldorado-mini-100-e1-b1';
const PLAIN = join(newFolder(), NAME);

/** The last line that a run said. */
const lastLine = ({ stderr }: CommandResult): string => stderr.trimEnd().split('\n').at(-1) ?? '';

let key: AgeKey;
let keyPath: string;
let otherPath: string;
let out: string;
let folder: string;
let made: CommandResult;

beforeAll(async () => {
  key = await newAgeKey();
  keyPath = writeIdentityFile(newFolder(), key);
  otherPath = writeIdentityFile(newFolder(), await newAgeKey());
  out = newFolder();
  folder = join(out, NAME);
  made = await runInside([...JOB, '--out', out, '--encrypt-to', key.recipient]);
  await runInside([...JOB, '--out', join(PLAIN, '..'), '--quiet']);
});

describe('--encrypt-to', () => {
  test('makes an encrypted block, and its report says of which bytes it speaks', () => {
    expect(made.exitCode).toBe(0);
    expect(readdirSync(folder)).toEqual(['manifest.json', 'tickets.csv.age', 'tickets.ndjson.age']);
    expect(made.stdout).toMatch(/^tickets\.csv\.age: 9,000 records, [\d,]+ bytes decrypted$/m);
    expect(made.stdout).toContain('Not checked: that the files can be decrypted: ');
    const csv = runAge(['-d', '-i', keyPath, join(folder, 'tickets.csv.age')], Buffer.alloc(0));
    expect(csv.equals(readFileSync(join(PLAIN, 'tickets.csv')))).toBe(true);
  });

  test('makes it again: it is kept with an identity, and refused without', async () => {
    const again = [...JOB, '--out', out, '--encrypt-to', key.recipient];
    const before = hashesOf(folder);
    const kept = await runInside([...again, '--identity', keyPath]);
    expect([kept.exitCode, lastLine(kept)]).toEqual([
      0,
      expect.stringContaining('was there already: verified and kept'),
    ]);
    const refused = await runInside(again);
    expect([refused.exitCode, lastLine(refused)]).toEqual([
      2,
      expect.stringContaining('no identity opens it; give one with --identity, or use --force'),
    ]);
    expect(hashesOf(folder)).toEqual(before);
  });

  test('encrypts a stream, compressed first', async () => {
    const argv = ['-f', 'csv', '-o', '-', '--compress', 'gzip', '--quiet'];
    const stream = outputOf([...JOB, ...argv, '--encrypt-to', key.recipient]);
    const path = join(newFolder(), 'sold.csv.gz.age');
    writeFileSync(path, stream);
    const verified = ['verify', path, ...GAME, '-s', '1', '--identity', keyPath];
    expect((await runInside(verified)).stdout).toContain('No findings: the block conforms.');
  });

  test.each([
    ['age1nobody', 'age1nobody is no age recipient; give the public key'],
    ['AGE-SECRET-KEY-1QQQQ', 'a secret key is no age recipient'],
    ['', '--encrypt-to is empty; give it a value'],
  ])('%j is refused with one line, before anything is written', async (recipient, words) => {
    const target = newFolder();
    const argv = [...JOB.slice(0, -2), '--out', target, `--encrypt-to=${recipient}`];
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stderr).not.toContain('QQQQ');
    expect(readdirSync(target)).toEqual([]);
  });

  test('--identity has nothing to do with a stream', async () => {
    const argv = [...JOB, '-f', 'csv', '-o', '-', '--identity', keyPath];
    const result = await runInside(argv);
    expect([result.exitCode, lastLine(result)]).toEqual([
      2,
      'gen-block: --identity is for a folder, and --out - has none; leave it out',
    ]);
  });
});

/** What a process of the program writes to standard output, which is no text. */
function outputOf(argv: readonly string[]): Buffer {
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
  return execFileSync(process.execPath, [PROGRAM, ...argv], { stdio, maxBuffer: 2 ** 26 });
}

describe('verify of an encrypted block', () => {
  test.each([[[]], [['--seed', 'demo']], [['--threads', '2']]])(
    'with an identity and %j',
    async (more) => {
      const argv = ['verify', folder, ...GAME, '--identity', otherPath, '--identity', keyPath];
      const { exitCode, stdout } = await runInside([...argv, ...more]);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No findings')]);
    },
  );

  test.each(['ndjson', 'csv'])('as a bare %s file', async (format) => {
    const argv = ['verify', join(folder, `tickets.${format}.age`), ...GAME, '-s', '1'];
    expect((await runInside([...argv, '--identity', keyPath, '-q'])).exitCode).toBe(0);
    const closed = await runInside(argv);
    expect([closed.exitCode, closed.stdout]).toEqual([
      1,
      expect.stringContaining('file-encrypted'),
    ]);
  });

  test.each([
    [
      'without an identity',
      [],
      'an encrypted file, and no identity; contents not checked: give an identity with --identity',
    ],
    [
      'with another identity',
      ['--identity'],
      'a file that none of the identities opens: it was encrypted to others, or its header is damaged; contents not checked',
    ],
  ])('%s ends with exit code 1, and says what is not known', async (_, options, words) => {
    const argv = ['verify', folder, ...GAME, ...options.flatMap((name) => [name, otherPath])];
    const { exitCode, stdout } = await runInside(argv);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('2 findings: not known whether the block conforms.');
    expect(stdout).toContain('  2 x file-encrypted\n');
    expect(stdout).toContain(words);
    expect(stdout).toContain('Not checked: tickets.csv.age: contents not checked, ');
    // A table of tickets that nobody has seen would be a lie.
    expect(stdout).not.toContain('should be');
    const json = await runInside([...argv, '--json']);
    expect(checkedJson('report', json.stdout)).toMatchObject({ conforms: false });
  });

  test('with an identity has a JSON report of its form', async () => {
    const { stdout } = await runInside([
      'verify',
      folder,
      ...GAME,
      '--identity',
      keyPath,
      '--json',
    ]);
    expect(checkedJson('report', stdout)).toMatchObject({
      conforms: true,
      files: [{ encryption: 'age' }, { encryption: 'age' }],
    });
  });
});

describe('an identity file', () => {
  test('that others can read is warned of', async () => {
    const path = writeIdentityFile(newFolder(), key);
    chmodSync(path, 0o644);
    const { exitCode, stderr } = await runInside(['verify', folder, ...GAME, '--identity', path]);
    expect([exitCode, stderr]).toEqual([
      0,
      `gen-block: others can read ${path}; take that from them (chmod 600)\n`,
    ]);
  });

  test('of age-keygen is read, and one with CRLF', async () => {
    const path = join(newFolder(), 'crlf.key');
    writeFileSync(path, `# mine\r\n\r\n${key.identity}\r\n`, { mode: 0o600 });
    expect((await runInside(['verify', folder, ...GAME, '--identity', path, '-q'])).exitCode).toBe(
      0,
    );
  });

  const texts: readonly (readonly [what: string, text: (own: AgeKey) => string, words: string])[] =
    [
      ['empty', () => '', 'holds no age identity; name the file that age-keygen has written'],
      ['with comments only', () => '# nothing\n', 'holds no age identity'],
      ['with a word in it', () => '# a\nsecret\n', 'has no age identity in line 2; write one that'],
      ['cut short', ({ identity }) => identity.slice(0, -3), 'has no age identity in line 1'],
      ['with a recipient', ({ recipient }) => recipient, 'has no age identity in line 1'],
      [
        'encrypted',
        () => 'age-encryption.org/v1\n-> scrypt',
        'is itself encrypted; decrypt it on the way',
      ],
      ['too long', () => '#'.repeat(70_000), 'has more than 65536 bytes'],
    ];

  test.each(texts)(
    '%s is refused with one line that does not repeat it',
    async (_, text, words) => {
      const path = join(newFolder(), 'wrong.key');
      writeFileSync(path, text(key), { mode: 0o600 });
      const result = await runInside(['verify', folder, ...GAME, '--identity', path]);
      expect([result.exitCode, result.stdout]).toEqual([2, '']);
      expect(result.stderr.startsWith(`gen-block: the identity file ${path} ${words}`)).toBe(true);
      expect(result.stderr.trimEnd()).not.toContain('\n');
      expect(result.stderr).not.toContain(key.identity.slice(16, 40));
      expect(result.stderr).not.toContain('secret\n');
    },
  );

  test('that is not there is refused', async () => {
    const path = join(newFolder(), 'none.key');
    const result = await runInside(['verify', folder, ...GAME, '--identity', path]);
    expect([result.exitCode, result.stderr]).toEqual([
      2,
      `gen-block: there is no identity file ${path}; check the path\n`,
    ]);
  });

  test('can be standard input', async () => {
    const argv = ['verify', folder, ...GAME, '--identity', '-', '-q'];
    expect((await runProcess(argv, { input: `${key.identity}\n` })).exitCode).toBe(0);
  });
});

describe('what reads a block reads an encrypted one', () => {
  const withKey = (): readonly string[] => [...GAME, '--identity', keyPath];

  test('show', async () => {
    const argv = ['--ticket', '1,7', '--json'];
    const { exitCode, stdout } = await runInside(['show', folder, ...withKey(), ...argv]);
    expect([exitCode, stdout]).toEqual([
      0,
      (await runInside(['show', PLAIN, ...GAME, ...argv])).stdout,
    ]);
    const seeded = await runInside(['show', ...JOB, '--identity', keyPath, '--ticket', '1']);
    expect([seeded.exitCode, lastLine(seeded)]).toEqual([
      2,
      'gen-block: --identity opens the files of a block; name one, or leave it out',
    ]);
  });

  test('export', async () => {
    const [ours, right] = [newFolder(), newFolder()];
    await runInside(['export', PLAIN, ...GAME, '--dialect', 'long', '-o', right]);
    const argv = ['export', folder, ...withKey(), '--dialect', 'long', '-o', ours];
    expect((await runInside(argv)).exitCode).toBe(0);
    expect(hashesOf(ours)).toEqual(hashesOf(right));
  });

  test('audit and report', async () => {
    expect((await runInside(['audit', folder, ...withKey(), '-q'])).exitCode).toBe(0);
    const page = join(newFolder(), 'report.html');
    const { exitCode } = await runInside(['report', folder, ...withKey(), '-o', page, '-q']);
    expect([exitCode, statSync(page).size > 10_000]).toEqual([0, true]);
  });

  test('load', async () => {
    const database = `sqlite:${join(newFolder(), 'sales.db')}`;
    const loaded = await runInside(['load', folder, ...withKey(), '--to', database]);
    expect([loaded.exitCode, loaded.stderr]).toEqual([
      0,
      expect.stringContaining('9,000 tickets loaded'),
    ]);
    const plain = await runInside(['load', PLAIN, ...GAME, '--to', database]);
    expect(plain.stderr).toContain('has this very block already');
    // The manifest in the database states the files as they were; the rows make their content again.
    const argv = ['verify', NAME, ...GAME, '--from', database];
    expect((await runInside(argv)).stdout).toContain('No findings');
  });

  test.each<[command: string, options: (target: string) => readonly string[]]>([
    ['show', () => ['--ticket', '1']],
    ['export', (target) => ['--dialect', 'long', '--out', target]],
    ['audit', () => []],
    ['report', (target) => ['-o', join(target, 'report.html')]],
    ['load', (target) => ['--to', `sqlite:${join(target, 'sales.db')}`]],
  ])('%s refuses it with one line where no identity opens it', async (command, options) => {
    for (const identity of [[], ['--identity', otherPath]]) {
      const target = newFolder();
      const argv = [command, folder, ...GAME, ...options(target), ...identity];
      const result = await runInside(argv);
      expect([result.exitCode, result.stdout]).toEqual([2, '']);
      expect(lastLine(result)).toMatch(
        /^gen-block: \S+ is encrypted, and no identity opens it; give one that does with --identity$/,
      );
      // An empty database may be there by then, and nothing else.
      expect(readdirSync(target).filter((name) => !name.startsWith('sales.db'))).toEqual([]);
    }
  });
});
