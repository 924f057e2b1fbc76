import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Out of `src/core`, `dist/core` and `dist/program` alike: the folder of the package. */
const PACKAGE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/** What is distributed and runs here or in a user's shell, or decides what runs; not what only people and editors read. */
export const PROGRAM_PARTS = [
  'bin',
  'dist/completions',
  'dist/program',
  'dist/report',
  'dist/validators',
  'package.json',
  'schemas',
  'src/definitions/games',
];

/**
 * The hash of the program as it lies on the disk: SHA-256 over a line for each file, as sha256sum writes it,
 * in the order of the names' bytes. Code of other packages is not in it; the exact versions of those that it names are, by
 * `package.json`.
 *
 * @param folder - The package's.
 * @returns Lower-case hex.
 */
export function programSha256(folder = PACKAGE_FOLDER): string {
  const total = createHash('sha256');
  for (const path of programFiles(folder)) {
    const bytes = readFileSync(join(folder, path));
    total.update(`${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`);
  }
  return total.digest('hex');
}

/** The paths of the program's files, with slashes, in the order of their bytes. */
function programFiles(folder: string): readonly string[] {
  const entries = PROGRAM_PARTS.flatMap((part) => {
    if (part.endsWith('.json')) return [part];
    return readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .map((name) => join(part, name))
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => path.split(sep).join('/'));
  });
  return entries.sort();
}

/**
 * What is known of the program that runs.
 *
 * @group Verifying
 */
export interface ProgramBuild {
  /** Of the program as it lies on the disk now. */
  readonly sha256: string;
  /**
   * `clean`: built from a commit as it is. `dirty`: from sources that were changed since. `unknown`: from
   * sources of no known commit, or by nobody knows what. `altered`: changed since it was built.
   */
  readonly state: 'clean' | 'dirty' | 'unknown' | 'altered';
}

/**
 * Looks at the program, and at the record that the build has left beside it.
 *
 * @param folder - The package's.
 */
export function programBuild(folder = PACKAGE_FOLDER): ProgramBuild {
  const sha256 = programSha256(folder);
  return { sha256, state: stateOf(readRecord(join(folder, 'dist/build.json')), sha256) };
}

function stateOf(record: unknown, sha256: string): ProgramBuild['state'] {
  if (typeof record !== 'object' || record === null) return 'unknown';
  const fields = new Map<string, unknown>(Object.entries(record));
  if (typeof fields.get('commit') !== 'string') return 'unknown';
  if (fields.get('program_sha256') !== sha256) return 'altered';
  return fields.get('clean') === true ? 'clean' : 'dirty';
}

function readRecord(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
