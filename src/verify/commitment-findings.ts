import { join } from 'node:path';
import { InputError } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import type { Game } from '../definitions/game.js';
import {
  encodeCommitment,
  MOST_COMMITMENT_BYTES,
  parseCommitment,
  type Commitment,
} from '../formats/commitment.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import { COMMITMENT_FILE, manifestBlockName } from '../formats/manifest.js';
import { openBlockFile } from './block-file.js';
import type { FindingLog } from './finding.js';
import type { ParsedManifest } from './read-manifest.js';
import type { Watch } from './read-tickets-file.js';
import { withFindings, type Checks, type VerifyReport } from './report.js';
import { ticketsRoot } from './tickets-root.js';

/** What is known of a block beside its files, to hold its commitment against. */
export interface CommitmentEvidence {
  /** The key of the salts, given what the manifest says; `undefined` where it cannot be the block's. */
  readonly saltKeyOf?: ((claims: ManifestClaims) => Uint8Array | undefined) | undefined;
  /** The commitments to the shares of the seed, where it was given in shares. */
  readonly shareCommitments?: readonly string[] | undefined;
  /** The commitment, where it has been read already: the block is held against these bytes of it. */
  readonly commitment?: Uint8Array | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Holds the commitment beside a block's manifest, if there is one, against the manifest, and with the key of
 * the salts its root against every ticket.
 *
 * @returns The report with what came of it.
 * @throws MachineError; the signal's reason.
 */
export async function checkCommitment(
  report: VerifyReport,
  block: CommittedBlock,
  evidence: CommitmentEvidence & Watch,
): Promise<VerifyReport> {
  const { checked, notChecked } = await checksOf(block, evidence);
  return withFindings(report, block.log, {
    checked,
    notChecked: [...notChecked, ...report.notChecked],
  });
}

interface CommittedBlock {
  readonly manifest: ParsedManifest;
  readonly game: Game;
  readonly log: FindingLog;
}

async function checksOf(
  block: CommittedBlock,
  evidence: CommitmentEvidence & Watch,
): Promise<Checks> {
  const { manifest, log } = block;
  const commitment = readCommitment(manifest.folder, log, evidence.commitment);
  if (commitment === 'none') return { checked: [], notChecked: [] };
  if (commitment === 'broken') {
    return { checked: [], notChecked: [`${COMMITMENT_FILE}: it cannot be used`] };
  }
  checkClaims(commitment, manifest.claims, block.game, log);
  const shares = checkShares(commitment, evidence, log);
  const claims = `${COMMITMENT_FILE} against the manifest${shares}`;
  const saltKey = evidence.saltKeyOf?.(manifest.claims);
  if (saltKey === undefined) return { checked: [claims], notChecked: [ROOT_NOT_CHECKED] };
  const root = await ticketsRootOf(block, saltKey, evidence);
  if ('unread' in root) return { checked: [claims], notChecked: [root.unread] };
  if (root.hash !== commitment.tickets_root) {
    addClaim(log, 'commitment-root', 'tickets_root', root.hash, commitment.tickets_root);
  }
  return {
    checked: [claims, `the Merkle root of ${COMMITMENT_FILE} against every ticket`],
    notChecked: [],
  };
}

/** What is said of a root where neither the seed nor the salt key is there. */
export const ROOT_NOT_CHECKED = `root not checked: whether the Merkle root of ${COMMITMENT_FILE} is that of the tickets, only the seed or the salt key can tell`;
const UNREAD =
  'root not checked: the tickets cannot be read, or are not those of the manifest, or too few or too many';
const UNOPENED = 'root not checked: the tickets are encrypted, and no identity opens them';

/** The commitment in a block's folder. */
function readCommitment(
  folder: string,
  log: FindingLog,
  given: Uint8Array | undefined,
): Commitment | 'none' | 'broken' {
  const place = { file: COMMITMENT_FILE };
  let bytes: Uint8Array;
  try {
    bytes = given ?? readFileBytes(join(folder, COMMITMENT_FILE), MOST_COMMITMENT_BYTES);
  } catch (error) {
    // What has its name and is no regular file has been found among the folder's entries.
    if (error instanceof InputError) return 'none';
    throw error;
  }
  try {
    const commitment = parseCommitment(bytes, COMMITMENT_FILE);
    if (Buffer.compare(bytes, encodeCommitment(commitment)) === 0) return commitment;
    const expected = 'one line of JSON as gen-block writes it';
    log.add({ code: 'commitment-form', place, expected, found: 'other bytes' });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const expected = 'a commitment';
    log.add({ code: 'commitment-form', place, expected, found: error.message });
  }
  return 'broken';
}

function checkClaims(
  commitment: Commitment,
  claims: ManifestClaims,
  game: Game,
  log: FindingLog,
): void {
  const expected = {
    algorithm: claims.algorithm,
    block: manifestBlockName(claims),
    tickets: game.blockSize,
    definition_sha256: claims.definition_sha256,
    engine: claims.engine,
    seed_commitment: claims.seed_commitment,
  };
  for (const [key, value] of Object.entries(expected)) {
    const found = commitment[key as keyof typeof expected];
    if (found !== value) addClaim(log, 'commitment-claim', key, String(value), String(found));
  }
}

/** Returns what to add to the words of what was checked. */
function checkShares(
  { share_commitments: stated = [] }: Commitment,
  { shareCommitments: given }: CommitmentEvidence,
  log: FindingLog,
): string {
  if (given === undefined) return '';
  const right = [...given].sort().join();
  if (stated.join() !== right) {
    addClaim(log, 'commitment-claim', 'share_commitments', right, stated.join() || 'none');
  }
  return ' and the shares of the seed';
}

function addClaim(
  log: FindingLog,
  code: 'commitment-claim' | 'commitment-root',
  key: string,
  expected: string,
  found: string,
): void {
  log.add({ code, place: { file: COMMITMENT_FILE, pointer: `/${key}` }, expected, found });
}

/** The root; or why there is none, which the findings on the tickets' file say. */
async function ticketsRootOf(
  { manifest, game }: { readonly manifest: ParsedManifest; readonly game: Game },
  saltKey: Uint8Array,
  { identities, signal }: CommitmentEvidence & Watch,
): Promise<{ readonly hash: string } | { readonly unread: string }> {
  try {
    const options = { manifest, game, identities, format: 'ndjson' } as const;
    const file = await openBlockFile(manifest.folder, options);
    return { hash: await ticketsRoot(file, saltKey, { signal }) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { unread: error.code === 'identity-needed' ? UNOPENED : UNREAD };
  }
}
