import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { machineError } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import { COMMITMENT_FILE } from '../formats/manifest.js';
import { storedBytes } from '../formats/tickets-bytes.js';
import { FindingLog } from '../verify/finding.js';
import { NO_SEED } from '../verify/judge-block.js';
import { withFindings, type VerifyReport } from '../verify/report.js';
import { verifyBlock, verifyJudgedBlock, type VerifyBlockOptions } from '../verify/verify-block.js';
import type { WrittenFile } from './write-tickets.js';

/** What is checked of a block that nobody here can decrypt. */
const CHECKED = [
  'the manifest and the folder',
  'size, record count and hash of every file, before it was encrypted',
  'every ticket against the rules, before it was encrypted',
  "all counts against the manifest and the definition's tables",
  'the encrypted bytes of every file, read back from the disk: they are those that were written',
];
const NOT_CHECKED = [
  'that the files can be decrypted: only `verify` with an identity can tell',
  NO_SEED,
];

/**
 * Verifies a block that was just written. What is encrypted is read back and decrypted where an identity
 * is there. Where none is, its tickets have been judged before they were encrypted, and the encrypted
 * bytes are read back and compared with those that were written, by their hash.
 *
 * @throws As {@link verifyBlock}.
 */
export async function verifyWritten(
  folder: string,
  written: readonly WrittenFile[],
  options: VerifyBlockOptions,
): Promise<VerifyReport> {
  const judged = written.flatMap(({ encrypted }) => encrypted?.judged ?? []);
  if (judged.length === 0 || options.identities !== undefined) return verifyBlock(folder, options);
  const log = new FindingLog();
  // The root, too, was made of the tickets before they were encrypted.
  const evidence = { ...options, saltKeyOf: undefined, log };
  const report = await verifyJudgedBlock(folder, judged, evidence);
  for (const { file, encrypted } of written) {
    const expected = encrypted?.storedSha256 ?? '';
    const found = await storedHash(join(folder, file.name), options);
    if (found === expected) continue;
    log.add({
      code: 'file-encryption',
      place: { file: file.name },
      expected: `the encrypted bytes that were written, SHA-256 ${expected}`,
      found: `others on the disk, SHA-256 ${found}`,
    });
  }
  const commitment = report.checked.filter((item) => item.startsWith(COMMITMENT_FILE));
  const checked = [...CHECKED, ...commitment];
  return { ...withFindings(report, log, { notChecked: NOT_CHECKED }), checked };
}

async function storedHash(
  path: string,
  { onBytes, signal }: Pick<VerifyBlockOptions, 'onBytes' | 'signal'>,
): Promise<string> {
  const handle = await openRegularFile(path);
  const hash = createHash('sha256');
  try {
    for await (const bytes of storedBytes(handle)) {
      signal?.throwIfAborted();
      hash.update(bytes);
      onBytes?.(bytes.length);
    }
  } catch (error) {
    throw machineError('read', path, error);
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}
