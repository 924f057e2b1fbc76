import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { COMMITMENT_FILE } from '../formats/manifest.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  sampleRequest,
} from '../testing/sample-requests.js';
import type { BatchResult } from './batch-result.js';
import type { Jobs } from './job.js';
import { finishBatch } from './finish-batch.js';
import { loadJobs } from './load-jobs.js';
import { runBatch, type BatchOptions } from './run-batch.js';

const newFolder = folderMaker();
const { seed } = sampleRequest();
const NAMES = [1, 2, 3].map((block) => `collect-bare-100-e1-b${block}`);

function jobsOf(changes: object = {}): Jobs {
  const path = join(newFolder(), 'jobs.json');
  const definition = definitionPath('collect-bare');
  const jobs = [{ definition, stake_cents: 100, blocks: { first: 1, last: 3 } }];
  writeFileSync(
    path,
    JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, ...changes, jobs }),
  );
  return loadJobs(path);
}

async function run(
  outputFolder: string,
  options: Partial<BatchOptions> = {},
  jobs = jobsOf(),
): Promise<BatchResult> {
  return runBatch({ jobs, seed }, { outputFolder, ...options });
}

const outcomesOf = ({ blocks }: BatchResult): readonly string[] =>
  blocks.map(({ outcome }) => outcome);

describe('a batch with commitments', () => {
  test.each([
    ['the job file', {}, { commit_tickets: true }],
    ['an option', { commitTickets: true }, {}],
    ['an option, in threads', { commitTickets: true, threads: 3 }, {}],
  ])('asked for by %s has those that generate writes', async (_what, options, changes) => {
    const out = newFolder();
    await run(out, options, jobsOf(changes));
    for (const [index, name] of NAMES.entries()) {
      const single = await generateBlock(sampleRequest('collect-bare', { block: index + 1 }), {
        outputFolder: newFolder(),
        commitTickets: true,
      });
      expect(hashesOf(join(out, name))).toEqual(hashesOf(single.folder));
    }
  });

  test('gives commitments to blocks that have none, and keeps those that have one', async () => {
    const out = newFolder();
    await run(out);
    expect(existsSync(join(out, NAMES[0] ?? '', COMMITMENT_FILE))).toBe(false);
    expect(outcomesOf(await run(out, { commitTickets: true }))).toEqual(['kept', 'kept', 'kept']);
    const first = NAMES.map((name) => hashesOf(join(out, name)));
    expect(first.every((hashes) => COMMITMENT_FILE in hashes)).toBe(true);
    expect(outcomesOf(await run(out))).toEqual(['kept', 'kept', 'kept']);
    expect(NAMES.map((name) => hashesOf(join(out, name)))).toEqual(first);
  });

  test('mends a block whose commitment is another’s or broken, and commits to it again', async () => {
    const out = newFolder();
    await run(out, { commitTickets: true });
    const [a = '', b = '', c = ''] = NAMES.map((name) => join(out, name, COMMITMENT_FILE));
    const right = [a, b, c].map((path) => readFileSync(path, 'utf8'));
    writeFileSync(a, right[1] ?? '');
    writeFileSync(b, '{');
    rmSync(join(out, NAMES[2] ?? '', 'tickets.csv'));
    expect(outcomesOf(await run(out))).toEqual(['remade', 'remade', 'remade']);
    expect([a, b, c].map((path) => readFileSync(path, 'utf8'))).toEqual(right);
  });

  test('tells another root only when it is to look at every ticket', async () => {
    const out = newFolder();
    await run(out, { commitTickets: true });
    const path = join(out, NAMES[0] ?? '', COMMITMENT_FILE);
    const right = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      right.replace(/"tickets_root":"\w+"/, `"tickets_root":"${'a'.repeat(64)}"`),
    );
    expect(outcomesOf(await run(out))).toEqual(['kept', 'kept', 'kept']);
    expect(outcomesOf(await run(out, { recheck: true }))).toEqual(['remade', 'kept', 'kept']);
    expect(readFileSync(path, 'utf8')).toBe(right);
  });

  test('keeps a commitment of another version of the program', async () => {
    const out = newFolder();
    await run(out, { commitTickets: true });
    const path = join(out, NAMES[0] ?? '', COMMITMENT_FILE);
    const other = readFileSync(path, 'utf8').replace(/"program_sha256":"\w/, '"program_sha256":"0');
    writeFileSync(path, other.replace(/"tool_version":"[^"]*"/, '"tool_version":"0.0.1"'));
    expect(outcomesOf(await run(out, { commitTickets: true }))[0]).toBe('kept');
    expect(readFileSync(path, 'utf8')).toContain('"tool_version":"0.0.1"');
  });
});

test('shares that are joined keep their commitments, and a policy is said to be unchecked', async () => {
  const share = newFolder();
  await run(share, { commitTickets: true });
  const before = NAMES.map((name) => hashesOf(join(share, name)));
  const outputFolder = newFolder();
  const jobs = jobsOf({ policy: 'production' });
  const joined = await finishBatch({ jobs, shares: [share], seed }, { outputFolder });
  expect(outcomesOf(joined)).toEqual(['joined', 'joined', 'joined']);
  expect(joined.notChecked).toEqual([expect.stringContaining('the policy of the job file')]);
  expect(NAMES.map((name) => hashesOf(join(outputFolder, name)))).toEqual(before);
});

test('a job file says yes or no to commitments and nothing else', () => {
  expect(() => jobsOf({ commit_tickets: 'yes' })).toThrow(
    /\/commit_tickets: found "yes", expected true or false/,
  );
});
