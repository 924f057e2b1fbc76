import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REGISTRY_FILE } from '../formats/registry.js';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';
import type { BatchProgress } from './batch-progress.js';
import type { BatchResult } from './batch-result.js';
import type { Jobs } from './job.js';
import { loadJobs } from './load-jobs.js';
import { runBatch, type BatchOptions } from './run-batch.js';

/** More threads than blocks among them. */
const THREADS = [1, 2, 4, 8];

const newFolder = folderMaker();
const SEED = Buffer.from('Zq7-geheim-threads');
const ROWS = [1, 2, 3, 4].map((block) => `rows-plain-100-e1-b${block}`);
const COLLECT = [7, 8].map((block) => join('a', 'b', `collect-bare-100-e1-b${block}`));
const PATHS = [...ROWS, ...COLLECT];
const TICKETS = 4 * 1000 + 2 * 600;

/** Six blocks of two games. */
function sixBlocks(): Jobs {
  const path = join(newFolder(), 'jobs.json');
  const entries = [
    { definition: definitionPath('rows-plain'), blocks: { first: 1, last: 4 } },
    {
      definition: definitionPath('collect-bare'),
      blocks: { first: 7, last: 8 },
      engine: 'chacha20',
      compression: 'gzip',
      out: 'a/b',
    },
  ];
  const jobs = entries.map((entry) => ({ ...entry, stake_cents: 100 }));
  writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs }));
  return loadJobs(path);
}

const JOBS = sixBlocks();

let right: readonly unknown[];
let out: string;

beforeAll(async () => {
  const outputFolder = newFolder();
  await runBatch({ jobs: JOBS, seed: SEED }, { outputFolder });
  right = hashesOfAll(outputFolder);
});

beforeEach(() => {
  out = newFolder();
});

async function run(changes: Partial<BatchOptions> = {}): Promise<BatchResult> {
  return runBatch({ jobs: JOBS, seed: SEED }, { outputFolder: out, threads: 2, ...changes });
}

function hashesOfAll(folder: string): readonly unknown[] {
  return PATHS.map((path) => hashesOf(join(folder, path)));
}

/** Entries of all folders that are no block and nothing in one. */
function remainsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      basename(path) !== REGISTRY_FILE &&
      !['a', join('a', 'b')].includes(path) &&
      !PATHS.some((own) => path.startsWith(own)),
  );
}

describe('a batch of several blocks at once', () => {
  test.each(THREADS)('of %d has the same bytes, told in the order of the plan', async (threads) => {
    const told: string[] = [];
    const result = await run({ threads, onBlock: ({ folder }) => told.push(folder) });
    const folders = PATHS.map((path) => join(out, path));
    expect(result.blocks.map(({ folder }) => folder)).toEqual(folders);
    expect(told.toSorted()).toEqual(folders.toSorted());
    expect(result).toMatchObject({
      counts: { made: 6, kept: 0 },
      leftCount: 0,
      totals: { blocks: 6, tickets: TICKETS },
    });
    expect(hashesOfAll(out)).toEqual(right);
    expect(remainsIn(out)).toEqual([]);
  });

  test.each([
    [false, 'tickets.csv has another size'],
    [true, 'its verification has findings'],
  ])(
    'keeps what is whole, makes what is broken anew, refuses what is foreign (recheck: %p)',
    async (recheck, why) => {
      await run();
      truncateSync(join(out, ROWS[1]!, 'tickets.csv'), 10);
      rmSync(join(out, ROWS[2]!), { recursive: true });
      writeFileSync(join(out, ROWS[3]!, 'notes.txt'), '');
      rmSync(join(out, COLLECT[0]!), { recursive: true });
      mkdirSync(join(out, COLLECT[0]!));
      const { blocks } = await run({ recheck });
      expect(blocks.map(({ outcome }) => outcome)).toEqual([
        ...['kept', 'remade', 'made', 'refused'],
        ...['remade', 'kept'],
      ]);
      expect(blocks[1]?.reason).toBe(why);
      expect(blocks[3]?.reason).toContain('it holds notes.txt, which is no part of a block; move');
      rmSync(join(out, ROWS[3]!, 'notes.txt'));
      expect(hashesOfAll(out)).toEqual(right);
    },
  );

  test('tells how far all of them are together', async () => {
    const seen: BatchProgress[] = [];
    await run({ onProgress: (progress) => seen.push(progress) });
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(seen[0]).toMatchObject({ blockNumber: 1, blockCount: 6, done: 0, total: TICKETS });
    expect(seen.at(-1)).toMatchObject({ blockNumber: 6, done: TICKETS });
    const numbers = seen.map(({ blockNumber }) => blockNumber);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  test('drops all blocks in hand at a signal, and goes on the next time', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const onProgress = ({ blockNumber, done }: BatchProgress): void => {
      if (blockNumber >= 3 && done > 300) controller.abort(reason);
    };
    const result = await run({ threads: 3, signal: controller.signal, onProgress });
    const { blocks, leftCount, stoppedBy } = result;
    expect(stoppedBy).toBe(reason);
    expect(leftCount).toBeGreaterThan(0);
    expect(blocks.every(({ outcome }) => outcome === 'made')).toBe(true);
    expect(blocks.length + leftCount).toBe(6);
    expect(remainsIn(out)).toEqual([]);
    const { counts } = await run();
    expect(counts).toMatchObject({ kept: blocks.length, made: leftCount });
    expect(hashesOfAll(out)).toEqual(right);
  });

  test('stopped by the machine ends the blocks in hand and begins no other', async () => {
    // A path with which the blocks of the second game are longer than the system takes.
    const long = { ...JOBS.jobs[1]!, subfolders: Array<string>(19).fill('x'.repeat(220)) };
    const jobs = [{ ...JOBS.jobs[0]!, last: 1 }, long, { ...JOBS.jobs[0]!, first: 2 }];
    const request = { jobs: { ...JOBS, jobs }, seed: SEED };
    const result = await runBatch(request, { outputFolder: out, threads: 2 });
    expect(result.blocks.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['made', 'failed']);
    expect(result.stoppedBy).toMatchObject({ name: 'MachineError', code: 'ENAMETOOLONG' });
    expect(result.leftCount).toBeGreaterThanOrEqual(2);
  });

  test('ends all its threads before it throws what its caller has thrown', async () => {
    const error = new Error('thrown');
    const onBlock = (): never => {
      throw error;
    };
    await expect(run({ onBlock })).rejects.toBe(error);
    expect(remainsIn(out)).toEqual([]);
    expect((await run()).leftCount).toBe(0);
  });

  test.each([0, -1, 1.5, Number.NaN])('does not take %d threads', async (threads) => {
    await expect(run({ threads })).rejects.toMatchObject({ code: 'bad-number' });
    expect(namesIn(out)).toEqual([]);
  });
});
