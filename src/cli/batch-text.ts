import {
  EXPECTED_BYTES_PER_SECOND,
  type BatchBlock,
  type BatchPlan,
  type Shard,
} from '../batch/batch-plan.js';
import { BATCH_OUTCOMES, type BatchResult } from '../batch/batch-result.js';
import { sumTotals, type BatchTotals } from '../batch/batch-totals.js';
import type { Job } from '../batch/job.js';
import { printable } from '../core/errors.js';
import { formatCount, formatEuros } from '../core/money.js';
import { failureOf } from './exit-code.js';
import { table } from './report-text.js';
import { SignalError } from './signals.js';

const SECONDS_PER_MINUTE = 60;
const BYTES_PER_MEGABYTE = 1_000_000;

/** The plan of a batch for people to read: a line for each entry, and what it comes to. */
export function planText(plan: BatchPlan): string {
  const { emission, shard, blocks, totals, expectedSeconds } = plan;
  const head = ['game', 'stake', 'numbers', 'blocks', 'tickets', 'sales (EUR)', 'prizes (EUR)'];
  const rows = [...blocksByJob(blocks)].map(([job, own]) => entryRow(job, own));
  const entries = table([...head, 'engine', 'formats', 'folder'], rows);
  const bytes = formatCount(plan.expectedBytes);
  const rate = formatCount(EXPECTED_BYTES_PER_SECOND / BYTES_PER_MEGABYTE);
  const share = shard === undefined ? '' : `, share ${shard.index} of ${shard.count}`;
  const lines = [
    `Emission ${emission}${share}: ${totalsText(totals)}`,
    ...emptyShareLines(shard, blocks.length),
    `Estimated: ${bytes} bytes on the disk, and ${durationText(expectedSeconds)} at ${rate} MB of tickets a second.`,
    'Nothing was made.',
  ];
  return `${rows.length === 0 ? '' : `${entries}\n\n`}${lines.join('\n')}\n`;
}

function blocksByJob(blocks: readonly BatchBlock[]): ReadonlyMap<Job, readonly BatchBlock[]> {
  const groups = new Map<Job, BatchBlock[]>();
  for (const block of blocks) {
    const group = groups.get(block.job) ?? [];
    group.push(block);
    groups.set(block.job, group);
  }
  return groups;
}

/** What is made of an entry; the blocks are all of the entry's own, in their order. */
function entryRow(job: Job, own: readonly BatchBlock[]): readonly string[] {
  const { game, stake, engine, formats, compression, subfolders } = job;
  const { blocks, tickets, salesCents, prizesCents } = sumTotals(own);
  return [
    game.id,
    formatEuros(stake.stakeCents),
    numbersText(own.map(({ block }) => block)),
    ...[blocks, tickets].map(formatCount),
    ...[salesCents, prizesCents].map(formatEuros),
    engine,
    `${formats.join()}${compression === undefined ? '' : `, ${compression}`}`,
    subfolders.join('/'),
  ];
}

/** Numbers that lie equally far apart: `7`, `1-40`; of a share `1, 5` or `1, 5 … 37`. */
function numbersText(numbers: readonly number[]): string {
  const [first = 0, second = first] = numbers;
  const last = numbers.at(-1) ?? first;
  if (last === first) return String(first);
  if (second === first + 1) return `${first}-${last}`;
  return last === second ? `${first}, ${second}` : `${first}, ${second} … ${last}`;
}

function emptyShareLines(shard: Shard | undefined, blockCount: number): readonly string[] {
  if (shard === undefined || blockCount > 0) return [];
  const { index, count } = shard;
  return [`Share ${index} of ${count} is empty: the job file has fewer blocks than that.`];
}

