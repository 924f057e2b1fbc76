import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { programBuild, programSha256 } from '../core/program-hash.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { releaseProgram, writeBuild, type ReleasedProgram } from '../testing/released-program.js';
import { definitionPath, folderMaker, namesIn } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';
const DEFINITION = definitionPath('collect-bare');
const APPROVED = loadDefinitionFile(DEFINITION).definitionSha256;

let released: ReleasedProgram;
let place: string;
let block: string;

// The source within the tests takes the released program for itself.
jest.unstable_mockModule('../core/program-hash.js', () => ({
  programSha256: () => programSha256(released.folder),
  programBuild: () => programBuild(released.folder),
}));

const at = (name: string): string => join(place, name);

/** Runs the source within the test, as if it were the released program. */
const run = runInside;

/** Runs the released program itself, in a process of its own. */
function runReleased(argv: readonly string[]): Omit<CommandResult, 'signal'> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const ended = spawnSync(process.execPath, [released.bin, ...argv], { encoding: 'utf8', env });
  return { exitCode: ended.status ?? undefined, stdout: ended.stdout, stderr: ended.stderr };
}

const base = ['--definition', DEFINITION, '--stake', '1', '--quiet'];
const approved = ['--definition-sha256', APPROVED];
const right = (): readonly string[] => [
  ...['generate', ...base, ...approved, '--engine', 'chacha20', '--policy', 'production'],
  ...['--seed-file', at('a.seed'), '--sign-key', at('a.key')],
];

/** The options without one of them and its value. */
const without = (argv: readonly string[], option: string): readonly string[] => {
  const index = argv.indexOf(option);
  return [...argv.slice(0, index), ...argv.slice(index + 2)];
};

async function verify(folder: string, ...rest: readonly string[]): Promise<CommandResult> {
  return run(['verify', folder, '--definition', DEFINITION, ...rest]);
}

const production = (): readonly string[] => [
  ...['--policy', 'production', ...approved, '--trusted-key', at('a.key.pub')],
];

beforeAll(async () => {
  released = releaseProgram(newFolder());
  place = newFolder();
  expect((await run(['seed', 'new', at('a.seed')])).exitCode).toBe(0);
  expect((await run(['key', 'new', at('a.key')])).exitCode).toBe(0);
  const made = runReleased([...right(), '--out', at('out')]);
  expect([made.stderr, made.exitCode]).toEqual(['', 0]);
  block = join(at('out'), NAME);
});

