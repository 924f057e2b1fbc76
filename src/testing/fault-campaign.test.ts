import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import type { KindResult } from './fault-campaign/campaign.js';
import { FAULT_KINDS } from './fault-campaign/kinds.js';

jest.setTimeout(600_000);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Another part of the campaign in each run; the failure names what repeats it. */
const SEED = 1 + (Math.floor(Date.now() / 1000) % 1_000_000);

/** What the campaign says that starts as a program of its own. */
async function smallCampaign(): Promise<string> {
  const argv = ['scripts/faults.mjs', '--small', '--seed', String(SEED), '--json'];
  try {
    return (await promisify(execFile)(process.execPath, argv, { cwd: ROOT })).stdout;
  } catch (error) {
    const { code, stdout } = error as { readonly code: unknown; readonly stdout: string };
    // With 1 it says what has failed; with anything else it says nothing.
    if (code === 1 && stdout !== '') return stdout;
    throw error;
  }
}

test('a batch comes through every fault that needs neither root nor tools', async () => {
  const kinds = FAULT_KINDS.filter(({ smallCount }) => smallCount > 0);
  expect(kinds.flatMap(({ needs }) => needs)).toEqual([]);
  const { seed, results } = JSON.parse(await smallCampaign()) as {
    readonly seed: number;
    readonly results: readonly KindResult[];
  };
  const failures = results.flatMap(({ name, problems }) =>
    problems.map((text) => `${name}, ${text}`),
  );
  expect({ seed, failures }).toEqual({ seed: SEED, failures: [] });
  expect(results.map(({ name, injected, failed }) => [name, injected, failed])).toEqual(
    kinds.map(({ name, smallCount }) => [name, smallCount, 0]),
  );
});
