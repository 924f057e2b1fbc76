import { ConformanceError } from '../block/generate-block.js';
import { printable } from '../core/errors.js';
import type { Game } from '../definitions/game.js';
import { openBlockFile } from '../verify/block-file.js';
import { closedBlock, isClosed } from '../verify/content-fault.js';
import type { Watch } from '../verify/read-tickets-file.js';
import { verifyBlock } from '../verify/verify-block.js';
import type { LoadOutcome, LoadWatch, SalesDatabase } from './sales-database.js';

/**
 * How a block is loaded.
 *
 * @group Sales databases
 */
export interface LoadOptions extends Pick<LoadWatch, 'signal'> {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** Leaves the verification out: the hash of the file that is loaded is still checked. */
  readonly trustHash?: boolean | undefined;
  /** Puts the block on sale in the same transaction. */
  readonly onSale?: boolean | undefined;
  /** How many threads may verify files at once; 1 where it is left out. */
  readonly threads?: number | undefined;
  /** Called with the bytes verified since the last call. */
  readonly onBytes?: Watch['onBytes'];
  /** Called when the verification is over. */
  readonly onLoading?: (() => void) | undefined;
  /** Called with the tickets handed over since the last call, and all that there are. */
  readonly onTickets?: ((count: number, total: number) => void) | undefined;
}

/**
 * A block that is in the database now.
 *
 * @group Sales databases
 */
export interface LoadedBlock extends LoadOutcome {
  /** What it is called, such as `eldorado-100-e1-b1`. */
  readonly name: string;
  /** How many it has. */
  readonly tickets: number;
}

/**
 * Verifies a block and loads it into a database, in one transaction and once only. The database's schema
 * is made, or brought up to date, where that is still to do.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @param database - What {@link openDatabase} returns.
 * @returns What it is called, how many tickets it has, whether it is new, and its state now.
 * @throws ConformanceError where the block does not conform; InputError `bad-manifest`,
 * `definition-needed`, `identity-needed`, `not-a-block`, `target-exists`; MachineError. In every case nothing of the
 * block is in the database that was not there before.
 * @group Sales databases
 */
export async function loadBlock(
  path: string,
  database: SalesDatabase,
  options: LoadOptions = {},
): Promise<LoadedBlock> {
  const { game, identities, trustHash = false, onSale = false, threads, onBytes, signal } = options;
  // Read once: what is verified is what is loaded, whatever becomes of the folder meanwhile.
  const block = await openBlockFile(path, { game, identities, format: 'csv' });
  if (!trustHash) {
    const { manifest } = block;
    const report = await verifyBlock(path, {
      ...{ game, identities, manifest, threads },
      ...{ onBytes, signal },
    });
    if (isClosed(report)) throw closedBlock(path);
    if (!report.conforms) {
      const message = `${printable(path)} does not conform; nothing of it was loaded`;
      throw new ConformanceError(message, report);
    }
  }
  options.onLoading?.();
  await database.prepare();
  const tickets = block.game.blockSize;
  const onTickets = (count: number): void => options.onTickets?.(count, tickets);
  const outcome = await database.load({ block, onSale }, { onTickets, signal });
  return { ...outcome, name: block.name, tickets };
}
