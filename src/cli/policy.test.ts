import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { releaseProgram, writeBuild } from '../testing/released-program.js';
import { definitionPath, folderMaker, namesIn } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';
const DEFINITION = definitionPath('collect-bare');
const APPROVED = loadDefinitionFile(DEFINITION).definitionSha256;

let released: { readonly bin: string; readonly sha256: string };
let place: string;
let block: string;

const at = (name: string): string => join(place, name);

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the released program. */
function run(argv: readonly string[], bin = released.bin): Result {
  const { PATH = '' } = process.env;
  return spawnSync(process.execPath, [bin, ...argv], { encoding: 'utf8', env: { PATH } });
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

function verify(folder: string, ...rest: readonly string[]): Result {
  return run(['verify', folder, '--definition', DEFINITION, ...rest]);
}

const production = (): readonly string[] => [
  ...['--policy', 'production', ...approved, '--trusted-key', at('a.key.pub')],
];

beforeAll(() => {
  released = releaseProgram(newFolder());
  place = newFolder();
  expect(run(['seed', 'new', at('a.seed')]).status).toBe(0);
  expect(run(['key', 'new', at('a.key')]).status).toBe(0);
  const made = run([...right(), '--out', at('out')]);
  expect([made.stderr, made.status]).toEqual(['', 0]);
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

  test('takes a fresh seed, which has 256 bits', () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const { status } = run([...without(right(), '--seed-file'), '--out', out]);
    expect(status).toBe(0);
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
  ])('refuses %s, in one line, and makes nothing', (_what, argv, words) => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const { status, stdout, stderr } = run([...argv(), '--out', out]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^(gen-block: the seed stands [^\n]*\n)?gen-block: the production policy refuses this: [^\n]*\n$/,
    );
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('aaaa');
    expect(namesIn(out)).toEqual([]);
  });

  test('withdraws the fresh seed of a block that it refuses', () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const argv = without(without(right(), '--seed-file'), '--sign-key');
    expect(run([...argv, '--out', out]).status).toBe(2);
    expect(namesIn(out)).toEqual([]);
  });

  test('refuses a weak seed, and an output folder that others can reach', () => {
    writeFileSync(at('weak.seed'), 'hello', { mode: 0o600 });
    const out = newFolder();
    chmodSync(out, 0o755);
    const argv = [...without(right(), '--seed-file'), '--seed-file', at('weak.seed')];
    const { status, stderr } = run([...argv, '--out', out]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/the seed has at most \d+ bits.*; others can reach/);
  });

  test('takes shares by the best of them, and none where all are weak', () => {
    writeFileSync(at('beacon'), '4711', { mode: 0o600 });
    writeFileSync(at('lucky'), '7', { mode: 0o600 });
    const shares = (...names: readonly string[]): readonly string[] =>
      names.flatMap((name) => ['--seed-file', at(name)]);
    const argv = without(right(), '--seed-file');
    const made = newFolder();
    chmodSync(made, 0o700);
    expect(run([...argv, ...shares('a.seed', 'beacon'), '--out', made]).status).toBe(0);
    const refused = run([...argv, ...shares('lucky', 'beacon'), '--out', newFolder()]);
    expect(refused.stderr).toMatch(/the seed has at most 13 bits/);
  });

  test('refuses a definition that is not the one that was approved, with no policy, too', () => {
    const argv = ['generate', ...base, '--definition-sha256', 'b'.repeat(64)];
    const { status, stderr } = run([...argv, '--seed-file', at('a.seed'), '--out', newFolder()]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('was approved')]);
  });

  test('refuses a stream, which nobody can sign', () => {
    const { status, stderr } = run([...right(), '--out', '-', '--format', 'csv']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--out - has none')]);
  });

  test('refuses to run as a program of no clean build', () => {
    const folder = newFolder();
    const { bin, sha256 } = releaseProgram(folder);
    writeBuild(folder, { commit: 'a'.repeat(40), clean: false, program_sha256: sha256 });
    const { status, stderr } = run([...right(), '--out', newFolder()], bin);
    expect([status, stderr]).toEqual([2, expect.stringContaining('built from changed sources')]);
  });
});