describe('generate --policy production', () => {
  test('commits to the tickets and signs', () => {
    expect(namesIn(block).map((name) => name.replace(/[0-9a-f]{16}/, 'KEY'))).toEqual([
      ...['commitment.json', 'commitment.json.KEY.sig', 'manifest.json', 'manifest.json.KEY.sig'],
      ...['tickets.csv', 'tickets.ndjson'],
    ]);
    expect(readFileSync(join(block, 'commitment.json'), 'utf8')).toContain(released.sha256);
  });

  test('takes a fresh seed, which has 256 bits', async () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const { exitCode } = await run([...without(right(), '--seed-file'), '--out', out]);
    expect(exitCode).toBe(0);
    expect(namesIn(out)).toEqual([NAME, `${NAME}.seed`]);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    [
      'a seed on the command line',
      () => [...without(right(), '--seed-file'), '--seed', 'a'.repeat(64)],
      /command line/,
    ],
    ['seedrandom', () => without(right(), '--engine'), /the engine is seedrandom/],
    ['no signature', () => without(right(), '--sign-key'), /nobody signs/],
    [
      'no approved definition',
      () => without(right(), '--definition-sha256'),
      /not one that is shipped/,
    ],
  ])('refuses %s, in one line, and makes nothing', async (_what, argv, words) => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const { exitCode, stdout, stderr } = await run([...argv(), '--out', out]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^(gen-block: the seed stands [^\n]*\n)?gen-block: the production policy refuses this: [^\n]*\n$/,
    );
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('aaaa');
    expect(namesIn(out)).toEqual([]);
  });

  test('withdraws the fresh seed of a block that it refuses', async () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const argv = without(without(right(), '--seed-file'), '--sign-key');
    expect((await run([...argv, '--out', out])).exitCode).toBe(2);
    expect(namesIn(out)).toEqual([]);
  });

  test('refuses a weak seed, and an output folder that others can reach', async () => {
    writeFileSync(at('weak.seed'), 'hello', { mode: 0o600 });
    const out = newFolder();
    chmodSync(out, 0o755);
    const argv = [...without(right(), '--seed-file'), '--seed-file', at('weak.seed')];
    const { exitCode, stderr } = await run([...argv, '--out', out]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/the seed has at most \d+ bits.*; others can reach/);
  });

  test('takes shares by the best of them, and none where all are weak', async () => {
    writeFileSync(at('beacon'), '4711', { mode: 0o600 });
    writeFileSync(at('lucky'), '7', { mode: 0o600 });
    const shares = (...names: readonly string[]): readonly string[] =>
      names.flatMap((name) => ['--seed-file', at(name)]);
    const argv = without(right(), '--seed-file');
    const made = newFolder();
    chmodSync(made, 0o700);
    expect((await run([...argv, ...shares('a.seed', 'beacon'), '--out', made])).exitCode).toBe(0);
    const refused = await run([...argv, ...shares('lucky', 'beacon'), '--out', newFolder()]);
    expect(refused.stderr).toMatch(/the seed has at most 13 bits/);
  });

  test('refuses a definition that is not the one that was approved, with no policy, too', async () => {
    const argv = ['generate', ...base, '--definition-sha256', 'b'.repeat(64)];
    const { exitCode, stderr } = await run([
      ...argv,
      '--seed-file',
      at('a.seed'),
      '--out',
      newFolder(),
    ]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('was approved')]);
  });

  test('refuses a stream, which nobody can sign', async () => {
    const { exitCode, stderr } = await run([...right(), '--out', '-', '--format', 'csv']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--out - has none')]);
  });

  test('refuses to run as a program of no clean build', () => {
    const { folder, sha256 } = released;
    const build = { commit: 'a'.repeat(40), program_sha256: sha256 };
    writeBuild(folder, { ...build, clean: false });
    const { exitCode, stderr } = runReleased([...right(), '--out', newFolder()]);
    writeBuild(folder, { ...build, clean: true });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('built from changed sources')]);
  });
});

