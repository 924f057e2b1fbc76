import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { AgeEncrypter } from '../block/age-encrypter.js';
import { manifestFile } from '../formats/manifest.js';
import { ticketsFileName } from '../formats/ticket-formats.js';
import type { BlockCopy } from './broken-blocks.js';

/** A pair of keys. */
export interface AgeKey {
  readonly identity: string;
  readonly recipient: string;
}

/** Makes a pair of keys. */
export async function newAgeKey(): Promise<AgeKey> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Writes an identity file as `age-keygen` writes them. Returns its path. */
export function writeIdentityFile(folder: string, { identity, recipient }: AgeKey): string {
  const path = join(folder, 'age.key');
  const text = `# created: 2025-11-30T12:00:00Z\n# public key: ${recipient}\n${identity}\n`;
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Encrypts bytes with our own code, in pieces of the lengths that are given in turn. */
export async function encryptBytes(
  bytes: Uint8Array,
  recipients: readonly string[],
  pieceLengths: readonly number[] = [bytes.length],
): Promise<Buffer> {
  const encrypter = await AgeEncrypter.create(recipients);
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, pieceLengths[turn % pieceLengths.length] ?? 1);
    // A copy, as what is handed out holds only until the next call.
    pieces.push(Buffer.from(encrypter.encrypt(bytes.subarray(at, at + length))));
    at += length;
  }
  return Buffer.concat([...pieces, Buffer.from(encrypter.finish())]);
}

/** Runs Debian's `age` on bytes. */
export function runAge(argv: readonly string[], input: Uint8Array): Buffer {
  return execFileSync('age', argv, { input, maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The block with its tickets files encrypted; what the manifest says of their content stays. */
export async function withEncryption(
  block: BlockCopy,
  recipients: readonly string[],
): Promise<BlockCopy> {
  const files = new Map<string, Uint8Array>();
  const claims = block.manifest.files.map((file) => {
    const form = { format: file.format, compression: file.compression, encryption: 'age' } as const;
    return manifestFile(form, file);
  });
  for (const [index, { name }] of block.manifest.files.entries()) {
    const bytes = block.files.get(name) ?? new Uint8Array();
    const encrypted = await encryptBytes(bytes, recipients);
    files.set(ticketsFileName(claims[index] ?? { format: 'csv' }), encrypted);
  }
  return { ...block, files, manifest: { ...block.manifest, files: claims } };
}
