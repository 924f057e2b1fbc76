import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { runCampaign } from './fault-campaign/campaign.js';
import { tinyJobs } from './fault-campaign/tiny-jobs.js';
import { FAULT_KINDS } from './fault-campaign/kinds.js';

jest.setTimeout(600_000);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Another part of the campaign in each run; the failure names what repeats it. */
const SEED = Math.floor(Date.now() / 1000) % 1_000_000;

test('a batch comes through every fault that needs neither root nor tools', async () => {
  const kinds = FAULT_KINDS.filter(({ smallCount }) => smallCount > 0);
  expect(kinds.flatMap(({ needs }) => needs)).toEqual([]);
  const countOf = ({ smallCount }: (typeof kinds)[number]): number => smallCount;
  const results = await runCampaign({ root: ROOT, kinds, seed: SEED, countOf, jobs: tinyJobs });
  const failures = results.flatMap(({ name, problems }) =>
    problems.map((text) => `${name}, ${text}`),
  );
  expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
  expect(results.map(({ injected }) => injected)).toEqual(kinds.map(countOf));
});

test('the campaign starts as a program of its own', async () => {
  const argv = ['scripts/faults.mjs', '--only', 'clock', '--count', '1', '--small', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: ROOT });
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ name: 'clock', passed: 1, failed: 0 }] });
});
