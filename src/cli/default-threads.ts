import { availableParallelism, freemem } from 'node:os';

/** What a machine has to offer. */
export interface MachineRoom {
  /** Processors that this process may use. */
  readonly processors: number;
  /** Bytes of memory that nobody needs now. */
  readonly memoryBytes: number;
}

/** More blocks at once gain little where one disk takes them all. */
const MOST_THREADS = 8;

/**
 * More than twice what a thread takes that makes a block of 900,000 tickets: 25 MB, or 50 MB where its
 * files are compressed (docs/performance.md). Blocks of games of one's own may be larger.
 */
const MEMORY_OF_A_THREAD = 128_000_000;

/** How many blocks a batch makes at once where the user does not say it. */
export function defaultThreads({ processors, memoryBytes }: MachineRoom): number {
  const fitting = Math.floor(memoryBytes / MEMORY_OF_A_THREAD);
  return Math.max(1, Math.min(processors, fitting, MOST_THREADS));
}

/** The machine as it is now. */
export function machineNow(): MachineRoom {
  // 0 where it is not known; in a container, its limit.
  const limit = process.constrainedMemory() || Infinity;
  const used = process.memoryUsage.rss();
  const memoryBytes = Math.min(freemem(), limit - used);
  return { processors: availableParallelism(), memoryBytes };
}
