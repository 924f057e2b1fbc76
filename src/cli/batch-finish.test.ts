import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BATCH_LOCK, lockFolder } from '../block/folder-lock.js';
import { parseRegistry, REGISTRY_FILE } from '../formats/registry.js';
import { checkedJson } from '../testing/checked-json.js';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
// By chance, the counts of outcomes of its blocks are not those of the seed "other", which tells the two apart.
const SEED = 'Zq7-geheim-finish-0f3b9c';
const PATHS = [
  'rows-plain-100-e1-b4',
  'rows-plain-100-e1-b5',
  'rows-plain-100-e1-b6',
  join('collect', 'collect-bare-100-e1-b1'),
  join('collect', 'collect-bare-100-e1-b2'),
];

let jobs: string;
let seedFile: string;
/** Three shares as they were made, and the hashes of one whole run. */
let made: readonly string[];
let right: readonly unknown[];

let out: string;
/** Copies of the shares, for one test. */
let shares: readonly string[];

beforeAll(async () => {
  const base = newFolder();
  jobs = join(base, 'jobs.json');
  seedFile = join(base, 'emission-1.seed');
  const rows = { definition: definitionPath('rows-plain'), blocks: { first: 4, last: 6 } };
  const collect = { definition: definitionPath('collect-bare'), blocks: { first: 1, last: 2 } };
  const entries = [rows, { ...collect, out: 'collect' }].map((entry) => ({
    ...entry,
    stake_cents: 100,
  }));
  writeFileSync(jobs, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: entries }));
  writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 });
  const whole = newFolder();
  made = [1, 2, 3].map((index) => join(base, `share-${index}`));
  const argv = ['batch', jobs, '--seed-file', seedFile, '--quiet', '--out'];
  expect((await runInside([...argv, whole])).exitCode).toBe(0);
  for (const [at, share] of made.entries()) {
    const { exitCode } = await runInside([...argv, share, '--shard', `${at + 1}/3`]);
    expect(exitCode).toBe(0);
  }
  right = PATHS.map((path) => hashesOf(join(whole, path)));
});

beforeEach(() => {
  const base = newFolder();
  out = join(base, 'blocks');
  shares = made.map((share, at) => {
    const copy = join(base, `share-${at + 1}`);
    cpSync(share, copy, { recursive: true });
    return copy;
  });
});

async function finish(...more: readonly string[]): Promise<CommandResult> {
  return runInside(['batch', 'finish', jobs, ...shares, '--out', out, '--json', ...more]);
}

const withSeed = async (...more: readonly string[]): Promise<CommandResult> =>
  finish('--seed-file', seedFile, ...more);

function outcomesOf({ stdout }: CommandResult): readonly string[] {
  const { blocks } = checkedJson('batch', stdout) as {
    readonly blocks: readonly { readonly outcome: string }[];
  };
  return blocks.map(({ outcome }) => outcome);
}

