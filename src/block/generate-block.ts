import { join } from 'node:path';
import { InputError, printable } from '../core/errors.js';
import { checkRecipients } from '../formats/age-header.js';
import {
  COMMITMENT_FILE,
  encodeManifest,
  isBesideName,
  MANIFEST_FILE,
} from '../formats/manifest.js';
import {
  TICKET_FORMATS,
  TICKETS_FILE_NAMES,
  ticketsFileName,
  type Compression,
  type TicketFormat,
  type TicketsFileForm,
} from '../formats/ticket-formats.js';
import { isClosed } from '../verify/content-fault.js';
import type { VerifyReport } from '../verify/report.js';
import { identityDifference } from '../formats/registry.js';
import { verifyBlock } from '../verify/verify-block.js';
import {
  commitFolder,
  entriesOf,
  isNameTaken,
  kindOfEntry,
  makeOutputFolder,
  makeStagingFolder,
  mendLeftovers,
  removeFolder,
  replaceFolder,
} from './block-folder.js';
import { checkForms } from './check-request.js';
import { addCommitment, CommitmentMaker, hasCommitment } from './commit-tickets.js';
import { manifestOf, planBlock, type BlockRequest, type PlannedBlock } from './plan-block.js';
import { writeNewFile } from './new-file.js';
import { lacksPromise, signVerified } from './place-signatures.js';
import { checkProduction, type ProductionPolicy } from './production-policy.js';
import {
  adoptBlock,
  blockInFolder,
  checkRegistry,
  requestedIdentity,
  withRegistry,
} from './registry.js';
import type { SigningKey } from './signing-key.js';
import { saltKeyFrom, verifyBlockFromSeed } from './verify-from-seed.js';
import { verifyWritten } from './verify-written.js';
import { writeTickets } from './write-tickets.js';

/**
 * What a long job is doing, how far it is, and out of how much.
 *
 * @group Making blocks
 */
export interface Progress {
  /** Tickets are drawn and written first; then what was written is read back. */
  readonly phase: 'drawing' | 'verifying';
  /** Tickets while drawing, bytes while verifying. */
  readonly done: number;
  /** As many there are in all. */
  readonly total: number;
}

/**
 * How and where a block is written.
 *
 * @group Making blocks
 */
export interface GenerateOptions {
  /** The folder in which the block's own folder is made. */
  readonly outputFolder: string;
  /** The tickets files that are written; both where it is left out. */
  readonly formats?: readonly TicketFormat[] | undefined;
  /** Compresses the tickets files; the manifest is never compressed. */
  readonly compression?: Compression | undefined;
  /** Writes `commitment.json`, too, with the root of the Merkle tree over all tickets. */
  readonly commitTickets?: boolean | undefined;
  /** Encrypts the tickets files to these age recipients; the manifest is never encrypted. */
  readonly encryptTo?: readonly string[] | undefined;
  /** What the tickets files of a block that is there, and of this one, are opened with to be verified. */
  readonly identities?: readonly string[] | undefined;
  /** How many threads may verify files at once; 1 where it is left out. The bytes are the same. */
  readonly threads?: number | undefined;
  /** Refuses what is not fit for being sold; the block is committed to as well. */
  readonly policy?: ProductionPolicy | undefined;
  /** Signs the block with this key once it is verified, also one that is kept. */
  readonly signWith?: SigningKey | undefined;
  /** Replaces what stands under the block's name, and what the registry says of it. */
  readonly force?: boolean;
  /** Replaces what stands under the block's name, but only by what the registry says of it. */
  readonly repair?: boolean;
  /** The machine's clock, for the registry's entry; without it, the entry has no time. */
  readonly time?: Date | undefined;
  /** Called whenever some thousand tickets more are drawn, or some bytes more are verified. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops the job: nothing of the block stays behind. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A block that is on the disk under its final name, and verified.
 *
 * @group Making blocks
 */
export interface GeneratedBlock {
  /** The path of its folder, below the output folder as it was given. */
  readonly folder: string;
  /** True where the same block was there already, and was verified and kept. */
  readonly kept: boolean;
  /** What its verification counted and found. */
  readonly report: VerifyReport;
}

/**
 * A block that does not conform: what was just written, or what already stood there. Exit code 1.
 *
 * @group Errors
 */
export class ConformanceError extends Error {
  /** What it is told by in a text. */
  override readonly name = 'ConformanceError';
  /** What was counted and found. */
  readonly report: VerifyReport;

