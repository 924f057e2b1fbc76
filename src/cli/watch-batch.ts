import type { BatchProgress } from '../batch/batch-progress.js';
import type { BatchBlockResult, BatchResult } from '../batch/batch-result.js';
import type { WorkOptions } from '../batch/batch-work.js';
import { printable } from '../core/errors.js';
import { summaryJson, summaryText } from './batch-text.js';
import { EXIT } from './exit-code.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, type Terminal } from './terminal.js';

/** How a batch is watched, stopped and timed. */
type BatchWatch = Omit<WorkOptions, 'outputFolder'> & { readonly now: () => Date };

/**
 * Works on a batch under a bar, the first signal ending it in good order, and shows what has become of it:
 * each block as soon as it is known, the summary at the end. Sets the exit code, or throws what stopped it.
 */
export async function watchBatch(
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
  terminal: Terminal,
  work: (watch: BatchWatch) => Promise<BatchResult>,
): Promise<void> {
  const startedAt = performance.now();
  const result = await underBar(terminal, work);
  const seconds = (performance.now() - startedAt) / 1000;
  if (json === true) terminal.write(summaryJson(result, seconds));
  else if (quiet !== true) terminal.write(summaryText(result, seconds));
  conclude(result, terminal);
}

async function underBar(
  terminal: Terminal,
  work: (watch: BatchWatch) => Promise<BatchResult>,
): Promise<BatchResult> {
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('what was done stays; run the same command again to go on');
  try {
    return await work({
      signal: signals.signal,
      clock: () => performance.now(),
      now: () => new Date(),
      onBlock: (block: BatchBlockResult) => {
        bar.stop();
        noteBlock(block, terminal);
      },
      onProgress: ({ blockNumber, blockCount, done, total }: BatchProgress) => {
        bar.show({ phase: 'batch', label: `block ${blockNumber} of ${blockCount}`, done, total });
      },
    });
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
  const why = reason === '' ? '' : `: ${reason}`;
  const what = OUTCOME_WORDS[outcome];
  terminal.note(`${printable(folder)} ${what} in ${seconds.toFixed(1)} s${why}`);
}

/** Says what went wrong, and sets the exit code that it means. */
function conclude({ blocks, counts, stoppedBy }: BatchResult, terminal: Terminal): void {
  for (const { outcome, reason = '' } of blocks) {
    if (outcome !== 'failed' && outcome !== 'missing') continue;
    // The failure that stopped the batch is thrown, and shown there.
    if (reason !== stoppedBy?.message) terminal.error(reason);
  }
  if (counts.refused > 0) process.exitCode = EXIT.badInput;
  if (counts.failed + counts.missing > 0) process.exitCode = EXIT.nonconforming;
  if (stoppedBy !== undefined) throw stoppedBy;
}