describe.each([
  ['with the seed', () => ['--seed-file', seedFile]],
  ['without the seed', () => []],
])('shares that are joined %s', (_, seedFlags) => {
  test('have the bytes of one run, are registered, and are kept the next time', async () => {
    const result = await finish(...seedFlags());
    expect(result.exitCode).toBe(0);
    expect(outcomesOf(result)).toEqual(PATHS.map(() => 'joined'));
    expect(PATHS.map((path) => hashesOf(join(out, path)))).toEqual(right);
    expect(shares.flatMap(namesIn)).toEqual(['collect', 'collect']);
    for (const folder of [out, join(out, 'collect')]) {
      const registry = parseRegistry(readFileSync(join(folder, REGISTRY_FILE)));
      expect(registry).not.toHaveProperty('fault');
      expect(registry.entries.map(({ name }) => name)).toEqual(
        namesIn(folder).filter((name) => name !== 'collect'),
      );
    }
    expect(`${result.stdout}${result.stderr}`).not.toContain(SEED);
    const again = await finish(...seedFlags());
    expect([again.exitCode, outcomesOf(again)]).toEqual([0, PATHS.map(() => 'kept')]);
    const batch = await runInside([
      'batch',
      jobs,
      '--seed-file',
      seedFile,
      '--out',
      out,
      '--json',
      '--recheck',
    ]);
    expect(outcomesOf(batch)).toEqual(PATHS.map(() => 'kept'));
  });

  test('that lack a block say which, and go on once it is there', async () => {
    renameSync(join(shares[1]!, PATHS[1]!), join(dirname(out), 'aside'));
    const result = await finish(...seedFlags());
    expect(result.exitCode).toBe(1);
    expect(outcomesOf(result)).toEqual(['joined', 'missing', 'joined', 'joined', 'joined']);
    expect(result.stderr).toContain(
      `gen-block: none of the shares has ${PATHS[1]!}; make it with the share that it belongs to, and join again\n`,
    );
    renameSync(join(dirname(out), 'aside'), join(shares[1]!, PATHS[1]!));
    const again = await finish(...seedFlags());
    expect(again.exitCode).toBe(0);
    expect(PATHS.map((path) => hashesOf(join(out, path)))).toEqual(right);
  });

  test('do not take in what is broken, and leave it where it is', async () => {
    const broken = join(shares[0]!, PATHS[0]!);
    truncateSync(join(broken, 'tickets.csv'), 100);
    const result = await finish(...seedFlags());
    expect(result.exitCode).toBe(1);
    expect(outcomesOf(result)).toEqual(['failed', 'joined', 'joined', 'joined', 'joined']);
    expect(result.stderr).toContain(`gen-block: ${broken} is there, and `);
    expect(namesIn(out)).not.toContain(PATHS[0]);
    expect(namesIn(broken)).toHaveLength(3);
  });
});

/** Puts a block of another seed into the second share. */
async function makeOther(): Promise<string> {
  const other = join(shares[1]!, PATHS[1]!);
  rmSync(other, { recursive: true });
  rmSync(join(shares[1]!, REGISTRY_FILE));
  const argv = ['--definition', definitionPath('rows-plain'), '--stake', '1', '--block', '5'];
  const { exitCode } = await runInside([...argv, '--seed', 'other', '--out', shares[1]!, '-q']);
  expect(exitCode).toBe(0);
  return other;
}

describe('a block of another seed', () => {
  test('is refused where the seed is given, and the others are joined', async () => {
    const other = await makeOther();
    const result = await withSeed();
    expect(result.exitCode).toBe(2);
    expect(outcomesOf(result)).toEqual(['joined', 'refused', 'joined', 'joined', 'joined']);
    expect(result.stderr).toContain(
      `${other} is there, and it was made from another seed; move it away`,
    );
  });

  test('is refused where it states the commitment to the right one', async () => {
    const other = await makeOther();
    const commitmentIn = (path: string): string =>
      (JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as { seed_commitment: string })
        .seed_commitment;
    const manifest = join(other, 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(
        commitmentIn(other),
        commitmentIn(join(shares[0]!, PATHS[0]!)),
      ),
    );
    expect(outcomesOf(await withSeed())[1]).toBe('failed');
    rmSync(join(shares[1]!, REGISTRY_FILE));
    const batch = ['batch', jobs, '--seed-file', seedFile, '--out', shares[1]!, '--json'];
    const remade = await runInside([...batch, '--shard', '2/3']);
    expect(outcomesOf(remade)).toEqual(['remade', 'made']);
    expect(hashesOf(other)).toEqual(right[1]);
  });

  test('keeps all from being joined where no seed tells which is right', async () => {
    const other = await makeOther();
    const result = await finish();
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toBe(
      `gen-block: ${join(shares[0]!, PATHS[0]!)} and ${other} were made from different seeds, and nothing was joined; give the seed, or leave out the share that is wrong\n`,
    );
    expect(namesIn(out)).toEqual([]);
  });
});

describe('a block that lies in two shares', () => {
  test('is taken from the one where it is whole', async () => {
    cpSync(join(shares[1]!, PATHS[1]!), join(shares[2]!, PATHS[1]!), { recursive: true });
    truncateSync(join(shares[1]!, PATHS[1]!, 'tickets.csv'), 100);
    const result = await withSeed();
    expect([result.exitCode, outcomesOf(result)]).toEqual([0, PATHS.map(() => 'joined')]);
  });

  test('is refused where one of them is another block', async () => {
    const other = await makeOther();
    cpSync(join(made[1]!, PATHS[1]!), join(shares[0]!, PATHS[1]!), { recursive: true });
    const result = await withSeed();
    expect([result.exitCode, outcomesOf(result)[1]]).toEqual([2, 'refused']);
    expect(result.stderr).toContain(other);
  });
});

