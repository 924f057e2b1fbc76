import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseProof, type Proof } from '../formats/proof.js';
import { runInside, runProcess, type CommandResult } from '../testing/command-line.js';
import { startPython, type PythonResult, type PythonRunner } from '../testing/python-runner.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const SCRIPT = fileURLToPath(new URL('../../docs/check-proof.py', import.meta.url));

let place: string;
let block: string;
let seedFile: string;
let saltFile: string;
let commitment: string;
let proofs: readonly string[];
let python: PythonRunner;

const at = (name: string): string => join(place, name);
const definition = ['--definition', definitionPath('rows-plain')];

async function prove(...rest: readonly string[]): Promise<CommandResult> {
  return runInside(['prove', block, ...definition, ...rest]);
}

function fileOf(text: string | Uint8Array): string {
  const path = join(newFolder(), 'a.proof');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

async function check(
  text: string | Uint8Array,
  ...rest: readonly string[]
): Promise<CommandResult> {
  return runInside(['check-proof', fileOf(text), ...rest]);
}

/** What the page of Python makes of the same proofs. */
async function pythonRun(text: string | Uint8Array): Promise<PythonResult> {
  return python.run(SCRIPT, commitment, fileOf(text));
}

/** The same as its reader starts it. */
function pythonPage(text: string): Partial<PythonResult> {
  const argv = [SCRIPT, commitment, fileOf(text)];
  const { status, stdout, stderr } = spawnSync('python3', argv, { encoding: 'utf8' });
  return { status: status ?? -1, stdout, stderr };
}

beforeAll(async () => {
  python = startPython();
  place = newFolder();
  seedFile = at('a.seed');
  saltFile = at('a.salt');
  await runInside(['seed', 'new', seedFile]);
  const out = at('out');
  const made = ['generate', ...definition, '-s', '1', '--seed-file', seedFile, '--out', out, '-q'];
  expect((await runInside([...made, '--commit-tickets'])).exitCode).toBe(0);
  block = join(out, 'rows-plain-100-e1-b1');
  commitment = join(block, 'commitment.json');
  expect(
    (await runInside(['seed', 'salt-key', block, saltFile, '--seed-file', seedFile])).exitCode,
  ).toBe(0);
  const { stdout } = await prove('--all', '--salt-key', saltFile);
  proofs = stdout.trimEnd().split('\n');
});

afterAll(() => python.stop());

/** A proof of the block, by its index. */
const line = (index: number): string => proofs[index] ?? '';

function proofOf(text: string | undefined): Proof {
  return parseProof(Buffer.from(text ?? ''), 'a proof');
}

function changed(text: string | undefined, changes: Partial<Proof>): string {
  return `${JSON.stringify({ ...proofOf(text), ...changes })}\n`;
}

describe('the salt-key file', () => {
  test('is its owner’s only, names its block, and is no seed', async () => {
    expect(statSync(saltFile).mode & 0o777).toBe(0o600);
    const text = readFileSync(saltFile, 'utf8');
    expect(text).toMatch(/^gen-block-salt-key\/1 rows-plain-100-e1-b1 [0-9a-f]{64}\n$/);
    const { exitCode, stderr } = await prove('--ticket', '1', '--seed-file', saltFile);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the seed is not that of rows-plain-100-e1-b1');
  });

  test('is not made from another seed, nor over a file, nor within the block', async () => {
    const other = at('b.seed');
    await runInside(['seed', 'new', other]);
    const make = async (path: string, seed: string): Promise<CommandResult> =>
      runInside(['seed', 'salt-key', block, path, '--seed-file', seed]);
    for (const [path, seed, words] of [
      [at('b.salt'), other, 'its commitment is another'],
      [saltFile, seedFile, 'is there already; move it away or choose another name\n'],
      [join(block, 'a.salt'), seedFile, 'no other file may be; choose another folder\n'],
    ] as const) {
      const { exitCode, stderr } = await make(path, seed);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  test('is warned of where others can read it, and can be a pipe', async () => {
    const text = readFileSync(saltFile, 'utf8');
    const open = fileOf(text);
    chmodSync(open, 0o644);
    expect((await prove('--ticket', '1', '--salt-key', open)).stderr).toMatch(/others can read/);
    const argv = ['prove', block, ...definition, '--ticket', '1', '--salt-key', '-'];
    const piped = await runProcess(argv, { input: text });
    expect(piped).toMatchObject({ exitCode: 0, stdout: `${line(0)}\n`, stderr: '' });
  });

  test('lets verify check the root without the seed', async () => {
    const { exitCode, stdout } = await runInside([
      ...['verify', block, ...definition, '--salt-key', saltFile],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Checked: the Merkle root of commitment.json against every ticket.');
  });

  test.each([
    ['another block', 'gen-block-salt-key/1 rows-plain-100-e1-b2 KEY', 'and not of'],
    ['a key too short', 'gen-block-salt-key/1 rows-plain-100-e1-b1 abc', 'no salt-key file'],
    ['nothing', '', 'no salt-key file'],
    ['a seed', 'KEY', 'no salt-key file'],
  ])('of %s is refused', async (_what, text, words) => {
    const path = fileOf(text.replace('KEY', 'c'.repeat(64)));
    const { exitCode, stderr } = await prove('--ticket', '1', '--salt-key', path);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain('cccc');
  });

  test('with another key proves nothing', async () => {
    const text = readFileSync(saltFile, 'utf8').replace(/[0-9a-f]{64}/, 'c'.repeat(64));
    const { exitCode, stderr } = await prove('--ticket', '1', '--salt-key', fileOf(text));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another Merkle root')]);
  });
});

describe('prove', () => {
  test('proves every ticket, as seed and salt key alike', async () => {
    const tickets = readFileSync(join(block, 'tickets.ndjson'), 'utf8').trimEnd().split('\n');
    expect(proofs.map((each) => proofOf(each).record)).toEqual(tickets);
    const fromSeed = await prove('--ticket', '3,1', '--seed-file', seedFile);
    expect(fromSeed.stdout).toBe(`${line(0)}\n${line(2)}\n`);
  });

  test('writes to a file of its owner’s only, and says how many', async () => {
    const path = join(newFolder(), 'all.proofs');
    const { stderr, stdout } = await prove('--all', '--salt-key', saltFile, '-o', path);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/all\.proofs: 1,000 proofs; each shows its ticket\n$/);
    expect(readFileSync(path, 'utf8')).toBe(`${proofs.join('\n')}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const one = await prove('--ticket', '1', '--salt-key', saltFile, '-o', `${path}1`);
    expect(one.stderr).toMatch(/: 1 proof; each shows its ticket\n$/);
    const again = await prove('--all', '--salt-key', saltFile, '-o', path);
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining('is there already'),
    ]);
  });

  test('stays under 2 KB for the longest ticket of a block of 900,000', () => {
    const grids = new Array(5).fill(['SSSSS', 'SSSSS', 'SSSSS']);
    const combination = new Array(6).fill('5S').join('+');
    const record = JSON.stringify({ ticket: 900_000, prize_cents: 1_000_000, combination, grids });
    const path = new Array<string>(20).fill('f'.repeat(64));
    const largest = {
      path,
      ticket: 900_000,
      tickets: 900_000,
      record,
      block: 'eldorado-200-e12-b345',
    };
    expect(Buffer.byteLength(changed(line(0), largest))).toBeLessThan(2048);
  });

  test.each([
    [['--ticket', '1'], 'no key is given'],
    [['--salt-key', 'KEY'], 'no ticket is named'],
    [['--ticket', '1', '--all', '--salt-key', 'KEY'], '--ticket and --all are both given'],
    [['--ticket', '999999', '--salt-key', 'KEY'], 'there is no ticket 999999'],
    [['--ticket', '1', '--salt-key', 'KEY', '--seed-file', 'SEED'], 'are both given'],
    [['--ticket', '1', '--salt-key', 'nowhere'], 'there is no salt-key file nowhere'],
    [['--ticket', '1', '--salt-key', '/dev/zero'], '/dev/zero is no salt-key file'],
    [['--ticket', '1', '--salt-key', 'KEY', '--force'], '--force is for --out'],
  ])('refuses %j', async (argv, words) => {
    const real = argv.map((text) => text.replace('KEY', saltFile).replace('SEED', seedFile));
    const { exitCode, stderr, stdout } = await prove(...real);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
  });

  test('refuses a block without a commitment, and one of another block', async () => {
    const out = newFolder();
    const made = [
      'generate',
      ...definition,
      '-s',
      '1',
      '--seed-file',
      seedFile,
      '--out',
      out,
      '-q',
    ];
    await runInside([...made, '--block', '2']);
    const other = join(out, 'rows-plain-100-e1-b2');
    const run = async (): Promise<CommandResult> =>
      runInside(['prove', other, ...definition, '--ticket', '1', '--seed-file', seedFile]);
    expect((await run()).stderr).toContain('no commitment.json');
    writeFileSync(join(other, 'commitment.json'), readFileSync(commitment));
    const { exitCode, stderr } = await run();
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('and not of')]);
  });
});

describe('check-proof', () => {
  test('finds every proof right, by the commitment and by the root', async () => {
    const all = `${proofs.join('\n')}\n`;
    const { exitCode, stdout } = await check(all, '--commitment', commitment);
    expect([exitCode, stdout]).toEqual([0, '1,000 of 1,000 proofs hold\n']);
    expect(pythonPage(all)).toEqual({
      status: 0,
      stdout: proofs.map((each) => `proved: ${proofOf(each).record}\n`).join(''),
      stderr: '',
    });
    const root = /"tickets_root":"(\w+)"/.exec(readFileSync(commitment, 'utf8'))?.[1] ?? '';
    expect((await check(all, '--root', root.toUpperCase())).exitCode).toBe(0);
    expect((await check(all, '--root', 'a'.repeat(64))).exitCode).toBe(1);
  });

  test('shows the ticket of a single proof, out of a file or standard input', async () => {
    const only = line(0);
    const { stdout } = await check(only, '--commitment', commitment);
    expect(stdout).toBe(`proved: ${proofOf(only).record}\n`);
    const argv = ['check-proof', '-', '--commitment', commitment];
    expect(await runProcess(argv, { input: only })).toMatchObject({ exitCode: 0, stdout });
  });

  const first = (): string | undefined => proofs[0];
  const second = (): Proof => proofOf(proofs[1]);
  const hash = 'a'.repeat(64);
  test.each<[string, () => Partial<Proof>]>([
    ['another record', () => ({ record: second().record })],
    [
      'another prize',
      () => ({ record: proofOf(first()).record.replace(/cents":\d+/, 'cents":9') }),
    ],
    ['another number', () => ({ ticket: 2 })],
    ['another number and record', () => ({ ticket: 2, record: second().record })],
    ['another block', () => ({ block: 'rows-plain-100-e1-b2' })],
    ['more tickets', () => ({ tickets: proofs.length + 1 })],
    ['fewer tickets', () => ({ tickets: 1 })],
    ['a number beyond the block', () => ({ ticket: proofs.length + 1 })],
    ['another salt', () => ({ salt: second().salt })],
    ['no path', () => ({ path: [] })],
    ['a longer path', () => ({ path: [...proofOf(first()).path, hash] })],
    ['a path with one other hash', () => ({ path: [hash, ...proofOf(first()).path.slice(1)] })],
  ])('finds %s wrong, as does the page of Python', async (_what, changes) => {
    const text = changed(first(), changes());
    const { exitCode, stdout } = await check(text, '--commitment', commitment);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^line 1: ticket \d+ of \S+ is NOT proved: .*\n0 of 1 proofs hold\n$/);
    expect((await pythonRun(text)).status).toBe(1);
  });

  const NO_UTF8 = 'NO-UTF-8';
  /** The line of a proof in which one piece of text is another. */
  const written = (from: string | RegExp, to: string) => (): string =>
    `${line(0).replace(from, to)}\n`;
  const key = (from: string, to: string): (() => string) =>
    written(`"${from}":`, `${to}"${from}":`);
  test.each<[string, () => string]>([
    ['no proof at all', () => ''],
    ['empty lines only', () => '\n\n'],
    ['no JSON', () => 'proof\n'],
    ['no object', () => '[]\n'],
    ['a key twice', key('record', '"record":"{\\"ticket\\":1,\\"prize_cents\\":100000000}",')],
    ['another form', written('gen-block-proof/1', 'gen-block-proof/2')],
    ['a number with decimals', written('"ticket":1,', '"ticket":1.0,')],
    ['a number that is a word', written('"ticket":1,', '"ticket":true,')],
    ['a number as text', written('"ticket":1,', '"ticket":"1",')],
    ['a salt in capitals', written(/"salt":"\w+"/, 'SALT')],
    ['a salt with spaces', written(/"salt":"(..)/, '"salt":"$1 ')],
    ['a path with spaces', written(/"path":\["(..)/, '"path":["$1 ')],
    ['half a character', written('\\"ticket\\"', '\\ud800\\"ticket\\"')],
    ['bytes that are no UTF-8', written('rows-plain', NO_UTF8)],
    ['a byte order mark', written('{', '\uFEFF{')],
    ['something behind it', written(/$/, '}')],
    ['a line end within it', written('{', '{\n')],
    ['brackets without end', written('{', `{"x":${'['.repeat(60_000)},`)],
    [
      'a wrong one behind a right one',
      () => `${line(0)}\n${line(1).replace('"ticket":2', '"ticket":3')}\n`,
    ],
  ])('holds %s for no proof, as does the page of Python', async (_what, text) => {
    const capitals = proofOf(line(0)).salt.toUpperCase();
    const proof = Buffer.from(text().replace('SALT', `"salt":"${capitals}"`));
    // What is no character of UTF-8 has a place in no text.
    if (proof.includes(NO_UTF8))
      proof.fill(0xff, proof.indexOf(NO_UTF8), proof.indexOf(NO_UTF8) + 1);
    const { exitCode } = await check(proof, '--commitment', commitment);
    expect(exitCode).toBeGreaterThan(0);
    const { status, stderr } = await pythonRun(proof);
    expect([status, stderr]).toEqual([1, '']);
  });

  test.each<[string, () => string]>([
    ['empty lines', () => `\n${line(0)}\n\n${line(1)}`],
    ['the line ends of other systems', written(/$/, '\r')],
    ['other white space', written('{', '{\t\r ')],
    ['keys that are not known', written('{', '{"x":[{"y":1}],')],
    ['escaped letters', written('eldorado', '\\u0065ldorado')],
  ])('takes %s, as does the page of Python', async (_what, text) => {
    expect((await check(text(), '--commitment', commitment)).exitCode).toBe(0);
    expect(await pythonRun(text())).toMatchObject({ status: 0, stderr: '' });
  });

  test('nothing of a proof that does not hold is shown by the page of Python', () => {
    const text = changed(first(), { record: 'x\nproved: {"ticket":1}' });
    expect(pythonPage(text)).toEqual({ status: 1, stdout: 'NOT PROVED: line 1\n', stderr: '' });
  });

  test('says which of many are wrong, and shows the first of them', async () => {
    const wrong = changed(first(), { salt: hash });
    const text = `${line(1)}\n\n${wrong.repeat(30)}${line(2)}\n`;
    const { exitCode, stdout } = await check(text, '--commitment', commitment);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('line 3: ticket 1 of');
    expect(stdout).toContain('and 10 more\n2 of 32 proofs hold\n');
    const json = await check(text, '--commitment', commitment, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ proofs: 32, right: 2, faults: { length: 20 } });
  });

  test.each([
    ['an empty file', '', 'has no proof'],
    ['no JSON', 'proof', 'proof 1:1:1'],
    ['no object', '[]', 'proof 1 is no proof: it is no JSON object; take it'],
    ['a proof cut short', '{"format":"gen-block-proof/1"}', 'proof 1 is no proof: its "block"'],
    ['a line that never ends', 'x'.repeat(300_000), 'longer than any proof'],
    ['brackets without end', '['.repeat(100_000), '64 deep'],
    ['a key twice', '{"format":"gen-block-proof/1","format":"gen-block-proof/1"}', 'twice'],
  ])('refuses %s', async (_what, text, words) => {
    const { exitCode, stderr } = await check(text, '--commitment', commitment);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test.each([
    [[], 'nothing to check against'],
    [['--root', 'abc'], '--root is no hash'],
    [['--root', hash, '--commitment', 'x'], 'both given'],
    [['--commitment', 'nowhere'], 'there is no file nowhere'],
  ])('refuses the options %j', async (argv, words) => {
    const { exitCode, stderr } = await check(proofs[0] ?? '', ...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

test('a proof can be followed with the tools of any system', () => {
  // What docs/specification.md says of the salt and the leaf, by openssl alone.
  const { salt, ticket } = proofOf(proofs[4]);
  const [, , key = ''] = readFileSync(saltFile, 'utf8').trim().split(' ');
  const openssl = execFileSync(
    'openssl',
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`],
    { input: String(ticket), encoding: 'utf8' },
  );
  expect(openssl.trim().split(' ').at(-1)).toBe(salt);
});
