import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { readFileBytes } from '../core/read-json-file.js';
import { MOST_REGISTRY_BYTES, parseRegistry, REGISTRY_FILE, type Registry } from './registry.js';

/** A registry and its length on the disk, which an unfinished last line makes longer than what counts. */
export interface StoredRegistry extends Registry {
  readonly path: string;
  readonly storedBytes: number;
}

/**
 * Reads the registry of an output folder.
 *
 * @returns `undefined` where there is none.
 * @throws InputError `bad-registry` where something else stands under its name (links are not
 * followed), or a file that is too long; MachineError.
 */
export function readRegistry(folder: string): StoredRegistry | undefined {
  const path = join(folder, REGISTRY_FILE);
  try {
    if (!lstatSync(path).isFile()) refuse(path, 'is no regular file');
    const bytes = readFileBytes(path, MOST_REGISTRY_BYTES);
    if (bytes.length > MOST_REGISTRY_BYTES) {
      refuse(path, `is longer than ${formatCount(MOST_REGISTRY_BYTES)} bytes`);
    }
    return { ...parseRegistry(bytes), path, storedBytes: bytes.length };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('read', path, error);
  }
}

function refuse(path: string, what: string): never {
  const message = `${printable(path)} ${what}, and so no registry; restore it from a copy`;
  throw new InputError('bad-registry', message, { place: path });
}