describe('verify asks the same of the finished block', () => {
  test('and finds nothing, nor anything unchecked when it has the seed', () => {
    const argv = ['verify', block, '--definition', DEFINITION, ...production()];
    const { exitCode, stdout } = runReleased([...argv, '--seed-file', at('a.seed')]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Checked: the production policy: engine, definition, commitment');
    expect(stdout).not.toContain('Not checked');
  });

  /** Makes a block without the policy, and says what the policy finds. */
  async function findingsOf(
    argv: readonly string[],
    change?: (folder: string) => void,
  ): Promise<string> {
    const out = newFolder();
    expect((await run([...argv, '--out', out])).exitCode).toBe(0);
    change?.(join(out, NAME));
    const { exitCode, stdout } = await verify(join(out, NAME), ...production());
    expect(exitCode).toBe(1);
    return stdout;
  }

  test('but for one of another engine, without commitment, and unsigned', async () => {
    const text = await findingsOf(['generate', ...base, '--seed-file', at('a.seed')]);
    expect(text).toMatch(/\/engine: expected chacha20; found seedrandom/);
    expect(text).toMatch(/commitment\.json: expected a commitment beside the manifest; found none/);
    expect(text).toMatch(/signature-missing/);
  });

  test('but for files that others can reach', async () => {
    const text = await findingsOf(right(), (folder) => {
      chmodSync(join(folder, 'tickets.csv'), 0o640);
      chmodSync(folder, 0o755);
    });
    expect(text).toMatch(/tickets\.csv: expected a mode that keeps others out; found mode 640/);
    expect(text).toMatch(/\.: expected a mode that keeps others out; found mode 755/);
  });

  test('but for one of a program that nobody approved', async () => {
    const another = join(released.folder, 'dist/program/new.js');
    writeFileSync(another, '');
    const { stdout } = await verify(block, ...production());
    const approved = await verify(block, ...production(), '--program-sha256', released.sha256);
    rmSync(another);
    expect(stdout).toMatch(
      /\/program_sha256: expected a program that was approved \(--program-sha256\)/,
    );
    expect(approved.exitCode).toBe(0);
  });

  test('but for a definition that nobody approved, and a seed that is too short', async () => {
    const argv = without(production(), '--definition-sha256');
    expect((await verify(block, ...argv)).stdout).toMatch(
      /\/definition_sha256: expected a definition that/,
    );
    const out = newFolder();
    writeFileSync(at('short.seed'), 'abc', { mode: 0o600 });
    const made = ['generate', ...base, '--engine', 'chacha20', '--commit-tickets'];
    await run([...made, '--sign-key', at('a.key'), '--seed-file', at('short.seed'), '--out', out]);
    const { stdout } = await verify(
      join(out, NAME),
      ...production(),
      '--seed-file',
      at('short.seed'),
    );
    expect(stdout).toMatch(
      /\/seed_commitment: expected a seed of 128 bits or more; found one that/,
    );
  });

  test.each([
    [['--policy', 'production'], 'add --trusted-key'],
    [['--policy', 'strict'], 'Choose production.'],
    [['--program-sha256', 'b'.repeat(64)], 'goes with --policy production'],
    [['--program-sha256', 'b'], 'Write 64 hexadecimal digits.'],
  ])('and refuses the options %j', async (argv, words) => {
    const { exitCode, stderr } = await verify(block, ...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('a batch under the policy', () => {
  function jobs(changes: object, entry: object): string {
    const path = join(newFolder(), 'jobs.json');
    const job = {
      definition: DEFINITION,
      stake_cents: 100,
      blocks: { first: 1, last: 2 },
      ...entry,
    };
    const file = { format: 'gen-block-jobs/1', emission: 1, ...changes, jobs: [job] };
    writeFileSync(path, JSON.stringify(file));
    return path;
  }
  const fit = { engine: 'chacha20', definition_sha256: APPROVED };
  const secrets = (): readonly string[] => ['--seed-file', at('a.seed'), '--sign-key', at('a.key')];

  test('of the job file commits to all blocks, signs them, and keeps them when it is run again', async () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const argv = ['batch', jobs({ policy: 'production' }, fit), ...secrets(), '--out', out];
    expect(runReleased(argv).exitCode).toBe(0);
    for (const name of [NAME, NAME.replace('b1', 'b2')]) {
      expect((await verify(join(out, name), ...production())).exitCode).toBe(0);
    }
    expect(runReleased([...argv, '--json']).stdout).toMatch(/"kept":2/);
  });

  test('of an option refuses what is not fit, and makes nothing', async () => {
    const out = join(newFolder(), 'out');
    mkdirSync(out, { mode: 0o700 });
    const argv = ['batch', jobs({}, {}), '--seed-file', at('a.seed'), '--out', out];
    const { exitCode, stderr } = await run([...argv, '--policy', 'production']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /engine is seedrandom.*; nobody signs.*; the definition of collect-bare/,
    );
    expect(namesIn(out)).toEqual([]);
  });

  test('finds a definition that is not the one that the job file states', async () => {
    const path = jobs({}, { definition_sha256: 'b'.repeat(64) });
    const { exitCode, stderr } = await run([
      'batch',
      path,
      '--seed-file',
      at('a.seed'),
      '--dry-run',
    ]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('/jobs/0/definition_sha256')]);
  });
});
