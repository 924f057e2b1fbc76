import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM_PARTS, programSha256 } from '../core/program-hash.js';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of the program, as if it had been released. */
export interface ReleasedProgram {
  readonly folder: string;
  /** The path of what is run. */
  readonly bin: string;
  readonly sha256: string;
}

/**
 * Copies the program as it is built now, with the record of a build out of a commit as it was.
 *
 * @param folder - An empty folder.
 */
export function releaseProgram(folder: string): ReleasedProgram {
  for (const part of PROGRAM_PARTS) {
    mkdirSync(join(folder, part, '..'), { recursive: true });
    cpSync(join(PACKAGE, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'));
  const sha256 = programSha256(folder);
  writeBuild(folder, { commit: 'a'.repeat(40), clean: true, program_sha256: sha256 });
  return { folder, bin: join(folder, 'bin/gen-block.js'), sha256 };
}

/** Writes the record of a build. */
export function writeBuild(folder: string, record: unknown): void {
  writeFileSync(join(folder, 'dist/build.json'), JSON.stringify(record));
}
