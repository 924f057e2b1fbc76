import { printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import type { Game } from '../definitions/game.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import type { DatabaseTarget } from '../load/database-target.js';
import { loadBlock, type LoadedBlock } from '../load/load-block.js';
import type { SalesDatabase } from '../load/sales-database.js';
import { readIdentities } from './identity-input.js';
import { useDatabase } from './use-database.js';
import { runJob } from './job.js';
import { readingProgress } from './reading-progress.js';
import { SignalError } from './signals.js';
import { processTerminal, type Terminal } from './terminal.js';

/** The options of `load`. */
export interface LoadFlags {
  readonly to: DatabaseTarget;
  readonly onSale?: boolean;
  readonly trustHash?: boolean;
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly threads?: number;
  readonly quiet?: boolean;
}

interface LoadTask {
  readonly path: string;
  readonly flags: LoadFlags;
  readonly game: Game | undefined;
  readonly identities: readonly string[] | undefined;
  readonly database: SalesDatabase;
  readonly terminal: Terminal;
}

/** Loads blocks into a database, one after the other; the first that cannot be loaded ends it. */
export async function runLoad(paths: readonly string[], flags: LoadFlags): Promise<void> {
  const terminal = processTerminal(flags);
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  const identities = await readIdentities(flags.identity, terminal.note);
  await useDatabase({ target: flags.to, isReadOnly: false, terminal }, async (database) => {
    for (const path of paths) {
      if (!(await loadOne({ path, flags, game, identities, database, terminal }))) break;
    }
  });
}

/** Loads a block. Returns whether it is in the database now. */
async function loadOne(task: LoadTask): Promise<boolean> {
  const { path, flags, game, identities, database, terminal } = task;
  const { trustHash, onSale, threads } = flags;
  let startedAt = 0;
  let stopped: unknown;
  const done = await runJob(
    terminal,
    { reportTo: 'counts', ifStopped: `nothing of ${printable(path)} was loaded` },
    async ({ onProgress, signal }) => {
      let tickets = 0;
      const loaded = await loadBlock(path, database, {
        game,
        identities,
        trustHash,
        onSale,
        threads,
        signal,
        onBytes: readingProgress({ show: onProgress }, [path]),
        onLoading: () => {
          startedAt = performance.now();
        },
        onTickets(count, total) {
          tickets += count;
          onProgress({ phase: 'loading', done: tickets, total });
        },
      });
      // It came too late for this block, which was being committed.
      if (signal.aborted) stopped = signal.reason;
      return loaded;
    },
  );
  if (done === undefined) return false;
  const seconds = (performance.now() - startedAt) / 1000;
  terminal.note(outcomeText(done.result, database.label, seconds));
  if (!(stopped instanceof SignalError)) return true;
  terminal.error('stopped by a signal; the blocks after this one were not loaded');
  process.exitCode = stopped.exitCode;
  return false;
}

function outcomeText(
  { name, tickets, isNew, state }: LoadedBlock,
  label: string,
  seconds: number,
): string {
  if (!isNew) return `${name}: ${label} has this very block already; it is ${state}`;
  const rate = formatCount(Math.round(tickets / seconds));
  return `${name}: ${formatCount(tickets)} tickets loaded into ${label} in ${seconds.toFixed(1)} s, ${rate} a second; it is ${state}`;
}
