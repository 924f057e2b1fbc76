import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { verifyBlock } from '../verify/verify-block.js';
import { checkedJson } from '../testing/checked-json.js';
import { runInside, runProcess, type CommandResult } from '../testing/command-line.js';
import { sampleKey, writeKey, type KeyPaths } from '../testing/sample-keys.js';
import { killAtRandom } from '../testing/killed-runs.js';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';
const DEFINITION = ['--definition', definitionPath('collect-bare')];
const PASSPHRASE = 'sesame-Zq7-and-more';
const OPERATOR = sampleKey('a');
const AUDITOR = sampleKey('b');
const SIGNATURE = `manifest.json.${OPERATOR.key.id}.sig`;

let keys: string;
let operator: KeyPaths;
let auditor: KeyPaths;
let encrypted: string;
let passphraseFile: string;
let made: string;
let out: string;
let block: string;

beforeAll(async () => {
  keys = newFolder();
  operator = writeKey(OPERATOR, keys);
  auditor = writeKey(AUDITOR, keys);
  encrypted = join(keys, 'encrypted.key');
  passphraseFile = join(keys, 'passphrase');
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`, { mode: 0o600 });
  const pass = ['-aes-256-cbc', '-passout', `file:${passphraseFile}`];
  openssl('pkey', '-in', operator.privatePath, ...pass, '-out', encrypted);
  chmodSync(encrypted, 0o600);
  made = newFolder();
  expect((await generate(made, '--seed', 'x')).exitCode).toBe(0);
});

beforeEach(() => {
  out = newFolder();
  cpSync(made, out, { recursive: true });
  block = join(out, NAME);
});

function openssl(...argv: readonly string[]): Buffer {
  return execFileSync('openssl', argv, { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** What the documentation says to check a signature with. */
function opensslAccepts({ publicPath }: KeyPaths, name: string, folder = block): boolean {
  const key = ['-pubin', '-inkey', publicPath];
  const files = ['-rawin', '-in', join(folder, 'manifest.json'), '-sigfile', join(folder, name)];
  try {
    return openssl('pkeyutl', '-verify', ...key, ...files).includes('Verified Successfully');
  } catch {
    return false;
  }
}

async function generate(folder: string, ...more: readonly string[]): Promise<CommandResult> {
  return runInside(['generate', ...DEFINITION, '--stake', '1', '--out', folder, '-q', ...more]);
}

async function sign(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['sign', block, ...DEFINITION, ...argv]);
}

async function verify(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['verify', block, ...DEFINITION, ...argv]);
}

describe('sign', () => {
  test('says what it has made, and openssl accepts what was signed', async () => {
    const before = hashesOf(block);
    expect(await sign('--key', operator.privatePath)).toEqual({
      ...{ exitCode: 0, signal: undefined, stdout: '' },
      stderr: `gen-block: ${block}: verified; ${SIGNATURE} was made\n`,
    });
    expect(statSync(join(block, SIGNATURE)).mode & 0o777).toBe(0o600);
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
    expect(opensslAccepts(auditor, SIGNATURE)).toBe(false);
    expect(hashesOf(block)).toMatchObject(before);
    expect((await sign('--key', operator.privatePath)).stderr).toMatch(/sig was there already\n$/);
  });

  test('takes a block by its manifest, a key encrypted by openssl, and says nothing', async () => {
    const argv = ['--key', encrypted, '--passphrase-file', passphraseFile, '--quiet'];
    const path = join(block, 'manifest.json');
    expect(await runInside(['sign', path, ...DEFINITION, ...argv])).toMatchObject({
      ...{ exitCode: 0, stdout: '', stderr: '' },
    });
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
  });

  test('signs nothing that does not conform', async () => {
    appendFileSync(join(block, 'tickets.csv'), 'x');
    const { exitCode, stdout, stderr } = await sign('--key', operator.privatePath);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/collect-bare-100-e1-b1 does not conform and was not signed\n/);
    expect(stderr).toMatch(/findings: the block does not conform/);
    writeFileSync(join(block, 'manifest.json'), '{');
    expect((await sign('--key', operator.privatePath)).exitCode).toBe(1);
    expect(namesIn(block)).toEqual(namesIn(join(made, NAME)));
  });

  test('replaces a wrong signature by force only', async () => {
    writeFileSync(join(block, SIGNATURE), Buffer.alloc(64));
    const { exitCode, stderr } = await sign('--key', operator.privatePath);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gen-block: .*\.sig is there already and is no signature of this man/);
    expect((await sign('--key', operator.privatePath, '--force')).stderr).toMatch(/was replaced\n/);
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
  });

  test('clears up what a run that was killed has left, which is no finding', async () => {
    const { ownerTag } = await import('../block/owner.js');
    const [, world = ''] = ownerTag().split('-');
    const left = `${SIGNATURE}.new-99999999-${world}-${'a'.repeat(32)}`;
    writeFileSync(join(block, left), 'half');
    expect((await verify('--quiet')).exitCode).toBe(0);
    expect((await generate(out, '--seed', 'x')).exitCode).toBe(0);
    expect((await sign('--key', operator.privatePath)).exitCode).toBe(0);
    expect(namesIn(block)).not.toContain(left);
  });

  test('that is killed before a signature has its name leaves the block as it was', async () => {
    const preload = `
      import files from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      files.link = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
    const argv = ['sign', block, ...DEFINITION, '--key', operator.privatePath];
    expect((await runProcess(argv, { env })).signal).toBe('SIGKILL');
    const left = namesIn(block).filter((name) => name.startsWith(`${SIGNATURE}.new-`));
    expect([left.length, namesIn(block).length]).toEqual([1, 4]);
    const { stdout } = await verify('--trusted-key', operator.publicPath, '--json');
    expect(checkedJson('report', stdout)).toMatchObject({
      findingCounts: [{ code: 'signature-missing', count: 1 }],
    });
    expect((await sign('--key', operator.privatePath)).exitCode).toBe(0);
    expect(namesIn(block).filter((name) => name.includes('.sig'))).toEqual([SIGNATURE]);
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['no key', () => [], /^gen-block: required option '--key <file>' not specified\n$/],
    ['a public key', () => ['--key', operator.publicPath], /is a public key, which cannot sign; /],
    ['no passphrase', () => ['--key', encrypted], /is encrypted; give its passphrase with --pass/],
    [
      'a wrong passphrase',
      () => ['--key', encrypted, '--passphrase-file', definitionPath('rows-plain')],
      /the passphrase from \S+ is (more than one line|longer than 1024)/,
    ],
    [
      'the key for a passphrase',
      () => ['--key', encrypted, '--passphrase-file', wrongPassphrase()],
      /encrypted\.key cannot be opened: the passphrase is wrong, or the file is damaged\n$/,
    ],
    [
      'a key that is not there',
      () => ['--key', join(keys, 'none')],
      /there is no key file \S+none/,
    ],
    ['a folder', () => ['--key', keys], /there is no key file \S+; check the path\n$/],
    ['a device', () => ['--key', '/dev/zero'], /zero is too long for a key; name the key file\n$/],
    [
      'standard input twice',
      () => ['--key', '-', '--passphrase-file', '-'],
      /standard input is one of them; put the others into files\n$/,
    ],
  ])('refuses %s', async (_, argv, words) => {
    const { exitCode, stdout, stderr } = await sign(...argv());
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/Zq7|sesame/);
    expect(namesIn(block)).toEqual(namesIn(join(made, NAME)));
  });

  function wrongPassphrase(): string {
    const path = join(newFolder(), 'wrong');
    writeFileSync(path, 'open sesame', { mode: 0o600 });
    return path;
  }

  test('warns of a key that others can read', async () => {
    const { privatePath } = writeKey(OPERATOR, newFolder());
    chmodSync(privatePath, 0o640);
    const { exitCode, stderr } = await sign('--key', privatePath);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`others can read ${privatePath}; take that from them (chmod 600)\n`);
  });
});