describe('joining without the seed', () => {
  test('finds a block that is not the one that its share has registered', async () => {
    writeFileSync(
      join(shares[0]!, REGISTRY_FILE),
      readFileSync(join(shares[0]!, REGISTRY_FILE), 'utf8').replace(
        /"manifest_sha256":"[^"]+"/,
        `"manifest_sha256":"${'0'.repeat(64)}"`,
      ),
    );
    expect(outcomesOf(await finish())[0]).toBe('failed');
  });

  test('says what it cannot tell', async () => {
    const { stdout } = await finish();
    expect(checkedJson('batch', stdout)).toMatchObject({
      notChecked: [expect.stringContaining('that the blocks are those of the seed')],
    });
    const argv = ['batch', 'finish', jobs, ...shares, '--out', out];
    expect((await runInside(argv)).stdout).toContain('\nNot checked: that the blocks are those of');
    expect(checkedJson('batch', (await withSeed()).stdout)).not.toHaveProperty('notChecked');
  });
});

describe('joining', () => {
  test('does not look behind a link in a share', async () => {
    const aside = join(dirname(out), 'aside');
    renameSync(join(shares[0]!, 'collect'), aside);
    symlinkSync(aside, join(shares[0]!, 'collect'));
    const result = await withSeed();
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('links are not followed');
    expect(namesIn(aside)).toHaveLength(1);
  });

  test('does not pass over what stands before its name', async () => {
    for (const flags of [['--seed', 'x'], ['--out', 'x'], ['--json'], ['-q']]) {
      const result = await runInside(['batch', ...flags, 'finish', jobs, ...shares, '--out', out]);
      expect([result.exitCode, result.stdout]).toEqual([2, '']);
      expect(result.stderr).toMatch(
        /^gen-block: --(?:seed|out|json|quiet) stands before "finish", where it says nothing; put it behind\n$/,
      );
    }
    expect(namesIn(dirname(out))).not.toContain('blocks');
  });

  test('says what to do with a broken block in the folder to join in', async () => {
    await withSeed();
    truncateSync(join(out, PATHS[0]!, 'tickets.csv'), 100);
    const result = await withSeed();
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('make it anew with gen-block batch in that folder');
    const argv = ['batch', jobs, '--seed-file', seedFile, '--out', out, '--json'];
    expect(outcomesOf(await runInside(argv))[0]).toBe('remade');
    expect((await withSeed()).exitCode).toBe(0);
  });
});

describe('shares that cannot be joined', () => {
  test.each<[string, () => void, string]>([
    ['is not there', () => rmSync(shares[2]!, { recursive: true }), 'is no folder'],
    [
      'is a link',
      () => {
        renameSync(shares[2]!, `${shares[2]!}-real`);
        symlinkSync(`${shares[2]!}-real`, shares[2]!);
      },
      'links are not followed',
    ],
    [
      'is named twice',
      () => {
        shares = [shares[0]!, shares[1]!, join(shares[0]!, '.', 'collect', '..')];
      },
      'is named twice; name each share once, and another folder to join them in',
    ],
    [
      'is the folder to join them in',
      () => {
        shares = [shares[0]!, out];
        mkdirSync(out);
      },
      'is named twice',
    ],
  ])('because one %s end with exit code 2 and one line', async (_, prepare, words) => {
    prepare();
    const result = await withSeed();
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toMatch(/^gen-block: [^\n]+\n$/);
    expect(result.stderr).toContain(words);
  });

  test('because a batch still works on one say who it is, and hold no lock', async () => {
    const lock = await lockFolder(shares[1]!, BATCH_LOCK);
    const result = await withSeed();
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`process ${process.pid} on `);
    await lock.release();
    expect((await withSeed()).exitCode).toBe(0);
  });

  test('because none is named, or the output is a stream, are wrong usage', async () => {
    const none = await runInside(['batch', 'finish', jobs]);
    expect([none.exitCode, none.stdout]).toEqual([2, '']);
    const stream = await runInside(['batch', 'finish', jobs, ...shares, '--out', '-']);
    expect(stream.stderr).toContain('name a folder to join shares in');
  });
});
