import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { checkedJson } from '../testing/checked-json.js';
import { PROGRAM, runInside, runProcess, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const SEED = 'Zq7-geheim-shares';
const PATHS = [
  'rows-plain-100-e1-b4',
  'rows-plain-100-e1-b5',
  'rows-plain-100-e1-b6',
  join('collect', 'collect-bare-100-e1-b1'),
  join('collect', 'collect-bare-100-e1-b2'),
];

/** A folder with a job file of five blocks, a seed, and the program by its name. */
let base: string;
let jobs: string;
let seedFile: string;
let right: ReadonlyMap<string, unknown>;

beforeAll(async () => {
  base = newFolder();
  jobs = join(base, 'jobs.json');
  seedFile = join(base, 'emission-1.seed');
  const rows = { definition: definitionPath('rows-plain'), blocks: { first: 4, last: 6 } };
  const collect = { definition: definitionPath('collect-bare'), blocks: { first: 1, last: 2 } };
  const entries = [rows, { ...collect, out: 'collect' }].map((entry) => ({
    ...entry,
    stake_cents: 100,
  }));
  writeFileSync(jobs, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: entries }));
  writeFileSync(seedFile, `${SEED}\n`);
  mkdirSync(join(base, 'bin'));
  symlinkSync(PROGRAM, join(base, 'bin', 'gen-block'));
  const whole = newFolder();
  expect((await batch(['--out', whole])).exitCode).toBe(0);
  right = new Map(PATHS.map((path) => [path, hashesOf(join(whole, path))]));
});

async function batch(more: readonly string[], env = {}): Promise<CommandResult> {
  return runInside(['batch', jobs, '--seed-file', seedFile, ...more], env);
}

/** The blocks of several folders, which must have none in common. */
function blocksIn(...folders: readonly string[]): ReadonlyMap<string, unknown> {
  const found = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('manifest.json'))
      .map(dirname)
      .map((path) => [path, hashesOf(join(folder, path))] as const),
  );
  expect(new Set(found.map(([path]) => path)).size).toBe(found.length);
  return new Map(found.toSorted(([a], [b]) => PATHS.indexOf(a) - PATHS.indexOf(b)));
}

describe('batch --shard', () => {
  test('made as three processes in folders of their own has the blocks of one run', async () => {
    const out = newFolder();
    const folders = [1, 2, 3].map((share) => join(out, `share-${share}`));
    const ended = await Promise.all(
      folders.map(async (folder, at) => {
        const flags = ['--shard', `${at + 1}/3`, '--out', folder, '--json'];
        return runProcess(['batch', jobs, '--seed-file', seedFile, ...flags]);
      }),
    );
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const summaries = ended.map(({ stdout }) => checkedJson('batch', stdout));
    expect(summaries).toMatchObject(
      [2, 2, 1].map((made, at) => ({
        shard: { index: at + 1, count: 3 },
        counts: { made },
        leftCount: 0,
      })),
    );
    expect(blocksIn(...folders)).toEqual(right);
    expect([...blocksIn(folders[1]!).keys()]).toEqual([PATHS[1], PATHS[4]]);
  });

  test('says in words which share it was, and goes on where it was', async () => {
    const out = newFolder();
    const { stdout } = await batch(['--out', out, '--shard', '2/3']);
    expect(stdout).toContain('\nBlocks of share 2 of 3: 2 made.\n');
    const again = await batch(['--out', out, '--shard', '2/3']);
    expect(again.stdout).toContain('\nBlocks of share 2 of 3: 2 kept.\n');
    const whole = await batch(['--out', out]);
    expect(whole.stdout).toContain('\nBlocks: 3 made, 2 kept.\n');
    expect(blocksIn(out)).toEqual(right);
  });

  test('that is empty makes nothing, says so, and is no failure', async () => {
    const out = newFolder();
    const { exitCode, stdout } = await batch(['--out', out, '--shard', '6/6']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Share 6 of 6 is empty: the job file has fewer blocks than that\.\nBlocks of share 6 of 6: none\.\n/,
    );
    expect(namesIn(out)).toEqual([]);
    const { stdout: json } = await batch(['--out', out, '--shard', '6/6', '--json']);
    expect(checkedJson('batch', json)).toMatchObject({
      shard: { index: 6, count: 6 },
      blocks: [],
      leftCount: 0,
    });
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['5/4', {}, '--shard 5/4 is no share; '],
    ['slurm/4', {}, 'SLURM_ARRAY_TASK_ID is not set, '],
    ['kubernetes/4', { JOB_COMPLETION_INDEX: '4' }, 'JOB_COMPLETION_INDEX is 4, '],
  ])('%s with %j ends with exit code 2 and one line', async (shard, env, words) => {
    const out = newFolder();
    for (const more of [[], ['--dry-run']]) {
      const result = await batch(['--out', out, '--shard', shard, ...more], env);
      expect([result.exitCode, result.stdout]).toEqual([2, '']);
      expect(result.stderr).toMatch(/^gen-block: [^\n]+\n$/);
      expect(result.stderr).toContain(words);
    }
    expect(namesIn(out)).toEqual([]);
  });
});

