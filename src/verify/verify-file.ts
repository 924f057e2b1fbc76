import { basename } from 'node:path';
import type { Game, Stake } from '../definitions/game.js';
import { manifestFile } from '../formats/manifest.js';
import type { TicketsFileForm } from '../formats/ticket-formats.js';
import { FindingLog } from './finding.js';
import { readTicketsFile, type Watch } from './read-tickets-file.js';
import { reconcile } from './reconcile.js';
import { makeReport, type VerifyReport } from './report.js';

const CHECKED = ['every ticket against the rules', "all counts against the definition's tables"];

/** What a bare tickets file cannot tell. */
const NOT_CHECKED = [
  'the hash of the file, its size and its quotas as the manifest states them: there is no manifest',
  'that the order of the tickets comes from the committed seed: only `verify` with the seed can tell',
];

const NOT_READ = 'the tickets: the file could not be uncompressed';
const NOT_DECRYPTED = 'the tickets: the file could not be decrypted; contents not checked';

/**
 * What a file that stands alone is said to be, and what it is opened with where it is encrypted.
 *
 * @group Verifying
 */
export interface BareFile extends TicketsFileForm {
  /** What decides the tables, the symbols and the rules. */
  readonly game: Game;
  /** One of those of the game. */
  readonly stake: Stake;
  /** What it is opened with, where it is encrypted: age identities. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Verifies a tickets file that stands alone, without its manifest: every ticket against the rules and
 * all counts against the definition of the game.
 *
 * @param path - The file.
 * @param block - What it is said to be: its game, its stake, its form.
 * @param watch - How it is watched and stopped.
 * @returns What was counted, all findings, and what was and was not checked.
 * @throws InputError `not-found`; MachineError where the file cannot be read.
 * @group Verifying
 */
export async function verifyTicketsFile(
  path: string,
  block: BareFile,
  watch?: Watch,
): Promise<VerifyReport> {
  const { game, stake } = block;
  const log = new FindingLog();
  const file = basename(path);
  const count = await readTicketsFile(path, { ...block, file, log }, watch);
  const tallies = count?.tallies ?? [];
  if (count !== undefined) reconcile({ game, stake, file, records: count.records, tallies, log });
  return makeReport({
    game,
    stake,
    facts: {
      gameId: game.id,
      definitionSha256: game.definitionSha256,
      stakeCents: stake.stakeCents,
    },
    tallies,
    files: count === undefined ? [] : [manifestFile(block, count)],
    log,
    ...checksOf(log, count !== undefined),
  });
}

function checksOf(log: FindingLog, isRead: boolean): Pick<VerifyReport, 'checked' | 'notChecked'> {
  if (isRead) return { checked: CHECKED, notChecked: NOT_CHECKED };
  if (log.counts.has('file-compression')) {
    return { checked: ['how the file is compressed'], notChecked: [NOT_READ, ...NOT_CHECKED] };
  }
  return { checked: ['how the file is encrypted'], notChecked: [NOT_DECRYPTED, ...NOT_CHECKED] };
}
