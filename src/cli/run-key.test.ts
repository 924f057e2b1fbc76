import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runInside, runProcess } from '../testing/command-line.js';
import { folderMaker, namesIn } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const PASSPHRASE = 'sesame Zq7 with words';

let folder: string;

beforeEach(() => {
  folder = newFolder();
});

const at = (name: string): string => join(folder, name);

function secret(name: string, text: string): string {
  writeFileSync(at(name), text, { mode: 0o600 });
  return at(name);
}

function openssl(...argv: readonly string[]): Buffer {
  return execFileSync('openssl', argv, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The id of a key as the documentation has it made with stock tools. */
function idByOpenssl(...key: readonly string[]): string {
  openssl('pkey', ...key, '-outform', 'DER', '-out', 'key.der');
  const words = openssl('dgst', '-sha256', '-r', 'key.der').toString();
  return words.slice(0, 16);
}

describe('key new', () => {
  test('makes a key that openssl reads, each half in a file for its owner only', async () => {
    const { exitCode, stdout, stderr } = await runInside(['key', 'new', at('k')]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${idByOpenssl('-pubin', '-in', 'k.pub')}  ${at('k')}\n`);
    expect(openssl('pkey', '-in', 'k', '-pubout')).toEqual(readFileSync(at('k.pub')));
    for (const name of ['k', 'k.pub']) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    expect(stderr).toContain('k has the private key, not encrypted; whoever reads it can sign');
    expect(stdout + stderr).not.toContain(readFileSync(at('k'), 'latin1').split('\n')[1]);
  });

  test('encrypts it with a passphrase, which openssl opens', async () => {
    const file = secret('passphrase', `${PASSPHRASE}\r\n`);
    const argv = ['key', 'new', at('k'), '--passphrase-file', file];
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect(exitCode).toBe(0);
    expect(readFileSync(at('k'), 'latin1')).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    const opened = openssl('pkey', '-in', 'k', '-passin', `pass:${PASSPHRASE}`, '-pubout');
    expect(opened).toEqual(readFileSync(at('k.pub')));
    expect(stdout + stderr).not.toContain(PASSPHRASE);
    expect(stderr).not.toContain('not encrypted');
  });

  test.each(['k', 'k.pub'])('touches nothing where %s is there already', async (name) => {
    writeFileSync(at(name), 'mine');
    const { exitCode, stdout, stderr } = await runInside(['key', 'new', at('k')]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^gen-block: \S+ is there already; move it away or choose another name\n$/,
    );
    expect([namesIn(folder), readFileSync(at(name), 'utf8')]).toEqual([[name], 'mine']);
  });

  test.each([
    ['empty', '\n', 'is empty'],
    ['too long', 'x'.repeat(1025), 'is longer than 1024 bytes'],
    ['of two lines', 'sesame\nopen', 'is more than one line of text'],
    ['binary', 'sesame\0open', 'is more than one line of text'],
  ])('refuses a passphrase that is %s', async (_, text, words) => {
    const file = secret('passphrase', text);
    const argv = ['key', 'new', at('k'), '--passphrase-file', file];
    const { exitCode, stdout, stderr } = await runInside(argv);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`gen-block: the passphrase from ${file} ${words}\n`);
    expect(existsSync(at('k'))).toBe(false);
  });

  test('reads the passphrase from standard input', async () => {
    const argv = ['key', 'new', at('k'), '--passphrase-file', '-'];
    expect((await runProcess(argv, { input: PASSPHRASE })).exitCode).toBe(0);
    const opened = openssl('pkey', '-in', 'k', '-passin', `pass:${PASSPHRASE}`, '-pubout');
    expect(opened).toEqual(readFileSync(at('k.pub')));
  });
});

describe('key id', () => {
  test('shows the same for both halves, of keys that openssl has made too', async () => {
    openssl('genpkey', '-algorithm', 'ed25519', '-out', 'o');
    openssl('pkey', '-in', 'o', '-pubout', '-out', 'o.pub');
    const pass = ['-aes-256-cbc', '-pass', `pass:${PASSPHRASE}`];
    openssl('genpkey', '-algorithm', 'ed25519', ...pass, '-out', 'e');
    openssl('pkey', '-in', 'e', '-passin', `pass:${PASSPHRASE}`, '-pubout', '-out', 'e.pub');
    const [plain, shut] = ['o', 'e'].map((name) => idByOpenssl('-pubin', '-in', `${name}.pub`));
    for (const name of ['o', 'e']) chmodSync(at(name), 0o600);
    const file = secret('passphrase', PASSPHRASE);
    const paths = ['o', 'o.pub', 'e', 'e.pub'].map(at);
    const { exitCode, stdout, stderr } = await runInside([
      ...['key', 'id', ...paths],
      ...['--passphrase-file', file],
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const ids = [plain, plain, shut, shut];
    expect(stdout).toBe(paths.map((path, index) => `${String(ids[index])}  ${path}\n`).join(''));
  });

  test('warns of a private key that others can read, and not of a public one', async () => {
    await runInside(['key', 'new', at('k')]);
    for (const name of ['k', 'k.pub']) chmodSync(at(name), 0o644);
    const { stderr } = await runInside(['key', 'id', at('k'), at('k.pub')]);
    expect(stderr).toBe(`gen-block: others can read ${at('k')}; take that from them (chmod 600)\n`);
  });

  test.each<[string, () => string, RegExp]>([
    ['that is not there', () => at('none'), /there is no file \S+none; check the path\n$/],
    ['that is a folder', () => folder, /is not a regular file; name the file itself\n$/],
    ['that is a device', () => '/dev/zero', /is not a regular file; name the file itself\n$/],
    ['that is huge', () => secret('huge', 'x'.repeat(9_000_000)), /is too long for a key; name/],
    ['that is no key', () => secret('words', 'Zq7 words'), /words is no key in PEM; gen-block key/],
  ])('shows nothing where there is one %s', async (_, path, words) => {
    await runInside(['key', 'new', at('k')]);
    const { exitCode, stdout, stderr } = await runInside(['key', 'id', at('k.pub'), path()]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('Zq7');
  });
});