describe('verify --trusted-key', () => {
  test('accepts what openssl has signed', async () => {
    const file = join(block, 'manifest.json');
    const key = ['-inkey', auditor.privatePath, '-rawin', '-in', file];
    const name = `manifest.json.${AUDITOR.key.id}.sig`;
    openssl('pkeyutl', '-sign', ...key, '-out', join(block, name));
    const { exitCode, stdout } = await verify('--trusted-key', auditor.publicPath);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `\nChecked: the signature of manifest.json by key ${AUDITOR.key.id}.\n`,
    );
  });

  test('asks each key for its signature', async () => {
    await sign('--key', operator.privatePath);
    const both = ['--trusted-key', operator.publicPath, '--trusted-key', auditor.publicPath];
    const { exitCode, stdout } = await verify(...both, '--json');
    expect(exitCode).toBe(1);
    expect(checkedJson('report', stdout)).toMatchObject({
      conforms: false,
      findings: [
        {
          code: 'signature-missing',
          place: { file: `manifest.json.${AUDITOR.key.id}.sig` },
          expected: `the signature of manifest.json by key ${AUDITOR.key.id}`,
          found: 'no such file',
        },
      ],
    });
    await sign('--key', auditor.privatePath);
    expect((await verify(...both, '--quiet')).exitCode).toBe(0);
  });

  test('goes with the seed too', async () => {
    const seed = ['--seed', 'x', '--trusted-key', operator.publicPath];
    const missing = await verify(...seed);
    expect(missing.exitCode).toBe(1);
    expect(missing.stdout).toContain('  1 x signature-missing\n');
    await sign('--key', operator.privatePath);
    const { exitCode, stdout } = await verify(...seed);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Checked: the signature of manifest.json by key');
    expect(stdout).toContain('against the block that the seed makes');
    expect(stdout).not.toContain('Not checked');
  });

  test('without it, signatures are named as not checked, and a block without any as ever', async () => {
    const before = await verify();
    expect(before.stdout).not.toContain('signature');
    await sign('--key', operator.privatePath);
    const line = `Not checked: the signature by key ${OPERATOR.key.id}: give its public key with --trusted-key.\n`;
    expect((await verify()).stdout).toBe(before.stdout + line);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['a private key', () => [block, '--trusted-key', operator.privatePath], /is a private key; /],
    ['nothing', () => [block, '--trusted-key', ''], /--trusted-key is empty; give it a value/],
    ['a file that is not there', () => [block, '--trusted-key', 'none'], /there is no file none/],
    [
      'a bare tickets file',
      () => [join(block, 'tickets.csv'), '--trusted-key', operator.publicPath],
      /--trusted-key is for a block's manifest; name the block's folder/,
    ],
    [
      'a database',
      () => [NAME, '--from', 'sqlite:none.db', '--trusted-key', operator.publicPath],
      /--trusted-key is for files, and --from reads a database; leave one of them out/,
    ],
  ])('refuses %s', async (_, argv, words) => {
    const { exitCode, stdout, stderr } = await runInside(['verify', ...DEFINITION, ...argv()]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });
});

