import { planBatch } from '../batch/batch-plan.js';
import type { PolicyId } from '../batch/job.js';
import { loadJobs } from '../batch/load-jobs.js';
import { runBatch } from '../batch/run-batch.js';
import { InputError } from '../core/errors.js';
import { checkRecipients } from '../formats/age-header.js';
import { planJson, planText } from './batch-text.js';
import { defaultThreads, machineNow } from './default-threads.js';
import { readIdentities } from './identity-input.js';
import { findSigningKey } from './key-input.js';
import { SEED_VARIABLE } from './options.js';
import { policyOf } from './policy-input.js';
import { parseShard } from './parse-shard.js';
import { findSeed } from './seed-input.js';
import { processTerminal } from './terminal.js';
import { watchBatch } from './watch-batch.js';

/** The options of `batch`. */
export interface BatchFlags {
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly out: string;
  readonly encryptTo?: readonly string[];
  readonly identity?: readonly string[];
  readonly threads?: number;
  readonly shard?: string;
  readonly signKey?: string;
  readonly passphraseFile?: string;
  readonly dryRun?: boolean;
  readonly commitTickets?: boolean;
  readonly policy?: PolicyId;
  readonly recheck?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Makes the blocks of a job file, or shows what they would be. */
export async function runBatchCommand(path: string, flags: BatchFlags): Promise<void> {
  const terminal = processTerminal(flags);
  if (flags.out === '-') {
    throw new InputError('usage', '--out - streams a single block; name a folder for a batch');
  }
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard, process.env);
  const jobs = loadJobs(path);
  if (flags.encryptTo !== undefined) await checkRecipients(flags.encryptTo);
  if (flags.dryRun === true) {
    const plan = planBatch(jobs, shard);
    terminal.write(flags.json === true ? planJson(plan) : planText(plan));
    return;
  }
  const signWith = await findSigningKey(flags, terminal.note);
  const given = await findSeed(flags, process.env, terminal.note);
  if (given === undefined) {
    const message = `no seed is given, and a batch needs one that is kept: make one, and give it with --seed-file or in ${SEED_VARIABLE}`;
    throw new InputError('usage', message);
  }
  const identities = await readIdentities(flags.identity, terminal.note);
  const { seed, shareCommitments } = given;
  const isAsked = (flags.policy ?? jobs.policy) !== undefined;
  const policy = isAsked ? policyOf(given) : undefined;
  const { out: outputFolder, encryptTo, commitTickets, recheck } = flags;
  const { threads = defaultThreads(machineNow()) } = flags;
  await watchBatch(flags, terminal, async (watch) =>
    runBatch(
      { jobs, seed, shareCommitments, shard },
      {
        ...{ outputFolder, encryptTo, identities, commitTickets, signWith, policy },
        ...{ recheck, threads, ...watch },
      },
    ),
  );
}
