import { planBatch } from '../batch/batch-plan.js';
import type { BatchProgress } from '../batch/batch-progress.js';
import type { BatchBlockResult, BatchResult } from '../batch/batch-result.js';
import { loadJobs } from '../batch/load-jobs.js';
import { runBatch, type BatchRequest } from '../batch/run-batch.js';
import { InputError, printable } from '../core/errors.js';
import { planJson, planText, summaryJson, summaryText } from './batch-text.js';
import { defaultThreads, machineNow } from './default-threads.js';
import { EXIT } from './exit-code.js';
import { SEED_VARIABLE } from './options.js';
import { parseShard } from './parse-shard.js';
import { findSeed } from './seed-input.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, processTerminal, type Terminal } from './terminal.js';

/** The options of `batch`. */
export interface BatchFlags {
  readonly seed?: string;
  readonly seedFile?: string;
  readonly out: string;
  readonly threads?: number;
  readonly shard?: string;
  readonly dryRun?: boolean;
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
  if (flags.dryRun === true) {
    const plan = planBatch(jobs, shard);
    terminal.write(flags.json === true ? planJson(plan) : planText(plan));
    return;
  }
  const seed = await findSeed(flags, process.env, terminal.note);
  if (seed === undefined) {
    const message = `no seed is given, and a batch needs one that is kept: make one, and give it with --seed-file or in ${SEED_VARIABLE}`;
    throw new InputError('usage', message);
  }
  const startedAt = performance.now();
  const result = await watchedBatch({ jobs, seed, shard }, flags, terminal);
  const seconds = (performance.now() - startedAt) / 1000;
  if (flags.json === true) terminal.write(summaryJson(result, seconds));
  else if (flags.quiet !== true) terminal.write(summaryText(result, seconds));
  conclude(result, terminal);
}

/** Runs the batch under a bar; the first signal ends it in good order. */
async function watchedBatch(
  request: BatchRequest,
  flags: BatchFlags,
  terminal: Terminal,
): Promise<BatchResult> {
  const { out: outputFolder, recheck, threads = defaultThreads(machineNow()) } = flags;
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('what was done stays; run the same command again to go on');
  const onBlock = (block: BatchBlockResult): void => {
    bar.stop();
    noteBlock(block, terminal);
  };
  const onProgress = ({ blockNumber, blockCount, done, total }: BatchProgress): void => {
    bar.show({ phase: 'batch', label: `block ${blockNumber} of ${blockCount}`, done, total });
  };
  const { signal } = signals;
  const clock = (): number => performance.now();
  const now = (): Date => new Date();
  try {
    const options = { outputFolder, recheck, threads, signal, now, clock, onBlock, onProgress };
    return await runBatch(request, options);
  } finally {
    bar.stop();
    signals.stop();
  }
}

const OUTCOME_WORDS = {
  made: 'was generated and verified',
  kept: 'was there already, and was kept',
  remade: 'was there already, and was made anew',
  joined: 'was verified and joined',
} as const;

function noteBlock(block: BatchBlockResult, terminal: Terminal): void {
  const { folder, outcome, reason = '', seconds = 0 } = block;
  if (outcome === 'refused') terminal.error(reason);
  // Why a block failed is said at the end, as what the exit code comes from.
  if (outcome === 'refused' || outcome === 'failed' || outcome === 'missing') return;
  const why = outcome === 'remade' ? `: ${reason}` : '';
  const what = OUTCOME_WORDS[outcome];
  terminal.note(`${printable(folder)} ${what} in ${seconds.toFixed(1)} s${why}`);
}

/** Says what went wrong, and sets the exit code that it means. */
function conclude({ blocks, counts, stoppedBy }: BatchResult, terminal: Terminal): void {
  for (const { outcome, reason = '' } of blocks) {
    // The failure that stopped the batch is thrown, and shown there.
    if (outcome === 'failed' && reason !== stoppedBy?.message) terminal.error(reason);
  }
  if (counts.refused > 0) process.exitCode = EXIT.badInput;
  if (counts.failed > 0) process.exitCode = EXIT.nonconforming;
  if (stoppedBy !== undefined) throw stoppedBy;
}
