import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { REGISTRY_FILE } from '../../formats/registry.js';

/** Something under an output folder. */
export interface TreeEntry {
  /** From the output folder on. */
  readonly path: string;
  /** The SHA-256 of a file, `folder`, or `other`. */
  readonly content: string;
  /** The size of a file; 0 for anything else. */
  readonly bytes: number;
  readonly mode: number;
  /** Whether the seed stands in it, or in its name. */
  readonly holdsSeed: boolean;
  /** The bytes of a registry. */
  readonly text?: Uint8Array;
}

/** All that lies in a folder and its folders, by path. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/** The bits of a mode that say who may do what. */
const PERMISSIONS = 0o777;

/** Reads everything that lies in a folder; an empty tree where there is none. */
export function readTree(folder: string, seed: string): Tree {
  const tree = new Map<string, TreeEntry>();
  const visit = (path: string): void => {
    for (const name of namesIn(join(folder, path))) {
      const entry = readEntry(folder, join(path, name), seed);
      tree.set(entry.path, entry);
      if (entry.content === 'folder') visit(entry.path);
    }
  };
  visit('');
  return tree;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readEntry(folder: string, path: string, seed: string): TreeEntry {
  const stat = lstatSync(join(folder, path));
  const mode = stat.mode & PERMISSIONS;
  const isNamed = path.includes(seed);
  if (!stat.isFile()) return { path, content: kindOf(stat), bytes: 0, mode, holdsSeed: isNamed };
  const bytes = readFileSync(join(folder, path));
  const content = createHash('sha256').update(bytes).digest('hex');
  const entry = { path, content, bytes: bytes.length, mode };
  return {
    ...{ ...entry, holdsSeed: isNamed || bytes.includes(seed) },
    ...(basename(path) === REGISTRY_FILE && { text: bytes }),
  };
}

function kindOf(stat: Stats): string {
  return stat.isDirectory() ? 'folder' : 'other';
}