describe('batch --dry-run --shard', () => {
  test('shows only the blocks of the share', async () => {
    const argv = ['batch', jobs, '--dry-run', '--shard'];
    const first = await runInside([...argv, '1/2']);
    expect(first.stdout).toMatch(/\n +rows-plain +1\.00 +4, 6 +2 +2,000 /);
    expect(first.stdout).toMatch(/\n +collect-bare +1\.00 +2 +1 +600 /);
    expect(first.stdout).toContain('\nEmission 1, share 1 of 2: 3 blocks, 2,600 tickets, ');
    const second = await runInside([...argv, '2/4']);
    expect(second.stdout).not.toContain('collect-bare');
    const { stdout } = await runInside([...argv, 'slurm/2', '--json'], {
      SLURM_ARRAY_TASK_ID: '2',
    });
    expect(checkedJson('batch-plan', stdout)).toMatchObject({
      shard: { index: 2, count: 2 },
      blocks: [{ block: 5 }, { block: 1 }],
      totals: { blocks: 2, tickets: 1600 },
    });
  });

  test('shows numbers that lie apart, and an empty share', async () => {
    const path = join(newFolder(), 'jobs.json');
    const entry = { game: 'eldorado', stake_cents: 100, blocks: { first: 1, last: 40 } };
    writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: [entry] }));
    const shown = async (shard: string): Promise<string> =>
      (await runInside(['batch', path, '--dry-run', '--shard', shard])).stdout;
    expect(await shown('2/4')).toMatch(/eldorado +1\.00 +2, 6 … 38 +10 /);
    expect(await shown('41/41')).toMatch(
      /^Emission 1, share 41 of 41: 0 blocks, 0 tickets, .*\nShare 41 of 41 is empty: .*\nEstimated: 0 bytes .*\nNothing was made\.\n$/,
    );
  });
});

/** As much of an object of Kubernetes as is looked at. */
interface KubernetesObject {
  readonly spec: {
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly command: readonly string[];
          readonly args: readonly string[];
        }[];
      };
    };
  };
}

describe('the example', () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder();
    for (const name of ['jobs.json', 'emission-1.seed']) {
      copyFileSync(join(base, name), join(folder, name));
    }
  });

  /** Runs a shell for each value of a scheduler's variable, one after the other. */
  async function runForEach(
    argv: readonly string[],
    variable: string,
    values: readonly number[],
  ): Promise<void> {
    const { PATH = '' } = process.env;
    for (const value of values) {
      const env = { PATH: `${join(base, 'bin')}:${PATH}`, [variable]: String(value) };
      await promisify(execFile)('/bin/sh', argv, { cwd: folder, env });
    }
  }

  test('for Slurm makes all shares', async () => {
    const script = join(EXAMPLES, 'slurm-array.sh');
    expect(readFileSync(script, 'utf8')).toContain('\n#SBATCH --array=1-4\n');
    await runForEach([script], 'SLURM_ARRAY_TASK_ID', [1, 2, 3, 4]);
    const shares = join(folder, 'shares');
    const names = ['share-1', 'share-2', 'share-3', 'share-4'];
    expect(readdirSync(shares)).toEqual(names);
    expect(blocksIn(...names.map((name) => join(shares, name)))).toEqual(right);
  });

  test('for Kubernetes makes all shares, also where a pod that was killed has left its lock', async () => {
    const text = readFileSync(join(EXAMPLES, 'kubernetes-job.yaml'), 'utf8');
    const [, job] = parseAllDocuments(text).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as KubernetesObject;
    });
    const container = job?.spec.template?.spec.containers[0];
    expect(job?.spec).toMatchObject({ completionMode: 'Indexed', completions: 4 });
    expect(container?.command).toEqual(['/bin/sh', '-euc']);
    const script = String(container?.args[0])
      .replace('/jobs/', `${folder}/`)
      .replace('/seed/', `${folder}/`)
      .replace('/blocks/', `${folder}/`);
    mkdirSync(join(folder, 'share-2'));
    writeFileSync(join(folder, 'share-2', '.gen-block.lock'), 'of a pod');
    await runForEach(['-euc', script], 'JOB_COMPLETION_INDEX', [0, 1, 2, 3]);
    const names = ['share-1', 'share-2', 'share-3', 'share-4'];
    expect(blocksIn(...names.map((name) => join(folder, name)))).toEqual(right);
  });
});
