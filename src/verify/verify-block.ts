import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { machineError, printable } from '../core/errors.js';
import type { Game } from '../definitions/game.js';
import { manifestBlockName, MANIFEST_FILE, isBesideName } from '../formats/manifest.js';
import type { PublicKey } from '../formats/signature.js';
import { checkCommitment, type CommitmentEvidence } from './commitment-findings.js';
import { FindingLog } from './finding.js';
import { checkDefinitionHash, judgeBlock, subjectOf, type BlockSubject } from './judge-block.js';
import { judgeFiles, type JudgedFile } from './judge-files.js';
import { checkPolicy, type BlockPolicy } from './policy-findings.js';
import { readManifest, type ParsedManifest } from './read-manifest.js';
import type { Watch } from './read-tickets-file.js';
import { checkRegistry, NO_REGISTRY } from './registry-findings.js';
import { unreadableReport, type VerifyReport } from './report.js';
import { checkSignatures } from './signatures.js';

/**
 * How a block is verified.
 *
 * @group Verifying
 */
export interface VerifyBlockOptions extends Watch, CommitmentEvidence {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /**
   * The manifest, where it has been read already: the block is held against these bytes of it.
   *
   * @internal
   */
  readonly manifest?: ParsedManifest | undefined;
  /**
   * Collects the findings, for a caller that goes on to add its own.
   *
   * @internal
   */
  readonly log?: FindingLog | undefined;
  /** What its tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** How many threads may judge files at once, this one among them; 1 where it is left out. */
  readonly threads?: number | undefined;
  /**
   * The name that the folder should have come to, where it does not have it yet.
   *
   * @internal
   */
  readonly expectedName?: string | undefined;
  /** Whether to look into the registry beside the block; true where it is left out. */
  readonly registry?: boolean | undefined;
  /** Keys each of which must have signed the block. */
  readonly trustedKeys?: readonly PublicKey[] | undefined;
  /** What a policy for production asks of the block; nothing where it is left out. */
  readonly policy?: BlockPolicy | undefined;
}

/**
 * Verifies a block: its folder, its manifest, and every byte of its tickets. No claim of the manifest
 * is trusted: all of it is held against what the tickets amount to and against the definition.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @returns What was counted, all findings, and what was and was not checked. It conforms where there are no findings.
 * @throws InputError `not-a-block` where there is no manifest, `bad-identity`, `definition-needed` where the game is
 * not one that is shipped and no game is given; MachineError where something cannot be read.
 * @example
 * ```ts
 * import { loadDefinitionFile, verifyBlock } from 'gen-block';
 *
 * const game = loadDefinitionFile('my-game.json');
 * const { conforms, findings } = await verifyBlock('blocks/collect-bare-100-e1-b1', { game });
 * console.log(conforms, findings.length); // → true 0
 * ```
 * @group Verifying
 */
export async function verifyBlock(
  path: string,
  options: VerifyBlockOptions = {},
): Promise<VerifyReport> {
  return verifyWith(path, options, readFiles);
}

/**
 * The same of a block whose tickets have been judged already, on their way into files that nobody here can
 * open: they are not read.
 *
 * @param judged - What came of judging each file, in the order of the manifest.
 */
export async function verifyJudgedBlock(
  path: string,
  judged: readonly JudgedFile[],
  options: VerifyBlockOptions,
): Promise<VerifyReport> {
  return verifyWith(path, options, () => Promise.resolve(judged));
}

async function verifyWith(
  path: string,
  options: VerifyBlockOptions,
  judgeAll: typeof readFiles,
): Promise<VerifyReport> {
  const { log = new FindingLog() } = options;
  const manifest = options.manifest ?? (await readManifest(path, log));
  if (manifest === undefined) return unreadableReport(log);
  const subject = subjectOf(manifest, options.game, log);
  if (subject === undefined) return unreadableReport(log);
  await checkFolder(manifest, options, log);
  checkDefinitionHash(manifest, subject.game, log);
  const report = judgeBlock({
    ...subject,
    manifest,
    judged: await judgeAll(manifest, subject, options),
    log,
    container: 'folder',
    checkBeside: () => (options.registry === false ? NO_REGISTRY : checkRegistry(manifest, log)),
  });
  const committed = await checkCommitment(report, { ...subject, manifest, log }, options);
  const { trustedKeys = [], policy } = options;
  const signed = await checkSignatures(committed, manifest, { trustedKeys, log });
  return checkPolicy(signed, { ...subject, manifest, log }, policy);
}

/** The folder's name, and what lies in it. */
async function checkFolder(
  { folder, claims }: ParsedManifest,
  options: VerifyBlockOptions,
  log: FindingLog,
): Promise<void> {
  const right = manifestBlockName(claims);
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
    const isKnown = known.has(entry.name) || isBesideName(entry.name);
    if (isKnown && entry.isFile()) continue;
    const file = printable(entry.name);
    const expected = isKnown ? 'a regular file' : 'only the files of the manifest and signatures';
    const found = isKnown ? 'something else under its name' : file;
    log.add({ code: 'file-unexpected', place: { file }, expected, found });
  }
}

/** Judges every file of the block. */
async function readFiles(
  { folder, claims }: ParsedManifest,
  subject: BlockSubject,
  { threads = 1, identities, ...watch }: VerifyBlockOptions,
): Promise<readonly JudgedFile[]> {
  const tasks = claims.files.map(({ name, format, compression, encryption }) => {
    const form = { format, compression, encryption, ...(encryption && { identities }) };
    return { ...subject, ...form, file: name, path: join(folder, name) };
  });
  return judgeFiles(tasks, watch, threads);
}
