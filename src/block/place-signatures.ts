import { createPrivateKey, sign } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, MachineError, machineError, printable } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { COMMITMENT_FILE, MANIFEST_FILE } from '../formats/manifest.js';
import { signatureName, type PublicKey, type SignedFile } from '../formats/signature.js';
import type { VerifyReport } from '../verify/report.js';
import {
  isSignature,
  readSignature,
  signatureWords,
  untrustedWords,
} from '../verify/signatures.js';
import { syncFolder } from './block-folder.js';
import { hasCommitment } from './commit-tickets.js';
import { clearUnfinished, placeBeside, replaceBeside } from './place-beside.js';
import type { SigningKey } from './signing-key.js';

/**
 * A signature that lies beside a file of a block now.
 *
 * @group Trust
 */
export interface PlacedSignature {
  /** Of its file, in the block's folder. */
  readonly name: string;
  /** `kept` where it lay there already. */
  readonly outcome: 'made' | 'kept' | 'replaced';
}

/** The files of a block's folder that are signed, as they are on the disk now. */
export async function filesToSign(folder: string): Promise<readonly SignedFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw machineError('read', folder, error);
  });
  return [MANIFEST_FILE, COMMITMENT_FILE]
    .filter((name) => name === MANIFEST_FILE || names.includes(name))
    .map((name) => ({ name, bytes: readFileBytes(join(folder, name)) }));
}

/**
 * Signs the files of a block that has been verified, and reads each signature back from the disk. A
 * signature is under its name whole or not at all; one that is there already is kept.
 *
 * @param files - The bytes that were verified; as they are now where they are left out.
 * @param options.force - Whether a signature by the same key is replaced that is not one of these bytes.
 * @throws InputError `target-exists` where another signature lies under the name of one; MachineError.
 */
export async function signFiles(
  folder: string,
  key: SigningKey,
  options: { readonly force?: boolean; readonly files?: readonly SignedFile[] } = {},
): Promise<readonly PlacedSignature[]> {
  await clearUnfinished(folder);
  const { force = false, files = await filesToSign(folder) } = options;
  const placed: PlacedSignature[] = [];
  for (const file of files) placed.push(await placeSignature(folder, file, { key, force }));
  if (placed.some(({ outcome }) => outcome !== 'kept')) await syncFolder(folder);
  await readBack(folder, key, placed);
  return placed;
}

/**
 * Signs a block that has just been verified, where a key is given.
 *
 * @returns What the verification has found, with the signatures.
 * @throws As {@link signFiles}.
 */
export async function signVerified(
  folder: string,
  report: VerifyReport,
  key: SigningKey | undefined,
): Promise<VerifyReport> {
  if (key === undefined) return report;
  const files = await filesToSign(folder);
  await signFiles(folder, key, { files });
  const signed = files.map(({ name }) => signatureWords(name, key.id));
  const notChecked = report.notChecked.filter((item) => item !== untrustedWords(key.id));
  return { ...report, checked: [...report.checked, ...signed], notChecked };
}

/** Whether a key has rightly signed all that is signed of a block, as it is on the disk now. */
async function isSignedBy(folder: string, key: PublicKey): Promise<boolean> {
  for (const { name, bytes } of await filesToSign(folder)) {
    const signature = await readSignature(join(folder, signatureName(name, key.id)));
    if (signature === undefined || !isSignature(signature, key, bytes)) return false;
  }
  return true;
}

/**
 * Whether a block that is there lacks a signature or a commitment that it is to get: what is answered for anew
 * must have been compared with the seed.
 */
export async function lacksPromise(
  folder: string,
  wanted: {
    readonly signWith?: PublicKey | undefined;
    readonly commitTickets?: boolean | undefined;
  },
): Promise<boolean> {
  const { signWith, commitTickets = false } = wanted;
  if (commitTickets && !(await hasCommitment(folder))) return true;
  return signWith !== undefined && !(await isSignedBy(folder, signWith));
}

async function placeSignature(
  folder: string,
  file: SignedFile,
  { key, force }: { readonly key: SigningKey; readonly force: boolean },
): Promise<PlacedSignature> {
  const name = signatureName(file.name, key.id);
  const path = join(folder, name);
  const signature = signatureOf(file.bytes, key);
  const standing = await readSignature(path);
  if (standing === undefined && (await placeBeside(path, signature)))
    return { name, outcome: 'made' };
  const there = standing ?? (await readSignature(path));
  if (there !== undefined && signature.equals(there)) return { name, outcome: 'kept' };
  if (there !== undefined && isSignature(there, key, file.bytes)) {
    const message = `${printable(path)} is another signature by the same key, and right; move it away, or leave it and do not sign again`;
    throw new InputError('target-exists', message);
  }
  if (!force) {
    const message = `${printable(path)} is there already and is no signature of this ${file.name}; find out why, then replace it with gen-block sign --force`;
    throw new InputError('target-exists', message);
  }
  await replaceBeside(path, signature);
  return { name, outcome: 'replaced' };
}

function signatureOf(bytes: Uint8Array, { pkcs8 }: SigningKey): Buffer {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  return sign(null, bytes, key);
}

/** Holds what is on the disk now against the key. What was made and is not right goes again. */
async function readBack(
  folder: string,
  key: SigningKey,
  placed: readonly PlacedSignature[],
): Promise<void> {
  const files = await filesToSign(folder);
  for (const { name, bytes } of files) {
    const path = join(folder, signatureName(name, key.id));
    const signature = await readSignature(path);
    if (signature !== undefined && isSignature(signature, key, bytes)) continue;
    for (const { name: made, outcome } of placed) {
      if (outcome !== 'kept') await unlink(join(folder, made)).catch(() => undefined);
    }
    const message = `${printable(path)} does not fit what lies beside it: somebody has changed the block meanwhile, or the disk gives back other bytes than were written; check both before you sign again`;
    throw new MachineError(message, { code: 'EIO' });
  }
}
