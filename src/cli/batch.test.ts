import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BATCH_LOCK } from '../block/folder-lock.js';
import { checkedJson } from '../testing/checked-json.js';
import { resultOf, runInside, startProcess, type CommandResult } from '../testing/command-line.js';
import { definitionPath, folderMaker, hashesOf, namesIn } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const JOBS = fileURLToPath(new URL('../../fixtures/jobs/three-small-blocks.json', import.meta.url));
const SEED = 'Zq7-geheim-batch, long enough';
const FIRST = 'eldorado-mini-100-e1-b1';
const SECOND = 'eldorado-mini-100-e1-b2';
const THIRD = join('lagon', 'lagon-mini-50-e1-b1');
const PATHS = [FIRST, SECOND, THIRD];

let out: string;
let seedFile: string;
let right: readonly unknown[];

beforeAll(async () => {
  seedFile = join(newFolder(), 'emission-1.seed');
  writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 });
  const folder = newFolder();
  const { exitCode } = await batch(['--out', folder]);
  expect(exitCode).toBe(0);
  right = hashesOfAll(folder);
});

beforeEach(() => {
  out = newFolder();
});

function hashesOfAll(folder: string): readonly unknown[] {
  return PATHS.map((path) => hashesOf(join(folder, path)));
}

async function batch(more: readonly string[], jobs = JOBS): Promise<CommandResult> {
  return runInside(['batch', jobs, '--seed-file', seedFile, ...more]);
}

describe('batch --dry-run', () => {
  test('shows what would be made, needs no seed, and makes nothing', async () => {
    const { exitCode, stdout, stderr } = await runInside([
      'batch',
      JOBS,
      '--dry-run',
      '--out',
      join(out, 'new'),
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /eldorado-mini +1\.00 +1-2 +2 +18,000 +18,000\.00 +44,300\.00 +seedrandom +ndjson,csv\n/,
    );
    expect(stdout).toMatch(/lagon-mini +0\.50 +1 +1 .* chacha20 +csv, gzip +lagon\n/);
    expect(stdout).toContain(
      'Emission 1: 3 blocks, 26,000 tickets, sales of 22,000.00 EUR, prizes of 49,822.50 EUR.\n',
    );
    expect(stdout).toMatch(
      /\nEstimated: [\d,]+ bytes on the disk, and 1 s at 50 MB of tickets a second\.\nNothing was made\.\n$/,
    );
    expect(namesIn(out)).toEqual([]);
  });

  test('has all of it as JSON', async () => {
    const { stdout } = await runInside(['batch', JOBS, '--dry-run', '--json']);
    expect(checkedJson('batch-plan', stdout)).toMatchObject({
      totals: { blocks: 3, tickets: 26_000, salesCents: 2_200_000, prizesCents: 4_982_250 },
      blocks: [
        { path: FIRST },
        { path: SECOND },
        { path: 'lagon/lagon-mini-50-e1-b1', compression: 'gzip' },
      ],
    });
  });

  test('says long times in minutes and hours', async () => {
    const path = join(out, 'jobs.json');
    for (const [last, words] of [
      [80, '3 min'],
      [4000, '2 h 29 min'],
    ] as const) {
      const jobs = [{ game: 'eldorado', stake_cents: 100, blocks: { first: 1, last } }];
      writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs }));
      expect((await runInside(['batch', path, '--dry-run'])).stdout).toContain(`and ${words} at`);
    }
  });
});

