import { randomInt } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { REGISTRY_LOCK } from '../block/folder-lock.js';
import { resultOf, runProcess, startProcess } from './command-line.js';
import { namesIn } from './sample-requests.js';

/** A block that is made by the program and killed on the way. */
export interface KilledBlock {
  /** The arguments that make it, without the output folder. */
  readonly argv: readonly string[];
  readonly name: string;
  /** Whether what stands under its final name is whole. */
  readonly isWhole: (folder: string) => Promise<boolean>;
}

/** What a number of kills have led to. */
export interface KillOutcome {
  /** When each kill fell, in milliseconds after the work began; to repeat what went wrong. */
  readonly delays: readonly number[];
  /** Everything that must not be. Empty where all is well. */
  readonly problems: readonly string[];
  /** Kills that fell while the program was at work, so that something temporary stayed behind. */
  readonly leftoverCount: number;
}

/**
 * Starts the program again and again and kills it: the first time as soon as it has begun to write, then
 * at random instants after that. Nothing half-made may ever stand under the final name. At last it is
 * left to run to its end.
 */
export async function killAtRandom(
  block: KilledBlock,
  options: { readonly out: string; readonly kills: number; readonly longestDelayMs: number },
): Promise<KillOutcome> {
  const { out, kills, longestDelayMs } = options;
  const argv = [...block.argv, '--out', out];
  const delays = [0, ...Array.from({ length: kills - 1 }, () => randomInt(longestDelayMs))];
  const problems: string[] = [];
  let leftoverCount = 0;
  for (const delay of delays) {
    const before = readdirSync(out);
    const child = startProcess(argv);
    const ended = resultOf(child);
    while (child.exitCode === null && readdirSync(out).every((entry) => before.includes(entry))) {
      await setTimeout(1);
    }
    await setTimeout(delay);
    child.kill('SIGKILL');
    await ended;
    const entries = namesIn(out);
    if (entries.some((entry) => entry !== block.name)) leftoverCount += 1;
    for (const entry of entries) {
      const isTemporary = [`.${block.name}.`, REGISTRY_LOCK.file].some((start) =>
        entry.startsWith(start),
      );
      const isRight = entry === block.name && (await block.isWhole(join(out, entry)));
      if (!isTemporary && !isRight) problems.push(`${entry} after ${delay} ms`);
    }
    // A block that is there would only be verified and kept; one that is replaced is made again.
    if (!argv.includes('--force')) {
      rmSync(join(out, block.name), { recursive: true, force: true });
    }
  }
  const { exitCode, stderr } = await runProcess(argv);
  if (exitCode !== 0) problems.push(`the last run: ${stderr}`);
  const remains = namesIn(out).filter((entry) => entry !== block.name);
  if (remains.length > 0) problems.push(`left behind: ${remains.join(', ')}`);
  return { delays, problems, leftoverCount };
}
