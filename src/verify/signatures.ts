import { createPublicKey, verify } from 'node:crypto';
import { readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, machineError } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import { MAX_JSON_BYTES } from '../core/strict-json.js';
import { COMMITMENT_FILE, MANIFEST_FILE } from '../formats/manifest.js';
import {
  keyIdInName,
  SIGNATURE_BYTES,
  signatureName,
  type PublicKey,
  type SignedFile,
} from '../formats/signature.js';
import type { FindingLog } from './finding.js';
import { withFindings, type VerifyReport } from './report.js';

/** A block's folder, and the bytes of its manifest that it is judged by. */
interface SignedBlock {
  readonly folder: string;
  readonly bytes: Uint8Array;
}

/** Keys that nobody here trusts and that are named; who signs more often says nothing by it. */
const MOST_NAMED_KEYS = 8;

/** What is said of a file that is rightly signed. */
export function signatureWords(file: string, keyId: string): string {
  return `the signature of ${file} by key ${keyId}`;
}

/** What is said of the signatures by a key that is not trusted here. */
export function untrustedWords(keyId: string): string {
  return `the signature by key ${keyId}: give its public key with --trusted-key`;
}

/**
 * Holds the signatures in a block's folder against the keys that are trusted: each must have signed the
 * manifest, and the commitment where there is one. What others have signed is named as not checked.
 *
 * @returns The report with what came of it.
 * @throws MachineError where something cannot be read.
 */
export async function checkSignatures(
  report: VerifyReport,
  block: SignedBlock,
  { trustedKeys, log }: { readonly trustedKeys: readonly PublicKey[]; readonly log: FindingLog },
): Promise<VerifyReport> {
  const names = await namesIn(block.folder);
  const keys = new Map(trustedKeys.map((key) => [Buffer.from(key.spki).toString('hex'), key]));
  const files = keys.size === 0 ? [] : await filesToSign(block, names);
  const checked: string[] = [];
  for (const key of keys.values()) {
    for (const file of files) {
      const isRight = await isSigned(block.folder, { key, file }, log);
      if (isRight) checked.push(signatureWords(file.name, key.id));
    }
  }
  const trusted = new Set(trustedKeys.map(({ id }) => id));
  const others = new Set(names.flatMap((name) => keyIdInName(name) ?? []));
  const notChecked = untrusted([...others].filter((id) => !trusted.has(id)));
  return withFindings(report, log, { checked, notChecked: [...report.notChecked, ...notChecked] });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    throw machineError('read', folder, error);
  }
}

function untrusted(keyIds: readonly string[]): readonly string[] {
  const named = keyIds.slice(0, MOST_NAMED_KEYS).map(untrustedWords);
  const left = keyIds.length - named.length;
  return left === 0 ? named : [...named, `the signatures by ${left} more keys`];
}

/** A file that should be signed where it is there; without bytes where it is not, or cannot be used. */
interface Signable extends Partial<SignedFile> {
  readonly name: string;
  readonly isThere: boolean;
}

/** The files that a key must have signed; the manifest's bytes are those that were judged. */
async function filesToSign(
  { folder, bytes }: SignedBlock,
  names: readonly string[],
): Promise<readonly Signable[]> {
  const name = COMMITMENT_FILE;
  const isThere = names.includes(name);
  const found = isThere ? await readStart(join(folder, name), MAX_JSON_BYTES + 1) : undefined;
  const isWhole = found !== undefined && found.length <= MAX_JSON_BYTES;
  return [
    { name: MANIFEST_FILE, isThere: true, bytes },
    { name, isThere, ...(isWhole && { bytes: found }) },
  ];
}

/** Whether a key has signed a file. What is wrong with its signature is a finding. */
async function isSigned(
  folder: string,
  { key, file }: { readonly key: PublicKey; readonly file: Signable },
  log: FindingLog,
): Promise<boolean> {
  const name = signatureName(file.name, key.id);
  const signature = await readSignature(join(folder, name));
  if (signature === undefined && !file.isThere) return false;
  const place = { file: name };
  const expected = signatureWords(file.name, key.id);
  if (signature === undefined) {
    log.add({ code: 'signature-missing', place, expected, found: 'no such file' });
    return false;
  }
  const found = faultOf(signature, key, file);
  if (found !== undefined) log.add({ code: 'signature-invalid', place, expected, found });
  return found === undefined;
}

function faultOf(signature: Uint8Array, key: PublicKey, file: Signable): string | undefined {
  if (signature.length > SIGNATURE_BYTES) return `more than ${SIGNATURE_BYTES} bytes`;
  if (signature.length < SIGNATURE_BYTES) return `${signature.length} bytes`;
  if (file.bytes === undefined) return `a signature, and no ${file.name} that it could be of`;
  if (isSignature(signature, key, file.bytes)) return undefined;
  return 'a signature of other bytes, or by another key';
}

/** Whether something is the signature of these bytes by a key. */
export function isSignature(
  signature: Uint8Array,
  { spki }: PublicKey,
  bytes: Uint8Array,
): boolean {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  return signature.length === SIGNATURE_BYTES && verify(null, bytes, key, signature);
}

/**
 * What is in the file of a signature, and no more of it than shows that it is none.
 *
 * @returns `undefined` where there is no regular file of that name.
 * @throws MachineError.
 */
export async function readSignature(path: string): Promise<Uint8Array | undefined> {
  return readStart(path, SIGNATURE_BYTES + 1);
}

async function readStart(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  try {
    const handle = await openRegularFile(path);
    try {
      return await startOf(handle, mostBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw machineError('read', path, error);
  }
}

async function startOf(handle: FileHandle, mostBytes: number): Promise<Uint8Array> {
  const { size } = await handle.stat();
  const bytes = new Uint8Array(Math.min(size, mostBytes));
  let end = 0;
  while (end < bytes.length) {
    const { bytesRead } = await handle.read(bytes, end, bytes.length - end, end);
    if (bytesRead === 0) break;
    end += bytesRead;
  }
  return bytes.subarray(0, end);
}
