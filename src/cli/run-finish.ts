import { finishBatch } from '../batch/finish-batch.js';
import { loadJobs } from '../batch/load-jobs.js';
import { InputError } from '../core/errors.js';
import { readIdentities } from './identity-input.js';
import { findSeed } from './seed-input.js';
import { processTerminal } from './terminal.js';
import { watchBatch } from './watch-batch.js';

/** The options of `batch finish`. */
export interface FinishFlags {
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly out: string;
  readonly identity?: readonly string[];
  readonly threads?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Joins the shares of a batch. */
export async function runFinish(
  path: string,
  shares: readonly string[],
  flags: FinishFlags,
): Promise<void> {
  const terminal = processTerminal(flags);
  const { out: outputFolder, threads } = flags;
  if (outputFolder === '-') {
    throw new InputError(
      'usage',
      '--out - streams a single block; name a folder to join shares in',
    );
  }
  const jobs = loadJobs(path);
  const given = await findSeed(flags, process.env, terminal.note);
  const identities = await readIdentities(flags.identity, terminal.note);
  const request = { jobs, shares, seed: given?.seed };
  await watchBatch(flags, terminal, async (watch) =>
    finishBatch(request, { outputFolder, identities, threads, ...watch }),
  );
}