describe('batch', () => {
  test('makes what is not there, says so, and keeps it the next time', async () => {
    const first = await batch(['--out', out, '--threads', '1']);
    expect(first.exitCode).toBe(0);
    expect(first.stderr.split('\n')).toEqual([
      ...PATHS.map((path) =>
        expect.stringMatching(`^gen-block: ${join(out, path)} was generated and verified in `),
      ),
      '',
    ]);
    expect(first.stdout).toContain('\nBlocks: 3 made.\n');
    expect(first.stdout).toMatch(
      /There and whole: 3 blocks, 26,000 tickets, .*\n\d+ s in all\.\n$/,
    );
    const second = await batch(['--out', out, '--json', '--quiet']);
    expect([second.exitCode, second.stderr]).toEqual([0, '']);
    expect(checkedJson('batch', second.stdout)).toMatchObject({
      counts: { made: 0, kept: 3, remade: 0, refused: 0, failed: 0 },
      leftCount: 0,
    });
    expect(hashesOfAll(out)).toEqual(right);
    expect(JSON.stringify([first, second])).not.toContain(SEED);
  });

  test('makes what is broken anew, refuses what is of another seed, and says why', async () => {
    await batch(['--out', out]);
    truncateSync(join(out, SECOND, 'tickets.csv'), 10);
    const { exitCode, stdout, stderr } = await batch(['--out', out]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /b2 was there already, and was made anew in [\d.]+ s: tickets\.csv has another size\n/,
    );
    expect(stdout).toContain(`${join(out, SECOND)}, remade: tickets.csv has another size\n`);
    expect(hashesOfAll(out)).toEqual(right);
    rmSync(join(out, THIRD), { recursive: true });
    const other = await runInside([
      'batch',
      JOBS,
      '--seed',
      'another',
      '--out',
      out,
      '--json',
      '--recheck',
    ]);
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain(
      `gen-block: ${join(out, FIRST)} is there already, and it was made from another seed; `,
    );
    expect(checkedJson('batch', other.stdout)).toMatchObject({
      counts: { made: 0, refused: 3 },
      totals: { blocks: 0 },
    });
  });

  test.each<[string, readonly string[], string]>([
    [
      'no seed',
      [JOBS],
      'no seed is given, and a batch needs one that is kept: make one, and give it with --seed-file or in GEN_BLOCK_SEED',
    ],
    [
      'standard output',
      [JOBS, '--seed', 'x', '--out', '-'],
      '--out - streams a single block; name a folder for a batch',
    ],
    ['no job file', [], "missing required argument 'jobs'"],
    [
      'a job file that is not there',
      ['/no/such/file', '--seed', 'x'],
      'there is no file /no/such/file; check the path',
    ],
  ])('with %s ends with exit code 2 and one line', async (_, argv, line) => {
    const { exitCode, stdout, stderr } = await runInside(['batch', ...argv]);
    expect([exitCode, stdout, stderr]).toEqual([2, '', `gen-block: ${line}\n`]);
  });

  test('shows every problem of a job file', async () => {
    const path = join(out, 'jobs.json');
    writeFileSync(path, '{"format":"gen-block-jobs/1","emission":0,"jobs":7,"\\u001b[31m":1}');
    const { exitCode, stderr } = await batch(['--out', out], path);
    expect(exitCode).toBe(2);
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      '  /emission: found 0, expected at least 1',
      '  /jobs: found 7, expected a list',
      `gen-block: ${path}: 3 problems in the job file; /\\u{1b}[31m: found 1, expected no such field`,
    ]);
    expect(namesIn(out)).toEqual(['jobs.json']);
  });

  test('ends with 3 where the machine fails, and its summary says what stopped it', async () => {
    const { exitCode, stderr } = await batch(['--out', '/proc/none']);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^gen-block: cannot create [^\n]+\n$/);
    writeFileSync(join(out, 'file'), '');
    const path = join(out, 'jobs.json');
    const entry = {
      definition: definitionPath('rows-plain'),
      stake_cents: 100,
      blocks: { first: 1, last: 3 },
    };
    const long = 'x'.repeat(199);
    const jobs = [{ ...entry, out: long }];
    writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs }));
    // With the folder's own, the path is longer than the system takes.
    const deep = join(out, ...Array<string>(19).fill('y'.repeat(200)));
    const failed = await batch(['--out', deep, '--json', '--threads', '1'], path);
    expect(failed.exitCode).toBe(3);
    expect(failed.stderr.match(/gen-block: /g)).toHaveLength(1);
    expect(checkedJson('batch', failed.stdout)).toMatchObject({
      counts: { made: 0, failed: 1 },
      leftCount: 2,
      stopped: expect.stringContaining('cannot'),
    });
  });
});

