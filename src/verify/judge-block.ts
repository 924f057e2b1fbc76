import { defined } from '../core/assert.js';
import { printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import { MANIFEST_FILE, manifestFile, type ManifestFile } from '../formats/manifest.js';
import type { FindingLog } from './finding.js';
import type { JudgedFile } from './judge-files.js';
import { checkManifest } from './manifest-findings.js';
import { shippedGame, type ManifestContent } from './read-manifest.js';
import type { FileCount } from './read-tickets-file.js';
import { reconcile } from './reconcile.js';
import type { RegistryCheck } from './registry-findings.js';
import { makeReport, type VerifyReport } from './report.js';

/** What no verification without the seed can tell. */
export const NO_SEED =
  'that the order of the tickets comes from the stated engine and the committed seed: only `verify` with the seed can tell';

/** The game and the stake that a block is of. */
export interface BlockSubject {
  readonly game: Game;
  readonly stake: Stake;
}

/**
 * The game and the stake of a block by its manifest, whose definition's hash is held against the
 * game's. Returns `undefined` where a finding says that they are not those of the game.
 *
 * @param ownGame - The game of a block that was made from a definition of the user's own.
 * @throws InputError `definition-needed` where the game is not one that is shipped and none is given.
 */
export function subjectOf(
  { claims }: ManifestContent,
  ownGame: Game | undefined,
  log: FindingLog,
): BlockSubject | undefined {
  const game = ownGame ?? shippedGame(claims);
  const stake = game.stakes.find(({ stakeCents }) => stakeCents === claims.stake_cents);
  if (stake !== undefined && game.id === claims.game) return { game, stake };
  const prices = game.stakes.map(({ stakeCents }) => stakeCents).join(' or ');
  log.add({
    code: 'manifest-claim',
    place: { file: MANIFEST_FILE, pointer: claims.game === game.id ? '/stake_cents' : '/game' },
    expected: `${game.id} at a stake of ${prices} cents`,
    found: printable(`${claims.game} at ${claims.stake_cents} cents`),
  });
  return undefined;
}

/** Holds the hash of the definition that a manifest states against the game's. */
export function checkDefinitionHash(
  { claims }: ManifestContent,
  game: Game,
  log: FindingLog,
): void {
  if (claims.definition_sha256 === game.definitionSha256) return;
  log.add({
    code: 'manifest-definition',
    place: { file: MANIFEST_FILE, pointer: '/definition_sha256' },
    expected: game.definitionSha256,
    found: claims.definition_sha256,
  });
}

const CONTENTS_NOT_CHECKED = 'contents not checked, because no identity opens it';

/** What was counted in the file of this name. */
interface NamedCount extends FileCount {
  readonly name: string;
}

/** What there is to judge a block by. */
export interface BlockEvidence extends BlockSubject {
  readonly manifest: ManifestContent;
  /** What came of judging each file that the manifest names, in its order. */
  readonly judged: readonly JudgedFile[];
  readonly log: FindingLog;
  /** What a block whose files could not be read was still checked for. */
  readonly container: string;
  /** Checks what lies beside the tickets and the manifest, after them. */
  readonly checkBeside: () => RegistryCheck;
}

/** Holds what was counted in a block's tickets against its manifest and the definition's tables. */
export function judgeBlock(evidence: BlockEvidence): VerifyReport {
  const { manifest, game, stake, log } = evidence;
  const { claims, parsed, bytes } = manifest;
  const { files, tallies } = reconcileFiles(evidence);
  checkManifest({ game, stake, claims, parsed, bytes, tallies, files, log });
  const beside = evidence.checkBeside();
  const { checked, notChecked } = checksOf(evidence, files);
  return makeReport({
    game,
    stake,
    facts: {
      gameId: claims.game,
      definitionSha256: claims.definition_sha256,
      stakeCents: claims.stake_cents,
      emission: claims.emission,
      block: claims.block,
      engine: claims.engine,
      seedCommitment: claims.seed_commitment,
    },
    tallies,
    files,
    log,
    registry: beside.facts,
    checked: [...checked, ...beside.checked],
    notChecked: [...notChecked, ...beside.notChecked],
  });
}

/** The tallies are those of the first file that is there. */
function reconcileFiles({
  manifest: { claims },
  judged,
  game,
  stake,
  log,
}: BlockEvidence): Pick<Parameters<typeof makeReport>[0], 'files' | 'tallies'> {
  const files: ManifestFile[] = [];
  const counts: NamedCount[] = [];
  for (const [index, claim] of claims.files.entries()) {
    const { count, log: found } = defined(judged[index], 'a judged file');
    log.addAll(found);
    if (count === undefined) continue;
    const { name } = claim;
    const { records, tallies } = count;
    const file = manifestFile(claim, count);
    reconcile({ game, stake, log, file: name, records, tallies });
    compareFile(claim, file, log);
    files.push(file);
    counts.push({ ...count, name });
  }
  compareFormats(counts, log);
  return { files, tallies: counts[0]?.tallies ?? [] };
}

/** What was checked and what not: a file that is missing or damaged has not been read. */
function checksOf(
  { manifest: { claims }, judged, container }: BlockEvidence,
  files: readonly ManifestFile[],
): Pick<VerifyReport, 'checked' | 'notChecked'> {
  const read = files.map(({ name }) => name);
  const unread = claims.files.flatMap(({ name }, index) => {
    if (read.includes(name)) return [];
    const isClosed = judged[index]?.log.counts.has('file-encrypted') === true;
    return `${name}: ${isClosed ? CONTENTS_NOT_CHECKED : 'it could not be read'}`;
  });
  const notChecked = [...unread, NO_SEED];
  if (read.length === 0) return { checked: [`the manifest and the ${container}`], notChecked };
  const what = unread.length === 0 ? 'every file' : read.join();
  return {
    checked: [
      `size, record count and hash of ${what}`,
      `every ticket${unread.length === 0 ? '' : ` of ${what}`} against the rules`,
      "all counts against the manifest and the definition's tables",
    ],
    notChecked,
  };
}

function compareFile(claim: ManifestFile, found: ManifestFile, log: FindingLog): void {
  const codes = { bytes: 'file-size', records: 'file-records', sha256: 'file-hash' } as const;
  for (const key of ['bytes', 'records', 'sha256'] as const) {
    if (claim[key] === found[key]) continue;
    const place = { file: claim.name };
    log.add({ code: codes[key], place, expected: String(claim[key]), found: String(found[key]) });
  }
}

/** Both formats must hold the same tickets. Where a file is wrong, that has been said already. */
function compareFormats([first, ...others]: readonly NamedCount[], log: FindingLog): void {
  if (first?.rowsSha256 === undefined) return;
  for (const { name, rowsSha256 } of others) {
    if (rowsSha256 === undefined || rowsSha256 === first.rowsSha256) continue;
    const expected = `the same symbols as in ${first.name}`;
    log.add({ code: 'formats-differ', place: { file: name }, expected, found: 'other tickets' });
  }
}