describe('generate --sign-key', () => {
  test('signs the block that it makes, and says so', async () => {
    out = newFolder();
    const argv = ['--seed', 'x', '--sign-key', operator.privatePath];
    const game = ['generate', ...DEFINITION, '--stake', '1', '--out', out];
    const { exitCode, stdout } = await runInside([...game, ...argv]);
    expect(exitCode).toBe(0);
    const line = `Checked: the signature of manifest.json by key ${OPERATOR.key.id}.\n`;
    expect(stdout).toContain(line);
    block = join(out, NAME);
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
    const unsigned = hashesOf(join(made, NAME));
    expect(hashesOf(block)).toEqual({ ...unsigned, [SIGNATURE]: hashesOf(block)[SIGNATURE] });
    // Again: it is kept, and is not said to be unchecked.
    const again = await runInside([...game, ...argv]);
    expect(again.stdout).toContain(line);
    expect(again.stdout).not.toContain('--trusted-key');
  });

  test('signs a block that is kept where it lacks the signature', async () => {
    const argv = ['--sign-key', encrypted, '--passphrase-file', passphraseFile];
    expect((await generate(out, '--seed', 'x', ...argv)).exitCode).toBe(0);
    expect(opensslAccepts(operator, SIGNATURE)).toBe(true);
    writeFileSync(join(block, SIGNATURE), 'wrong');
    const { exitCode, stderr } = await generate(out, '--seed', 'x', ...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/\.sig is there already and is no signature of this manifest\.json; /);
  });

  test('signs no block that is kept and does not conform', async () => {
    appendFileSync(join(block, 'tickets.csv'), 'x');
    const argv = ['--seed', 'x', '--sign-key', operator.privatePath];
    expect((await generate(out, ...argv)).exitCode).toBe(1);
    expect(namesIn(block)).not.toContain(SIGNATURE);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    [
      'with a stream',
      () => ['-o', '-', '-f', 'csv', '--seed', 'x', '--sign-key', operator.privatePath],
      /--sign-key is for a folder, and --out - has none; leave it out/,
    ],
    [
      'with a passphrase and no key',
      () => ['--out', out, '--passphrase-file', passphraseFile],
      /--passphrase-file goes with --sign-key; give both or none/,
    ],
    [
      'with the seed and the passphrase from standard input',
      () => [
        ...['--out', out, '--seed-file', '-', '--sign-key', encrypted],
        ...['--passphrase-file', '-'],
      ],
      /standard input is one of them; put the others into files/,
    ],
    [
      'with a key that is none, before a fresh seed is made',
      () => ['--out', out, '--sign-key', passphraseFile],
      /passphrase is no key in PEM; /,
    ],
  ])('is refused %s', async (_, argv, words) => {
    rmSync(block, { recursive: true });
    const game = ['generate', ...DEFINITION, '--stake', '1'];
    const { exitCode, stdout, stderr } = await runInside([...game, ...argv()]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain(PASSPHRASE);
    expect(namesIn(out)).toEqual([]);
  });
});

test('a block that is signed as it is made never has its name without its signature', async () => {
  out = newFolder();
  const seed = join(newFolder(), 'seed');
  writeFileSync(seed, 'a seed that is long enough for this', { mode: 0o600 });
  const game = loadDefinitionFile(definitionPath('collect-bare'));
  const argv = ['generate', ...DEFINITION, '--stake', '1', '--seed-file', seed];
  const isWhole = async (folder: string): Promise<boolean> =>
    (await verifyBlock(folder, { game, trustedKeys: [OPERATOR.key] })).conforms;
  const killed = { argv: [...argv, '--sign-key', operator.privatePath], name: NAME, isWhole };
  const { problems } = await killAtRandom(killed, { out, kills: 4, longestDelayMs: 60 });
  expect(problems).toEqual([]);
  expect(await isWhole(join(out, NAME))).toBe(true);
});

describe('batch --sign-key', () => {
  const JOBS = fileURLToPath(
    new URL('../../fixtures/jobs/three-small-blocks.json', import.meta.url),
  );
  const PATHS = [
    'eldorado-mini-100-e1-b1',
    'eldorado-mini-100-e1-b2',
    join('lagon', 'lagon-mini-50-e1-b1'),
  ];

  async function batch(...argv: readonly string[]): Promise<CommandResult> {
    return runInside(['batch', JOBS, '--seed', 'a seed', '--out', out, '-q', ...argv]);
  }

  const areAllSigned = (): boolean =>
    PATHS.every((path) => opensslAccepts(operator, SIGNATURE, join(out, path)));

  beforeEach(() => {
    out = newFolder();
  });

  test('signs every block, in each of its threads', async () => {
    const argv = ['--sign-key', encrypted, '--passphrase-file', passphraseFile, '--threads', '3'];
    expect((await batch(...argv)).exitCode).toBe(0);
    expect(areAllSigned()).toBe(true);
  });

  test('signs blocks that are kept, and refuses one with a wrong signature', async () => {
    expect((await batch('--threads', '1')).exitCode).toBe(0);
    const signs = ['--sign-key', operator.privatePath];
    expect((await batch(...signs, '--threads', '1', '--json')).exitCode).toBe(0);
    expect(areAllSigned()).toBe(true);
    writeFileSync(join(out, PATHS[1]!, SIGNATURE), Buffer.alloc(64));
    const { exitCode, stdout } = await batch(...signs, '--threads', '2', '--json');
    expect(exitCode).toBe(2);
    expect(checkedJson('batch', stdout)).toMatchObject({
      blocks: [
        { outcome: 'kept' },
        { outcome: 'refused', reason: expect.stringMatching(/is no signature of this manifest/) },
        { outcome: 'kept' },
      ],
    });
  });
});

test('neither the key nor its passphrase leaves a trace, as text, hexadecimal or Base64', async () => {
  const { privatePem, key } = OPERATOR;
  const secret = Buffer.from(key.pkcs8).subarray(-32);
  const argv = ['--sign-key', encrypted, '--passphrase-file', passphraseFile];
  const said = [
    await sign('--key', encrypted, '--passphrase-file', passphraseFile),
    await generate(out, '--seed', 'x', ...argv, '--json'),
    await runProcess(['sign', block, ...DEFINITION, '--key', encrypted, '--passphrase-file', '-'], {
      input: 'wrong',
    }),
    await verify('--trusted-key', operator.publicPath, '--json'),
  ].map(({ stdout, stderr }) => stdout + stderr);
  const written = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(written.length).toBeGreaterThan(4);
  const everything = [...said, ...written].join('\n').toLowerCase();
  const forms = [secret.toString('latin1'), secret.toString('hex'), privatePem.split('\n')[1]!];
  for (const form of [...forms, PASSPHRASE]) {
    expect(everything).not.toContain(form.toLowerCase());
  }
});
