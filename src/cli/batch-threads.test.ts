import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { checkedJson } from '../testing/checked-json.js';
import {
  resultOf,
  runInside,
  runProcess,
  startProcess,
  type CommandResult,
} from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const SEED = 'Zq7-geheim-threads';
const NAMES = [1, 2, 3, 4].map((block) => `rows-plain-100-e1-b${block}`);
const FAULTY = new URL('../../fixtures/faulty-thread.mjs', import.meta.url).href;

interface Summary {
  readonly counts: Readonly<Record<string, number>>;
  readonly leftCount: number;
  readonly stopped?: string;
  readonly blocks: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly reason?: string;
  }[];
}

let jobs: string;
let out: string;
let right: readonly unknown[];

beforeAll(async () => {
  jobs = jobFile(4);
  const folder = newFolder();
  expect((await batchInside(folder, 1)).exitCode).toBe(0);
  right = NAMES.map((name) => hashesOf(join(folder, name)));
});

beforeEach(() => {
  jobs = jobFile(4);
  out = newFolder();
});

/** The path of a job file of so many blocks. */
function jobFile(last: number): string {
  const path = join(newFolder(), 'jobs.json');
  const definition = definitionPath('rows-plain');
  const entries = [{ definition, stake_cents: 100, blocks: { first: 1, last } }];
  writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: entries }));
  return path;
}

function argvOf(folder: string, threads: number): readonly string[] {
  return ['batch', jobs, '--out', folder, '--threads', String(threads), '--json'];
}

async function batch(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return runProcess(argvOf(folder, 2), { env: { GEN_BLOCK_SEED: SEED, ...env } });
}

/** Runs the same command within the test, where nothing is to happen to its threads. */
async function batchInside(folder: string, threads = 2): Promise<CommandResult> {
  return runInside(argvOf(folder, threads), { GEN_BLOCK_SEED: SEED });
}

function summaryOf({ stdout }: CommandResult): Summary {
  return checkedJson('batch', stdout) as Summary;
}

describe('a thread', () => {
  // The main thread makes the first block, the other thread the second.
  const [, second = ''] = NAMES;

  test.each([
    [
      'exit',
      `the thread that was making ${second} died (exit code 7); run the same command again, `,
    ],
    ['error', `the thread that was making ${second} died (made up); run the same command again, `],
    [
      'memory',
      `the thread that was making ${second} ran out of memory; run the same command again, `,
    ],
    ['fullDisk', 'the disk is full; free some space or choose another --out'],
  ])('that dies or fails (%s) stops the batch, and a rerun completes it', async (fault, words) => {
    const env = {
      NODE_OPTIONS: `--import=${FAULTY} --max-old-space-size=64`,
      FAULTY_THREAD: `${fault},${second}`,
    };
    const failed = await batch(out, env);
    const { counts, blocks, leftCount, stopped } = summaryOf(failed);
    expect(failed.exitCode).toBe(3);
    expect(failed.stderr.match(new RegExp(words.replace(/[()]/g, '\\$&'), 'g'))).toHaveLength(1);
    expect(stopped).toContain(words);
    expect(blocks[1]).toMatchObject({ name: second, outcome: 'failed' });
    expect(blocks[1]?.reason).toContain(words);
    expect(counts).toMatchObject({ failed: 1, made: blocks.length - 1 });
    expect(blocks.length + leftCount).toBe(NAMES.length);
    const made = NAMES.filter((name, at) => at < blocks.length && name !== second);
    expect(namesIn(out)).toEqual(made);
    const again = await batchInside(out);
    expect(again.exitCode).toBe(0);
    expect(summaryOf(again).counts).toMatchObject({ kept: made.length, failed: 0 });
    expect(NAMES.map((name) => hashesOf(join(out, name)))).toEqual(right);
    expect(namesIn(out)).toEqual(NAMES);
    expect(JSON.stringify([failed, again])).not.toContain(SEED);
  });

  test('whose block does not pass its own verification does not keep it, and goes on', async () => {
    const env = { NODE_OPTIONS: `--import=${FAULTY}`, FAULTY_THREAD: `change,${second}` };
    const result = await batch(out, env);
    expect(result.exitCode).toBe(1);
    expect(summaryOf(result)).toMatchObject({
      counts: { made: 3, failed: 1 },
      leftCount: 0,
      blocks: [
        { outcome: 'made' },
        {
          outcome: 'failed',
          reason: `the block ${second} did not pass its own verification and was not kept`,
        },
        { outcome: 'made' },
        { outcome: 'made' },
      ],
    });
    expect(namesIn(out)).toEqual(NAMES.filter((name) => name !== second));
  });
});

describe('a batch of two blocks at once', () => {
  async function untilMade(name: string): Promise<void> {
    for (let attempt = 0; attempt < 6000; attempt += 1) {
      if (existsSync(join(out, name))) return;
      await setTimeout(5);
    }
    throw new Error(`${name} was not made`);
  }

  // SIGINT does in batch.test.ts.
  test('ends in good order at SIGTERM', async () => {
    const [signal, code] = ['SIGTERM', 143] as const;
    jobs = jobFile(400);
    const env = { GEN_BLOCK_SEED: SEED };
    const child = startProcess(argvOf(out, 2), { env });
    const ended = resultOf(child);
    await untilMade('rows-plain-100-e1-b4');
    child.kill(signal);
    const result = await ended;
    expect([result.exitCode, result.signal]).toEqual([code, undefined]);
    expect(result.stderr.trimEnd().split('\n').at(-1)).toBe(
      `gen-block: stopped by ${signal}; what was done stays; run the same command again to go on`,
    );
    const { blocks, leftCount, counts } = summaryOf(result);
    expect(counts['made']).toBe(blocks.length);
    expect(leftCount).toBe(400 - blocks.length);
    expect(namesIn(out)).toEqual(blocks.map(({ name }) => name).sort());
  });

  test('ends at once at a second signal, and the next run clears up', async () => {
    jobs = jobFile(20);
    const child = startProcess(argvOf(out, 2), { env: { GEN_BLOCK_SEED: SEED } });
    const ended = resultOf(child);
    await untilMade(NAMES[1]!);
    // Both at once: the main thread has had no time for anything in between.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect((await ended).signal).toMatch(/^SIG(INT|TERM)$/);
    const again = await batchInside(out);
    expect(again.exitCode).toBe(0);
    expect(summaryOf(again)).toMatchObject({ leftCount: 0 });
    expect(readdirSync(out).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(NAMES.map((name) => hashesOf(join(out, name)))).toEqual(right);
  });
});