/** The plan of a batch as JSON (`schemas/batch-plan.schema.json`). */
export function planJson(plan: BatchPlan): string {
  const blocks = plan.blocks.map(({ job, block, name, path, ...totals }) => {
    const { game, stake, engine, formats, compression } = job;
    const { tickets, salesCents, prizesCents } = totals;
    const { id: gameId, definitionSha256 } = game;
    const { stakeCents } = stake;
    return {
      ...{ name, path, gameId, definitionSha256, stakeCents, block, engine, formats, compression },
      ...{ tickets, salesCents, prizesCents },
    };
  });
  const { emission, shard, totals, expectedBytes, expectedSeconds } = plan;
  const expectedBytesPerSecond = EXPECTED_BYTES_PER_SECOND;
  const expected = { expectedBytes, expectedSeconds, expectedBytesPerSecond };
  return `${JSON.stringify({ emission, shard, totals, ...expected, blocks })}\n`;
}

/** What has become of a batch, for people to read. */
export function summaryText(result: BatchResult, seconds: number): string {
  const { shard, blocks, counts, leftCount, totals, notChecked = [], stoppedBy } = result;
  const rows = blocks.map((block) => [
    printable(block.folder),
    block.outcome,
    ...[block.tickets].map(formatCount),
    ...[block.salesCents, block.prizesCents].map(formatEuros),
    (block.seconds ?? 0).toFixed(1),
  ]);
  const head = ['folder', 'outcome', 'tickets', 'sales (EUR)', 'prizes (EUR)', 'seconds'];
  const met = BATCH_OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const counted = met.map((outcome) => `${formatCount(counts[outcome])} ${outcome}`);
  const left = leftCount === 0 ? '' : `, ${formatCount(leftCount)} not reached`;
  const share = shard === undefined ? '' : ` of share ${shard.index} of ${shard.count}`;
  const lines = [
    ...emptyShareLines(shard, blocks.length + leftCount),
    `Blocks${share}: ${counted.join(', ') || 'none'}${left}.`,
    `There and whole: ${totalsText(totals)}`,
    ...blocks.flatMap(({ folder, outcome, reason }) =>
      reason === undefined ? [] : [`${printable(folder)}, ${outcome}: ${reason}`],
    ),
    ...notChecked.map((item) => `Not checked: ${item}.`),
    ...(stoppedBy === undefined ? [] : [`Stopped before the end: ${messageOf(stoppedBy)}.`]),
    `${durationText(Math.round(seconds))} in all.`,
  ];
  const list = rows.length === 0 ? '' : `${table(head, rows)}\n\n`;
  return `${list}${lines.join('\n')}\n`;
}

/** What has become of a batch, as JSON (`schemas/batch.schema.json`). */
export function summaryJson(result: BatchResult, seconds: number): string {
  const { shard, blocks, counts, leftCount, totals, notChecked, stoppedBy } = result;
  const stopped = stoppedBy === undefined ? undefined : messageOf(stoppedBy);
  return `${JSON.stringify({ shard, counts, leftCount, totals, seconds, notChecked, stopped, blocks })}\n`;
}

function messageOf(error: Error): string {
  return error instanceof SignalError ? error.message : failureOf(error).message;
}

function totalsText({ blocks, tickets, salesCents, prizesCents }: BatchTotals): string {
  const counts = `${formatCount(blocks)} ${blocks === 1 ? 'block' : 'blocks'}, ${formatCount(tickets)} tickets`;
  return `${counts}, sales of ${formatEuros(salesCents)} EUR, prizes of ${formatEuros(prizesCents)} EUR.`;
}

/** Whole seconds in words: `45 s`, `3 min`, `2 h 5 min`. */
function durationText(seconds: number): string {
  if (seconds < 2 * SECONDS_PER_MINUTE) return `${seconds} s`;
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE);
  if (minutes < 2 * SECONDS_PER_MINUTE) return `${minutes} min`;
  return `${formatCount(Math.floor(minutes / SECONDS_PER_MINUTE))} h ${minutes % SECONDS_PER_MINUTE} min`;
}
