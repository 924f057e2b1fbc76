import { join } from 'node:path';
import { InputError, printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { openBlockTickets } from '../view/block-tickets.js';
import { dialectOf, type DialectId } from '../view/export-dialects.js';
import { exportTickets } from '../view/export-tickets.js';
import { checkTarget } from './check-target.js';
import { readIdentities } from './identity-input.js';
import { abortOnSignals } from './signals.js';
import { processTerminal } from './terminal.js';
import { writeWholeFile } from './write-whole-file.js';

/** The options of `export`. */
export interface ExportFlags {
  readonly dialect: DialectId;
  readonly out: string;
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Writes the tickets of a block for another tool. */
export async function runExport(path: string, flags: ExportFlags): Promise<void> {
  const { dialect, force = false } = flags;
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  const terminal = processTerminal(flags);
  const identities = await readIdentities(flags.identity, terminal.note);
  const source = await openBlockTickets(path, game, identities);
  const { mostTickets = Infinity } = dialectOf(dialect);
  if (source.game.blockSize > mostTickets) {
    const message = `the block has ${formatCount(source.game.blockSize)} tickets and ${dialect} has room for ${formatCount(mostTickets)}; choose --dialect long`;
    throw new InputError('usage', message);
  }
  const out = join(flags.out, `${source.name}.${dialect}.csv`);
  await checkTarget(path, out, { force });
  const signals = abortOnSignals('nothing was exported');
  let tickets = 0;
  try {
    await writeWholeFile(out, { force }, async (write) => {
      tickets = await exportTickets(source, dialectOf(dialect), async (text) => {
        signals.signal.throwIfAborted();
        await write(Buffer.from(text));
      });
    });
  } finally {
    signals.stop();
  }
  terminal.note(
    `${printable(out)}: ${formatCount(tickets)} tickets; keep it as secret as the block`,
  );
}
