import { existsSync, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import { kindOfEntry } from '../block/block-folder.js';
import { isCommitmentTo } from '../block/commit-tickets.js';
import { manifestOf, planBlock, type BlockRequest } from '../block/plan-block.js';
import { identityOf, requestedIdentity } from '../block/registry.js';
import { verifyBlockFromSeed } from '../block/verify-from-seed.js';
import { MOST_COMMITMENT_BYTES, parseCommitment } from '../formats/commitment.js';
import { manifestClaims, type ManifestClaims } from '../formats/manifest-reader.js';
import {
  COMMITMENT_FILE,
  encodeManifest,
  isBesideName,
  MANIFEST_FILE,
} from '../formats/manifest.js';
import { identityDifference, type RegistryIdentity } from '../formats/registry.js';
import { TICKETS_FILE_NAMES, ticketsFileName, type Encryption } from '../formats/ticket-formats.js';
import { isClosed } from '../verify/content-fault.js';
import { verifyBlock } from '../verify/verify-block.js';
import { fileFault } from './file-fault.js';
import type { Job } from './job.js';

/** What stands under a block's name, held against the block that is asked for. */
export type Standing =
  | { readonly kind: 'nothing' }
  /** `notChecked` says what nobody could look at, because it is encrypted. */
  | { readonly kind: 'whole'; readonly notChecked?: string }
  /** The block that is asked for, damaged or not complete; or what is left of one. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** Something else, which is not this batch's to replace. */
  | { readonly kind: 'foreign'; readonly reason: string };

/** The block that is asked for, and how thoroughly to look. */
export interface ExistingBlockCheck {
  /** Without its seed, a block is verified in full, and with the registry beside it. */
  readonly request: Omit<BlockRequest, 'seed'> & { readonly seed?: Uint8Array | undefined };
  /** The commitment that the block must have, where the seed is not there to tell. */
  readonly seedCommitment?: string | undefined;
  readonly forms: Pick<Job, 'formats' | 'compression'>;
  /** How the block must be encrypted; `either` where that is left to whoever has made it. */
  readonly encryption?: Encryption | 'either' | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** Makes the block again from its seed and compares every byte, in place of hashes. */
  readonly recheck: boolean;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Says what stands in a block's folder. A block is whole where its manifest is, to the byte, the one of
 * the block that is asked for, and every file has the size and the SHA-256 that it states. Of an encrypted
 * one without an identity only the manifest and the sizes are looked at, which the result says.
 *
 * @throws MachineError where something cannot be read; the signal's reason when it is aborted.
 */
export async function checkExisting(folder: string, check: ExistingBlockCheck): Promise<Standing> {
  const entry = await kindOfEntry(folder);
  if (entry === 'nothing') return { kind: 'nothing' };
  if (entry === 'other') return { kind: 'foreign', reason: 'it is no folder' };
  const manifest = await readManifest(join(folder, MANIFEST_FILE));
  if (manifest === undefined) return broken(`its ${MANIFEST_FILE} is not the one of a block`);
  const difference = differenceOf(manifest.claims, check);
  if (difference !== undefined) return { kind: 'foreign', reason: difference };
  const stray = strayEntry(await entriesIn(folder), manifest.claims);
  if (stray !== undefined) return stray;
  const isUnopened = isEncrypted(manifest.claims) && check.identities === undefined;
  const isSure = !check.recheck && (await isAsPlanned(manifest, check));
  if (!isSure) return isUnopened ? unjudged(check) : verified(folder, check);
  const wrong = commitmentFault(folder, check);
  if (wrong !== undefined) return broken(`${COMMITMENT_FILE} ${wrong}`);
  for (const file of manifest.claims.files) {
    const fault = await fileFault(join(folder, file.name), file, check);
    if (fault?.isClosed === true) return foreign(NOT_OURS);
    if (fault !== undefined) return broken(`${file.name} ${fault.reason}`);
  }
  return isUnopened ? { kind: 'whole', notChecked: CONTENTS_NOT_CHECKED } : { kind: 'whole' };
}

const CONTENTS_NOT_CHECKED =
  'contents not checked: it is encrypted, and no identity is given (--identity)';
const NOT_OURS = 'it is encrypted, and none of the identities opens it';
const UNJUDGED =
  'it is encrypted, and only an identity (--identity) or, for its manifest alone, the seed can tell whether it is right';

function isEncrypted({ files }: ManifestClaims): boolean {
  return files.some(({ encryption }) => encryption !== undefined);
}

/** A block whose contents nobody can look at, and whose manifest is not known to be right. */
function unjudged({ request }: ExistingBlockCheck): Standing {
  if (request.seed === undefined) return foreign(UNJUDGED);
  return broken(`its ${MANIFEST_FILE} is not the one that the seed makes`);
}

function foreign(reason: string): Standing {
  return { kind: 'foreign', reason };
}

function broken(reason: string): Standing {
  return { kind: 'broken', reason };
}

interface FoundManifest {
  readonly bytes: Uint8Array;
  readonly claims: ManifestClaims;
}

/**
 * The commitment to its seed that the block in a folder states; `undefined` where there is no manifest that
 * says what block it is of.
 */
export async function statedCommitment(folder: string): Promise<string | undefined> {
  return (await readManifest(join(folder, MANIFEST_FILE)))?.claims.seed_commitment;
}

/** `undefined` where there is none that says what block it is of. */
async function readManifest(path: string): Promise<FoundManifest | undefined> {
  try {
    // A link is none: what it leads to is no part of the block.
    if (!(await lstat(path)).isFile()) return undefined;
    const bytes = readFileBytes(path);
    const claims = manifestClaims(parseStrictJson(bytes, { place: MANIFEST_FILE }));
    return claims === undefined ? undefined : { bytes, claims };
  } catch (error) {
    if (error instanceof InputError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('read', path, error);
  }
}

/** In what a block differs from the one that is asked for, as far as its manifest says it. */
function differenceOf(claims: ManifestClaims, check: ExistingBlockCheck): string | undefined {
  const { game, stakeCents, emission, block } = check.request;
  const facts: readonly (readonly [what: string, found: unknown, asked: unknown])[] = [
    ['it holds a block of another game', claims.game, game.id],
    ['it holds a block of another stake', claims.stake_cents, stakeCents],
    ['it holds a block of another emission', claims.emission, emission],
    ['it holds another block', claims.block, block],
  ];
  const other = facts.find(([, found, asked]) => found !== asked);
  if (other !== undefined) return other[0];
  const origin = identityDifference(claims, expectedIdentity(claims, check));
  if (origin !== undefined) return `it was made from ${origin}`;
  const { formats, compression } = check.forms;
  const encryption = check.encryption === 'either' ? claims.files[0]?.encryption : check.encryption;
  const names = formats.map((format) => ticketsFileName({ format, compression, encryption }));
  const isAlike = claims.files.map(({ name }) => name).join() === names.join();
  return isAlike ? undefined : 'it was made in other formats';
}

function expectedIdentity(
  claims: ManifestClaims,
  { request, seedCommitment = claims.seed_commitment }: ExistingBlockCheck,
): RegistryIdentity {
  const { seed } = request;
  if (seed !== undefined) return requestedIdentity({ ...request, seed });
  return identityOf(request, seedCommitment);
}

async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw machineError('read', folder, error);
  }
}

/** What lies in the folder and is no part of the block. */
function strayEntry(entries: readonly Dirent[], { files }: ManifestClaims): Standing | undefined {
  const known = new Set([MANIFEST_FILE, ...files.map(({ name }) => name)]);
  const strays = entries.filter(
    (entry) => !known.has(entry.name) && !(isBesideName(entry.name) && entry.isFile()),
  );
  const alien = strays.find((entry) => !entry.isFile() || !TICKETS_FILE_NAMES.includes(entry.name));
  if (alien !== undefined) {
    const reason = `it holds ${printable(alien.name)}, which is no part of a block`;
    return { kind: 'foreign', reason };
  }
  return strays[0] === undefined ? undefined : broken(`it holds ${strays[0].name} as well`);
}

/**
 * What is wrong with the block's commitment, if it has one; `undefined` where nothing is. The root is not
 * recomputed, as the tickets are not.
 */
function commitmentFault(folder: string, { request }: ExistingBlockCheck): string | undefined {
  const path = join(folder, COMMITMENT_FILE);
  const { seed } = request;
  if (seed === undefined || !existsSync(path)) return undefined;
  try {
    const bytes = readFileBytes(path, MOST_COMMITMENT_BYTES);
    const found = parseCommitment(bytes, COMMITMENT_FILE);
    return isCommitmentTo({ ...request, seed }, found) ? undefined : 'commits to something else';
  } catch (error) {
    if (error instanceof InputError) return 'is no commitment';
    throw error;
  }
}

/** Whether the manifest is the one that the seed leads to, in every byte that it decides. */
async function isAsPlanned(
  { bytes, claims }: FoundManifest,
  { request, signal }: ExistingBlockCheck,
): Promise<boolean> {
  const { seed } = request;
  if (seed === undefined) return false;
  const planned = await planBlock({ ...request, seed }, signal);
  const expected = manifestOf(planned, claims.files);
  return Buffer.from(encodeManifest({ ...expected, tool_version: claims.tool_version })).equals(
    bytes,
  );
}

/** A block without findings is right, whatever its hashes are; where the seed is there, it must be the seed's. */
async function verified(folder: string, check: ExistingBlockCheck): Promise<Standing> {
  const { request, signal, threads, identities } = check;
  const { game, seed } = request;
  const options = { game, signal, threads, identities, registry: seed === undefined };
  const report = await (seed === undefined
    ? verifyBlock(folder, options)
    : verifyBlockFromSeed(folder, seed, options));
  if (isClosed(report)) return foreign(NOT_OURS);
  return report.conforms ? { kind: 'whole' } : broken('its verification has findings');
}