  constructor(message: string, report: VerifyReport) {
    super(message);
    this.report = report;
  }
}

/**
 * Makes a block: decides its outcomes, draws its tickets, writes them, verifies the bytes that are on
 * the disk, and only then gives the folder its final name. The output folder's registry has its entry
 * by then.
 *
 * @param request - All that decides the bytes: another seed, game, stake, engine or number, other tickets.
 * @param given - How and where it is written: its folder is made in `outputFolder`.
 * @returns The folder under its final name, whether it was there already, and the report on it.
 * @throws InputError `policy` where it is asked for and not kept, `target-exists` where another block stands there, `registered` where another has
 * stood there, `bad-registry`, `bad-recipient`, `bad-identity`, `locked`; {@link ConformanceError} where a block does not conform;
 * MachineError where the machine fails. In every case nothing half-made stays behind.
 * @example
 * ```ts
 * import { generateBlock, loadDefinitionFile } from 'gen-block';
 *
 * const seed = Buffer.from('for tests only');
 * const game = loadDefinitionFile('my-game.json');
 * const { folder, report } = await generateBlock(
 *   { game, stakeCents: 100, seed, engine: 'chacha20', emission: 2, block: 1 },
 *   { outputFolder: 'made', formats: ['csv'], compression: 'gzip' },
 * );
 * console.log(folder, report.conforms); // → made/collect-bare-100-e2-b1 true
 * ```
 * @group Making blocks
 */
export async function generateBlock(
  request: BlockRequest,
  given: GenerateOptions,
): Promise<GeneratedBlock> {
  const options = given.policy === undefined ? given : { ...given, commitTickets: true };
  const { outputFolder, force = false, repair = false } = options;
  checkForms(options.formats ?? TICKET_FORMATS, options.compression);
  if (options.encryptTo !== undefined) await checkRecipients(options.encryptTo);
  if (options.policy !== undefined) {
    await checkProduction(options.policy, { ...options, requests: [request], seed: request.seed });
  }
  const planned = await planBlock(request, options.signal);
  const folder = join(outputFolder, planned.name);
  await makeOutputFolder(outputFolder);
  await mendLeftovers(outputFolder, planned.name);
  const entry = await kindOfEntry(folder);
  if (entry === 'other') {
    const message = `${printable(folder)} is no folder; move it away or choose another --out`;
    throw new InputError('target-exists', message);
  }
  if (entry === 'folder' && !force && !repair) return keepExisting(folder, request, options);
  if (entry === 'folder') await refuseForeignFiles(folder);
  // What may have been published of the block that is replaced must be there again.
  const isCommitted = entry === 'folder' && (await hasCommitment(folder));
  checkRegistry(outputFolder, planned.name, force ? undefined : requestedIdentity(request));
  const staging = await makeStagingFolder(outputFolder, planned.name);
  try {
    const commitTickets = options.commitTickets === true || isCommitted;
    const report = await makeInFolder(staging, planned, { ...options, commitTickets });
    options.signal?.throwIfAborted();
    if (!(await placeBlock(staging, folder, options))) {
      // Another run was faster; whether it made the same block is for its bytes to tell.
      await removeFolder(staging);
      return await keepExisting(folder, request, options);
    }
    return { folder, kept: false, report };
  } catch (error) {
    await removeFolder(staging).catch(() => undefined);
    throw error;
  }
}

/**
 * Enters a finished block in the registry and gives it its name.
 *
 * @returns False where another run has taken the name; then nothing has changed.
 */
async function placeBlock(
  staging: string,
  folder: string,
  { outputFolder, force = false, repair = false, time, signal }: GenerateOptions,
): Promise<boolean> {
  const block = blockInFolder(staging);
  return withRegistry(outputFolder, { time, signal }, async (registry) => {
    const mayTakeName = force || repair;
    if (!mayTakeName && (await isNameTaken(folder))) return false;
    await registry.enter(block, { event: 'made', mayReplace: force });
    return mayTakeName ? replaceFolder(staging, folder) : commitFolder(staging, folder);
  });
}

/** The forms that are asked for, in the order of the manifest. */
function formsOf({ formats, compression, encryptTo }: GenerateOptions): readonly TicketsFileForm[] {
  const ordered = TICKET_FORMATS.filter((format) => formats?.includes(format) ?? true);
  const encryption = encryptTo === undefined ? undefined : 'age';
  return ordered.map((format) => ({ format, compression, encryption }));
}

/** What is no part of a block is nothing that `--force` was meant for. */
async function refuseForeignFiles(folder: string): Promise<void> {
  const own = [MANIFEST_FILE, ...TICKETS_FILE_NAMES];
  const foreign = (await entriesOf(folder)).find(
    ({ name, isFolder }) => isFolder || (!own.includes(name) && !isBesideName(name)),
  )?.name;
  if (foreign === undefined) return;
  const message = `${printable(folder)} holds ${printable(foreign)}, which is no part of a block; move it away before you use --force`;
  throw new InputError('target-exists', message);
}

/** Writes and verifies a block in a folder of its own. */
async function makeInFolder(
  staging: string,
  planned: PlannedBlock,
  options: GenerateOptions,
): Promise<VerifyReport> {
  const { signal, onProgress, threads, encryptTo, identities } = options;
  const onTickets = counter('drawing', planned.order.length, onProgress);
  const commitment = options.commitTickets === true ? new CommitmentMaker(planned) : undefined;
  const watch = { encryptTo, signal, onTickets, leaves: commitment?.leaves };
  const written = await writeTickets(staging, planned, formsOf(options), watch);
  const files = written.map(({ file }) => file);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await writeNewFile(join(staging, MANIFEST_FILE), encodeManifest(manifestOf(planned, files)));
  await commitment?.write(staging);
  const onBytes = counter('verifying', bytes, onProgress);
  const { game, name } = planned;
  const report = await verifyWritten(staging, written, {
    ...{ game, identities, expectedName: name, registry: false },
    saltKeyOf: () => commitment?.saltKey,
    ...{ signal, onBytes, threads },
  });
  if (!report.conforms) {
    const message = `the block ${name} did not pass its own verification and was not kept`;
    throw new ConformanceError(message, report);
  }
  return signVerified(staging, report, options.signWith);
}

const COMMITMENT_ADDED = `${COMMITMENT_FILE}, which was not there: it was made of every ticket`;

/** Keeps a block that is there if it is the one that was asked for, and whole. */
async function keepExisting(
  folder: string,
  request: BlockRequest,
  options: GenerateOptions,
): Promise<GeneratedBlock> {
  const report = await verifyExisting(folder, request, options);
  if (report.facts !== undefined) {
    const difference = identityDifference(blockInFolder(folder), requestedIdentity(request));
    if (difference !== undefined) refuseTarget(folder, difference);
    if (isClosed(report)) refuseClosed(folder);
    const present = report.files.map(({ name }) => name);
    const wanted = formsOf(options).map(ticketsFileName);
    if (report.conforms && present.join() !== wanted.join()) refuseTarget(folder, 'other formats');
  }
  if (!report.conforms) {
    const message = `${printable(folder)} is there already and does not conform; use --force to replace it`;
    throw new ConformanceError(message, report);
  }
  const isAdded = options.commitTickets === true && (await addCommitment(folder, request, options));
  await adoptBlock(folder, options);
  const signed = await signVerified(folder, report, options.signWith);
  const checked = [...signed.checked, ...(isAdded ? [COMMITMENT_ADDED] : [])];
  return { folder, kept: true, report: { ...signed, checked } };
}

async function verifyExisting(
  folder: string,
  { game, seed, shareCommitments }: BlockRequest,
  { signal, onProgress, threads, identities, signWith, commitTickets }: GenerateOptions,
): Promise<VerifyReport> {
  const onBytes = counter('verifying', 0, onProgress);
  const evidence = { saltKeyOf: saltKeyFrom(seed), shareCommitments };
  const how = { ...{ game, identities, registry: false }, ...{ signal, onBytes, threads } };
  try {
    const report = await verifyBlock(folder, { ...how, ...evidence });
    if (!report.conforms) return report;
    if (!(await lacksPromise(folder, { signWith, commitTickets }))) return report;
    // What is to be answered for must be the seed's own: tickets exchanged conform as well.
    return await verifyBlockFromSeed(folder, seed, { ...how, shareCommitments });
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'not-a-block') throw error;
    return refuseTarget(folder, 'it is not a block');
  }
}

function refuseClosed(folder: string): never {
  const message = `${printable(folder)} is there already, encrypted, and no identity opens it; give one with --identity, or use --force to replace it`;
  throw new InputError('target-exists', message);
}

function refuseTarget(folder: string, reason: string): never {
  const what = reason.startsWith('it ') ? reason : `it was made from ${reason}`;
  const message = `${printable(folder)} is there already, and ${what}; use --force to replace it, or another --out`;
  throw new InputError('target-exists', message);
}

/** Turns steps into the progress of a phase. */
function counter(
  phase: Progress['phase'],
  total: number,
  onProgress: GenerateOptions['onProgress'],
): (step: number) => void {
  let done = 0;
  return (step) => {
    done += step;
    onProgress?.({ phase, done, total: Math.max(total, done) });
  };
}