describe('verify asks the same of the finished block', () => {
  test('and finds nothing, nor anything unchecked when it has the seed', () => {
    const { status, stdout } = verify(block, ...production(), '--seed-file', at('a.seed'));
    expect(status).toBe(0);
    expect(stdout).toContain('Checked: the production policy: engine, definition, commitment');
    expect(stdout).not.toContain('Not checked');
  });

  /** Makes a block without the policy, and says what the policy finds. */
  function findingsOf(argv: readonly string[], change?: (folder: string) => void): string {
    const out = newFolder();
    expect(run([...argv, '--out', out]).status).toBe(0);
    change?.(join(out, NAME));
    const { status, stdout } = verify(join(out, NAME), ...production());
    expect(status).toBe(1);
    return stdout;
  }

  test('but for one of another engine, without commitment, and unsigned', () => {
    const text = findingsOf(['generate', ...base, '--seed-file', at('a.seed')]);
    expect(text).toMatch(/\/engine: expected chacha20; found seedrandom/);
    expect(text).toMatch(/commitment\.json: expected a commitment beside the manifest; found none/);
    expect(text).toMatch(/signature-missing/);
  });

  test('but for files that others can reach', () => {
    const text = findingsOf(right(), (folder) => {
      chmodSync(join(folder, 'tickets.csv'), 0o640);
      chmodSync(folder, 0o755);
    });
    expect(text).toMatch(/tickets\.csv: expected a mode that keeps others out; found mode 640/);
    expect(text).toMatch(/\.: expected a mode that keeps others out; found mode 755/);
  });

  test('but for one of a program that nobody approved', () => {
    const other = newFolder();
    const { bin, sha256 } = releaseProgram(other);
    writeFileSync(join(other, 'dist/new.js'), '');
    expect(run(['verify', block, '--definition', DEFINITION, ...production()], bin).stdout).toMatch(
      /\/program_sha256: expected a program that was approved \(--program-sha256\)/,
    );
    const isApproved = [...production(), '--program-sha256', sha256];
    expect(run(['verify', block, '--definition', DEFINITION, ...isApproved], bin).status).toBe(0);
    rmSync(other, { recursive: true });
  });

  test('but for a definition that nobody approved, and a seed that is too short', () => {
    const argv = without(production(), '--definition-sha256');
    expect(verify(block, ...argv).stdout).toMatch(
      /\/definition_sha256: expected a definition that/,
    );
    const out = newFolder();
    writeFileSync(at('short.seed'), 'abc', { mode: 0o600 });
    const made = ['generate', ...base, '--engine', 'chacha20', '--commit-tickets'];
    run([...made, '--sign-key', at('a.key'), '--seed-file', at('short.seed'), '--out', out]);
    const { stdout } = verify(join(out, NAME), ...production(), '--seed-file', at('short.seed'));
    expect(stdout).toMatch(
      /\/seed_commitment: expected a seed of 128 bits or more; found one that/,
    );
  });

  test.each([
    [['--policy', 'production'], 'add --trusted-key'],
    [['--policy', 'strict'], 'Choose production.'],
    [['--program-sha256', 'b'.repeat(64)], 'goes with --policy production'],
    [['--program-sha256', 'b'], 'Write 64 hexadecimal digits.'],
  ])('and refuses the options %j', (argv, words) => {
    const { status, stderr } = verify(block, ...argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
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

  test('of the job file commits to all blocks, signs them, and keeps them when it is run again', () => {
    const out = newFolder();
    chmodSync(out, 0o700);
    const argv = ['batch', jobs({ policy: 'production' }, fit), ...secrets(), '--out', out];
    expect(run(argv).status).toBe(0);
    for (const name of [NAME, NAME.replace('b1', 'b2')]) {
      expect(verify(join(out, name), ...production()).status).toBe(0);
    }
    expect(run([...argv, '--json']).stdout).toMatch(/"kept":2/);
  });

  test('of an option refuses what is not fit, and makes nothing', () => {
    const out = join(newFolder(), 'out');
    mkdirSync(out, { mode: 0o700 });
    const argv = ['batch', jobs({}, {}), '--seed-file', at('a.seed'), '--out', out];
    const { status, stderr } = run([...argv, '--policy', 'production']);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /engine is seedrandom.*; nobody signs.*; the definition of collect-bare/,
    );
    expect(namesIn(out)).toEqual([]);
  });

  test('finds a definition that is not the one that the job file states', () => {
    const path = jobs({}, { definition_sha256: 'b'.repeat(64) });
    const { status, stderr } = run(['batch', path, '--seed-file', at('a.seed'), '--dry-run']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('/jobs/0/definition_sha256')]);
  });
});
