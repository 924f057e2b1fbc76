import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runInside } from '../testing/command-line.js';
import { definitionPath, folderMaker } from '../testing/sample-requests.js';

const newFolder = folderMaker();

let folder: string;

beforeEach(() => {
  folder = newFolder();
});

const at = (name: string): string => join(folder, name);

/** Makes a seed or share; returns its file and the commitment that was shown. */
async function newSeed(name: string): Promise<{ readonly path: string; readonly line: string }> {
  const { exitCode, stdout } = await runInside(['seed', 'new', at(name)]);
  expect(exitCode).toBe(0);
  return { path: at(name), line: stdout };
}

function share(name: string, text: string, mode = 0o600): string {
  writeFileSync(at(name), `${text}\n`, { mode });
  return at(name);
}

/** Makes a small block. */
async function generate(out: string, ...seed: readonly string[]): ReturnType<typeof runInside> {
  const game = ['--definition', definitionPath('collect-bare'), '--stake', '1'];
  return runInside(['generate', ...game, '--out', out, '--quiet', ...seed]);
}

const MANIFEST = 'collect-bare-100-e1-b1/manifest.json';

function commitmentOf(out: string): unknown {
  const manifest = JSON.parse(readFileSync(join(out, MANIFEST), 'utf8')) as object;
  return new Map(Object.entries(manifest)).get('seed_commitment');
}

describe('seed new', () => {
  test('makes 256 bits for their owner only, and shows what commits to them', async () => {
    const { path, line } = await newSeed('a.seed');
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(line).toMatch(/^[0-9a-f]{64} {2}\S+\n$/);
    const out = newFolder();
    await generate(out, '--seed-file', path);
    expect(commitmentOf(out)).toBe(line.slice(0, 64));
  });

  test('never makes the same twice, and takes no file that is there', async () => {
    const [first, second] = [await newSeed('a.seed'), await newSeed('b.seed')];
    expect(readFileSync(first.path)).not.toEqual(readFileSync(second.path));
    const before = readFileSync(first.path);
    const { exitCode, stderr } = await runInside(['seed', 'new', first.path]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/a\.seed is there already/);
    expect(readFileSync(first.path)).toEqual(before);
  });

  test('says nothing of the seed', async () => {
    const { stdout, stderr } = await runInside(['seed', 'new', at('a.seed')]);
    const seed = readFileSync(at('a.seed'), 'utf8').trim();
    expect(stdout + stderr).not.toContain(seed);
  });
});

describe('seed commit', () => {
  test('shows the same as was shown when the seed was made', async () => {
    const { path, line } = await newSeed('a.seed');
    expect((await runInside(['seed', 'commit', path])).stdout).toBe(line);
  });

  test('shows the commitment to each share and to all together', async () => {
    const [alice, bob] = [await newSeed('alice'), await newSeed('bob')];
    const { exitCode, stdout } = await runInside(['seed', 'commit', alice.path, bob.path]);
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2).join('\n')).toBe(`${alice.line}${bob.line}`.trimEnd());
    expect(lines[2]).toMatch(/^[0-9a-f]{64} {2}all together$/);
    const out = newFolder();
    await generate(out, '--seed-file', bob.path, '--seed-file', alice.path);
    expect(commitmentOf(out)).toBe(lines[2]?.slice(0, 64));
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['nothing', () => [], /missing required argument 'files'/],
    [
      'a file that is not there',
      () => [at('none')],
      /there is no seed file .*none; check the path/,
    ],
    ['an empty file', () => [share('empty', '')], /the seed from .*empty is empty/],
    [
      'a share twice',
      () => [share('a', 'same same'), share('b', 'same same')],
      /two shares of the seed are the same; each must be of somebody else/,
    ],
    ['standard input twice', () => ['-', '-'], /standard input is one share; put the others into/],
  ])('refuses %s', async (_, paths, words) => {
    const { exitCode, stdout, stderr } = await runInside(['seed', 'commit', ...paths()]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('same same');
  });
});

describe('shares', () => {
  test('make the same block in any order, and another where one is missing', async () => {
    const files = ['alice', 'bob', 'carol'].map((name) => share(name, name.repeat(20)));
    const [alice = '', bob = '', carol = ''] = files;
    const made: unknown[] = [];
    for (const order of [[alice, bob, carol], [carol, alice, bob], [alice, bob], [alice]]) {
      const out = newFolder();
      const seed = order.flatMap((path) => ['--seed-file', path]);
      expect((await generate(out, ...seed)).exitCode).toBe(0);
      made.push(commitmentOf(out));
    }
    expect(made[1]).toBe(made[0]);
    expect(new Set(made).size).toBe(3);
  });

  test('verify a block as they have made it', async () => {
    const shares = ['alice', 'bob'].map((name) => share(name, name.repeat(20)));
    const seed = shares.flatMap((path) => ['--seed-file', path]);
    const out = newFolder();
    await generate(out, ...seed);
    const verify = ['verify', join(out, MANIFEST), '--definition', definitionPath('collect-bare')];
    expect((await runInside([...verify, '--quiet', ...seed])).exitCode).toBe(0);
    expect((await runInside([...verify, '--quiet', ...seed.slice(2)])).exitCode).toBe(1);
  });

  test('take no option for a file', async () => {
    const { exitCode, stderr } = await generate(
      newFolder(),
      '--seed-file',
      share('alice', 'alice'.repeat(20)),
      '--seed-file',
      '--force',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gen-block: --seed-file has no value: what follows it begins with/);
  });
});

describe('a seed is warned of', () => {
  test.each([
    [
      'that is short',
      'deadbeef',
      0o600,
      /the seed from .*s has at most 32 bits and can be guessed; /,
    ],
    ['that others can read', 'ab'.repeat(32), 0o644, /others can read .*s; take that from them/],
  ])('%s', async (_, text, mode, words) => {
    const path = share('s', text, mode);
    chmodSync(path, mode);
    const { exitCode, stderr } = await runInside(['seed', 'commit', path]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain(text);
  });

  test('a share that may be a public value is told apart', async () => {
    const [alice, beacon] = [share('alice', 'ab'.repeat(32)), share('beacon', '17 4 33', 0o644)];
    chmodSync(beacon, 0o644);
    const { stderr } = await runInside(['seed', 'commit', alice, beacon]);
    expect(stderr).toBe(
      `gen-block: others can read ${beacon}; that is right for a public value only\n` +
        `gen-block: the share from ${beacon} has at most 56 bits; that is right for a public value only\n`,
    );
  });

  test('nothing is said of one that is strong and safe', async () => {
    const { stderr } = await runInside(['seed', 'commit', share('s', 'ab'.repeat(32))]);
    expect(stderr).toBe('');
  });
});

test('neither seed nor share leaves a trace, in plain, hexadecimal or Base64', async () => {
  const secrets = ['alice', 'bob'].map((name) => `${name}-Zq7-sesame-0f3b9c-and-more`);
  const files = secrets.map((secret, index) => share(`share-${index}`, secret));
  const seed = files.flatMap((path) => ['--seed-file', path]);
  const out = newFolder();
  const said = [
    await runInside(['seed', 'commit', ...files]),
    await generate(out, ...seed),
    await generate(out, ...seed),
    await runInside(['verify', join(out, 'collect-bare-100-e1-b1'), ...seed, '--json']),
  ].map(({ stdout, stderr }) => stdout + stderr);
  const written = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(written.length).toBeGreaterThan(3);
  const everything = [...said, ...written].join('\n');
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, 24)]) {
      expect(everything.toLowerCase()).not.toContain(form.toLowerCase());
    }
  }
});
