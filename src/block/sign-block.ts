import { printable } from '../core/errors.js';
import { COMMITMENT_FILE, MANIFEST_FILE } from '../formats/manifest.js';
import type { SignedFile } from '../formats/signature.js';
import { closedBlock, isClosed } from '../verify/content-fault.js';
import { FindingLog } from '../verify/finding.js';
import { readManifest, type ParsedManifest } from '../verify/read-manifest.js';
import { unreadableReport, type VerifyReport } from '../verify/report.js';
import { verifyBlock, type VerifyBlockOptions } from '../verify/verify-block.js';
import { ConformanceError } from './generate-block.js';
import { filesToSign, signFiles, type PlacedSignature } from './place-signatures.js';
import type { SigningKey } from './signing-key.js';

/**
 * How a block is verified before it is signed.
 *
 * @group Trust
 */
export interface SignOptions extends Omit<VerifyBlockOptions, 'manifest' | 'commitment' | 'log'> {
  /** Replaces signatures by the same key that are none of what lies there. */
  readonly force?: boolean | undefined;
}

/**
 * A block with signatures.
 *
 * @group Trust
 */
export interface SignedBlock {
  /** The path of its folder. */
  readonly folder: string;
  /** What its verification counted and found. */
  readonly report: VerifyReport;
  /** One for each file that is signed. */
  readonly signatures: readonly PlacedSignature[];
}

/**
 * Verifies a block in full and signs it: its manifest, which holds the hashes of its files, and its
 * commitment where it has one. The bytes that are signed are those that were verified.
 *
 * @param key - What {@link parseSigningKey} returns.
 * @param options - How it is verified first.
 * @param path - The block's folder, or its `manifest.json`.
 * @returns The report on it and its signatures.
 * @throws {@link ConformanceError} where the block does not conform, and nothing is signed; InputError
 * `identity-needed` where no identity opens its files; `target-exists` where another signature lies under the name of one;
 * what {@link verifyBlock} throws.
 * @group Trust
 */
export async function signBlock(
  path: string,
  key: SigningKey,
  { force, ...options }: SignOptions = {},
): Promise<SignedBlock> {
  const log = new FindingLog();
  const manifest = await readManifest(path, log);
  if (manifest === undefined) throw notConforming(path, unreadableReport(log));
  const files = await filesOf(manifest);
  const commitment = files.find(({ name }) => name === COMMITMENT_FILE)?.bytes;
  const report = await verifyBlock(path, { ...options, log, manifest, commitment });
  if (isClosed(report)) throw closedBlock(path);
  if (!report.conforms) throw notConforming(path, report);
  options.signal?.throwIfAborted();
  const { folder } = manifest;
  const signatures = await signFiles(folder, key, { files, ...(force && { force }) });
  return { folder, report, signatures };
}

/** The files that are signed, with the manifest as it is verified. */
async function filesOf({ folder, bytes }: ParsedManifest): Promise<readonly SignedFile[]> {
  const files = await filesToSign(folder);
  return files.map((file) => (file.name === MANIFEST_FILE ? { ...file, bytes } : file));
}

function notConforming(path: string, report: VerifyReport): ConformanceError {
  return new ConformanceError(`${printable(path)} does not conform and was not signed`, report);
}
