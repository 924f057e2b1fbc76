import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineError } from '../core/errors.js';

/** Resolves from `src/load`, `dist/load` and `dist/program` alike; the package ships it. */
const SCHEMAS_FOLDER = new URL('../../schemas/', import.meta.url);

/** The databases that there is a schema for: the names of folders in `schemas`. */
export type SchemaKind = 'sqlite' | 'postgresql';

/**
 * Reads a file of SQL that is shipped with the program.
 *
 * @param name - The file's name in `schemas/<kind>`.
 * @throws MachineError where the package is not whole.
 */
export function readSchemaFile(kind: SchemaKind, name: string): string {
  const path = fileURLToPath(new URL(`${kind}/${name}`, SCHEMAS_FOLDER));
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw machineError('read', path, error);
  }
}
