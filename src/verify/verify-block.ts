import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { defined } from '../core/assert.js';
import { machineError, printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import {
  blockName,
  MANIFEST_FILE,
  manifestFile,
  SIGNATURE_NAME,
  type ManifestFile,
} from '../formats/manifest.js';
import { FindingLog } from './finding.js';
import { judgeFiles } from './judge-files.js';
import { checkManifest } from './manifest-findings.js';
import { readManifest, shippedGame, type ParsedManifest } from './read-manifest.js';
import type { FileCount, Watch } from './read-tickets-file.js';
import { reconcile } from './reconcile.js';
import { checkRegistry, NO_REGISTRY } from './registry-findings.js';
import { makeReport, unreadableReport, type VerifyReport } from './report.js';
import type { Tally } from './tickets-judge.js';

/** How a block is verified. */
export interface VerifyBlockOptions extends Watch {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** Collects the findings, for a caller that goes on to add its own. */
  readonly log?: FindingLog | undefined;
  /** How many threads may judge files at once, this one among them; 1 where it is left out. */
  readonly threads?: number | undefined;
  /** The name that the folder should have come to, where it does not have it yet. */
  readonly expectedName?: string | undefined;
  /** Whether to look into the registry beside the block; true where it is left out. */
  readonly registry?: boolean | undefined;
}

/** What no verification without the seed can tell. */
export const NO_SEED =
  'that the order of the tickets comes from the stated engine and the committed seed: only `verify` with the seed can tell';

/** What was counted in the file of this name. */
interface NamedCount extends FileCount {
  readonly name: string;
}

/**
 * Verifies a block: its folder, its manifest, and every byte of its tickets. No claim of the manifest
 * is trusted: all of it is held against what the tickets amount to and against the definition.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @throws InputError `not-a-block` where there is no manifest, `definition-needed` where the game is
 * not one that is shipped and no game is given; MachineError where something cannot be read.
 */
export async function verifyBlock(
  path: string,
  options: VerifyBlockOptions = {},
): Promise<VerifyReport> {
  const { log = new FindingLog() } = options;
  const manifest = await readManifest(path, log);
  if (manifest === undefined) return unreadableReport(log);
  const { claims } = manifest;
  const game = options.game ?? shippedGame(claims);
  const stake = game.stakes.find(({ stakeCents }) => stakeCents === claims.stake_cents);
  if (stake === undefined || game.id !== claims.game) {
    logWrongGame(claims, game, log);
    return unreadableReport(log);
  }
  await checkFolder(manifest, options, log);
  logDefinitionHash(claims, game, log);
  const { files, tallies } = await readFiles(manifest, { game, stake, log }, options);
  const { parsed, bytes } = manifest;
  checkManifest({ game, stake, claims, parsed, bytes, tallies, files, log });
  const registry = options.registry === false ? NO_REGISTRY : checkRegistry(manifest, log);
  const { checked, notChecked } = checksOf(claims, files);
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
    registry: registry.facts,
    checked: [...checked, ...registry.checked],
    notChecked: [...notChecked, ...registry.notChecked],
  });
}

/** What was checked and what not: a file that is missing or damaged has not been read. */
function checksOf(
  claims: ManifestClaims,
  files: readonly ManifestFile[],
): Pick<VerifyReport, 'checked' | 'notChecked'> {
  const read = files.map(({ name }) => name);
  const unread = claims.files.map(({ name }) => name).filter((name) => !read.includes(name));
  const notChecked = [...unread.map((name) => `${name}: it could not be read`), NO_SEED];
  if (read.length === 0) return { checked: ['the manifest and the folder'], notChecked };
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

function logWrongGame(claims: ManifestClaims, game: Game, log: FindingLog): void {
  const prices = game.stakes.map(({ stakeCents }) => stakeCents).join(' or ');
  log.add({
    code: 'manifest-claim',
    place: { file: MANIFEST_FILE, pointer: claims.game === game.id ? '/stake_cents' : '/game' },
    expected: `${game.id} at a stake of ${prices} cents`,
    found: printable(`${claims.game} at ${claims.stake_cents} cents`),
  });
}

function logDefinitionHash(claims: ManifestClaims, game: Game, log: FindingLog): void {
  if (claims.definition_sha256 === game.definitionSha256) return;
  log.add({
    code: 'manifest-definition',
    place: { file: MANIFEST_FILE, pointer: '/definition_sha256' },
    expected: game.definitionSha256,
    found: claims.definition_sha256,
  });
}

/** The folder's name, and what lies in it. */
async function checkFolder(
  { folder, claims }: ParsedManifest,
  options: VerifyBlockOptions,
  log: FindingLog,
): Promise<void> {
  const right = blockName({
    gameId: claims.game,
    stakeCents: claims.stake_cents,
    emission: claims.emission,
    block: claims.block,
  });
  const name = options.expectedName ?? basename(resolve(folder));
  if (name !== right) {
    const file = printable(name);
    log.add({ code: 'folder-name', place: { file }, expected: right, found: file });
  }
  const known = new Set([MANIFEST_FILE, ...claims.files.map((file) => file.name)]);
  const present = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw machineError('read', folder, error);
  });
  for (const entry of present.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const isKnown = known.has(entry.name) || SIGNATURE_NAME.test(entry.name);
    if (isKnown && entry.isFile()) continue;
    const file = printable(entry.name);
    const expected = isKnown ? 'a regular file' : 'only the files of the manifest and signatures';
    const found = isKnown ? 'something else under its name' : file;
    log.add({ code: 'file-unexpected', place: { file }, expected, found });
  }
}

/** Judges every file of the block. The tallies are those of the first that is there. */
async function readFiles(
  { folder, claims }: ParsedManifest,
  context: { readonly game: Game; readonly stake: Stake; readonly log: FindingLog },
  { threads = 1, ...watch }: VerifyBlockOptions,
): Promise<{ readonly files: readonly ManifestFile[]; readonly tallies: readonly Tally[] }> {
  const { game, stake, log } = context;
  const tasks = claims.files.map(({ name, format, compression }) => {
    return { game, stake, format, compression, file: name, path: join(folder, name) };
  });
  const judged = await judgeFiles(tasks, watch, threads);
  const files: ManifestFile[] = [];
  const counts: NamedCount[] = [];
  for (const [index, claim] of claims.files.entries()) {
    const { count, log: found } = defined(judged[index], 'a judged file');
    log.addAll(found);
    if (count === undefined) continue;
    const { name } = claim;
    const { records, tallies } = count;
    const file = manifestFile(claim, count);
    reconcile({ ...context, file: name, records, tallies });
    compareFile(claim, file, log);
    files.push(file);
    counts.push({ ...count, name });
  }
  compareFormats(counts, log);
  return { files, tallies: counts[0]?.tallies ?? [] };
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
