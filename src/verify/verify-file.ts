import { basename } from 'node:path';
import type { Game, Stake } from '../definitions/game.js';
import { ticketsFileName, type TicketFormat } from '../formats/ticket-formats.js';
import { FindingLog } from './finding.js';
import { readTicketsFile, type Watch } from './read-tickets-file.js';
import { reconcile } from './reconcile.js';
import { makeReport, type VerifyReport } from './report.js';

/** What a bare tickets file cannot tell. */
const NOT_CHECKED = [
  'the hash of the file, its size and its quotas as the manifest states them: there is no manifest',
  'that the order of the tickets comes from the committed seed: no seed was given',
];

/**
 * Verifies a tickets file that stands alone, without its manifest: every ticket against the rules and
 * all counts against the definition of the game.
 *
 * @throws InputError `not-found`; MachineError where the file cannot be read.
 */
export async function verifyTicketsFile(
  path: string,
  block: { readonly game: Game; readonly stake: Stake; readonly format: TicketFormat },
  watch?: Watch,
): Promise<VerifyReport> {
  const { game, stake, format } = block;
  const log = new FindingLog();
  const file = basename(path);
  const count = await readTicketsFile(path, { game, stake, format, file, log }, watch);
  const { records, tallies, bytes, sha256 } = count;
  reconcile({ game, stake, file, records, tallies, log });
  return makeReport({
    game,
    stake,
    facts: {
      gameId: game.id,
      definitionSha256: game.definitionSha256,
      stakeCents: stake.stakeCents,
    },
    tallies,
    files: [{ name: ticketsFileName(format), format, bytes, records, sha256 }],
    log,
    checked: ['every ticket against the rules', "all counts against the definition's tables"],
    notChecked: NOT_CHECKED,
  });
}