describe('a process of batch', () => {
  const start = (folder: string, jobs = JOBS) =>
    startProcess(['batch', jobs, '--seed-file', seedFile, '--out', folder, '--json']);

  /** A job file of very many blocks. */
  function longJobs(): string {
    const path = join(newFolder(), 'jobs.json');
    const blocks = { first: 1, last: 300 };
    const jobs = [{ definition: definitionPath('rows-plain'), stake_cents: 100, blocks }];
    writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs }));
    return path;
  }

  async function untilMade(folder: string, name: string): Promise<void> {
    for (let attempt = 0; attempt < 6000; attempt += 1) {
      if (existsSync(join(folder, name))) return;
      await setTimeout(5);
    }
    throw new Error(`${name} was not made`);
  }

  // SIGTERM ends one of two threads in batch-threads.test.ts.
  test('ends in good order at SIGINT, and the next one goes on', async () => {
    const [signal, code] = ['SIGINT', 130] as const;
    const jobs = longJobs();
    const child = start(out, jobs);
    const ended = resultOf(child);
    await untilMade(out, 'rows-plain-100-e1-b2');
    const lock = readFileSync(join(out, BATCH_LOCK.file), 'utf8');
    const second = await runInside(['batch', jobs, '--seed-file', seedFile, '--out', out]);
    child.kill(signal);
    const { exitCode, signal: killedBy, stdout, stderr } = await ended;
    expect([exitCode, killedBy]).toEqual([code, undefined]);
    expect(JSON.parse(lock)).toMatchObject({ pid: child.pid });
    expect(lock).not.toContain(SEED);
    expect([second.exitCode, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toContain(`makes a batch in this folder: process ${child.pid ?? 0} on `);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `gen-block: stopped by ${signal}; what was done stays; run the same command again to go on`,
    );
    const summary = checkedJson('batch', stdout) as {
      readonly blocks: readonly { readonly name: string }[];
    };
    expect(summary).toMatchObject({ stopped: expect.stringContaining(signal) });
    expect(namesIn(out)).toEqual(summary.blocks.map(({ name }) => name).sort());
  });

  test('that is killed at any instant leaves no partial block, and the rerun makes the same bytes', async () => {
    const startedAt = performance.now();
    await resultOf(start(newFolder()));
    const longestMs = Math.ceil(performance.now() - startedAt);
    const problems: string[] = [];
    const broken = new Set<string>();
    for (let kill = 0; kill < 3; kill += 1) {
      const child = start(out);
      const ended = resultOf(child);
      const delay = randomInt(longestMs);
      await setTimeout(delay);
      child.kill('SIGKILL');
      await ended;
      for (const [index, path] of PATHS.entries()) {
        const folder = join(out, path);
        if (!existsSync(folder)) continue;
        const isRight = JSON.stringify(hashesOf(folder)) === JSON.stringify(right[index]);
        if (isRight) broken.delete(path);
        else if (!broken.has(path)) problems.push(`${path} after ${delay} ms`);
        // Some are missing the next time, some are broken, some are kept.
        if (kill % 3 === 0) rmSync(folder, { recursive: true });
        if (kill % 3 !== 1) continue;
        truncateSync(join(folder, 'manifest.json'), 20);
        broken.add(path);
      }
    }
    expect(problems).toEqual([]);
    const { exitCode, stderr } = await resultOf(start(out));
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(hashesOfAll(out)).toEqual(right);
    expect(namesIn(out)).toEqual([FIRST, SECOND, 'lagon']);
    expect(namesIn(join(out, 'lagon'))).toEqual(['lagon-mini-50-e1-b1']);
  });
});
