import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSigningKey, type SigningKey } from '../block/signing-key.js';

/** What stands before the 32 secret bytes of an Ed25519 key in PKCS#8. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key for tests, the same in every run, as its files and as the program reads it. */
export interface SampleKey {
  readonly privatePem: string;
  readonly publicPem: string;
  readonly key: SigningKey;
}

/** The key of which the secret is these 32 bytes, or 32 times this letter. */
export function sampleKey(secret: Uint8Array | string): SampleKey {
  const bytes = typeof secret === 'string' ? Buffer.alloc(32, secret) : secret;
  const der = Buffer.concat([PKCS8_START, bytes]);
  const made = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const privatePem = pemOf(made, 'pkcs8');
  const publicPem = pemOf(createPublicKey(made), 'spki');
  return { privatePem, publicPem, key: parseSigningKey(Buffer.from(privatePem), 'a key') };
}

function pemOf(key: KeyObject, type: 'pkcs8' | 'spki'): string {
  const form = { format: 'pem' } as const;
  const pem = type === 'spki' ? key.export({ ...form, type }) : key.export({ ...form, type });
  return pem.toString();
}

/** Where the files of a key are. */
export interface KeyPaths {
  readonly privatePath: string;
  readonly publicPath: string;
}

/** Writes the files of a key into a new folder within one that is there. */
export function writeKey({ privatePem, publicPem }: SampleKey, folder: string): KeyPaths {
  const own = mkdtempSync(join(folder, 'key-'));
  const paths = { privatePath: join(own, 'k.key'), publicPath: join(own, 'k.pub') };
  writeFileSync(paths.privatePath, privatePem, { mode: 0o600 });
  writeFileSync(paths.publicPath, publicPem);
  return paths;
}
