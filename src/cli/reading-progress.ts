import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { TICKETS_FILE_NAMES } from '../formats/ticket-formats.js';
import type { ProgressBar } from './terminal.js';

/**
 * Shows on a bar how much has been read of the tickets files that some paths lead to. What a compressed or
 * encrypted file holds is not known beforehand, so there the bar only shows the rate.
 */
export function readingProgress(
  bar: Pick<ProgressBar, 'show'>,
  paths: readonly string[],
): (bytes: number) => void {
  const total = paths.reduce((sum, path) => sum + plainBytesAt(path), 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    bar.show({ phase: 'verifying', done, total: Math.max(total, done) });
  };
}

/** The bytes of the plain tickets files of a block's folder, of its manifest's, or of a bare file. */
function plainBytesAt(path: string): number {
  const isManifest = path.endsWith(MANIFEST_FILE);
  const bare = isManifest ? undefined : sizeOf(path);
  if (bare !== undefined) return isPlain(path) ? bare : 0;
  const folder = isManifest ? dirname(path) : path;
  const sizes = TICKETS_FILE_NAMES.filter(isPlain).map((name) => sizeOf(join(folder, name)) ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function isPlain(name: string): boolean {
  return !/\.(?:gz|age)$/.test(name);
}

/** The size of a regular file. Whatever else is wrong with a path, the verification will say. */
function sizeOf(path: string): number | undefined {
  try {
    const entry = statSync(path);
    return entry.isFile() ? entry.size : undefined;
  } catch {
    return undefined;
  }
}
