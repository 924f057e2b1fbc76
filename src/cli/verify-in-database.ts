import { loadDefinitionFile } from '../definitions/load-game.js';
import type { DatabaseTarget } from '../load/database-target.js';
import { verifyStoredBlock } from '../load/verify-stored-block.js';
import type { Watch } from '../verify/read-tickets-file.js';
import type { VerifyReport } from '../verify/report.js';
import { processTerminal } from './terminal.js';
import { useDatabase } from './use-database.js';

/** Verifies a block that is in a database. */
export async function verifyInDatabase(
  name: string,
  flags: {
    readonly from: DatabaseTarget;
    readonly definition?: string | undefined;
    readonly quiet?: boolean | undefined;
  },
  watch: Watch,
): Promise<VerifyReport> {
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  const opened = { target: flags.from, isReadOnly: true, terminal: processTerminal(flags) };
  return useDatabase(opened, (database) => verifyStoredBlock(name, database, { ...watch, game }));
}
