import type { DatabaseTarget } from '../load/database-target.js';
import { statusJson, statusText } from './status-text.js';
import { processTerminal } from './terminal.js';
import { useDatabase } from './use-database.js';

/** The options of `status`. */
export interface StatusFlags {
  readonly to: DatabaseTarget;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Shows how far the blocks in a database have been sold. */
export async function runStatus({ to, json = false, quiet = false }: StatusFlags): Promise<void> {
  const terminal = processTerminal({ quiet });
  await useDatabase({ target: to, isReadOnly: true, terminal }, async (database) => {
    const blocks = await database.status();
    terminal.write(
      json ? `${JSON.stringify(statusJson(blocks))}\n` : statusText(database.label, blocks),
    );
  });
}
