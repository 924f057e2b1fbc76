import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where Debian keeps the server's programs: off the PATH, a folder for each version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

const SERVER_PROGRAMS = ['initdb', 'postgres', 'pg_ctl'] as const;

/** The user and the group that a process is started as; the own ones where they are left out. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The folder with the programs of PostgreSQL's server: of the version that is on the PATH, else of
 * Debian's highest.
 */
export function serverProgramsFolder(): string {
  const folder = [...foldersOnPath(), ...debianFolders()].find(hasServerPrograms);
  if (folder !== undefined) return folder;
  throw new Error('initdb, postgres and pg_ctl are missing: apt-get install postgresql');
}

/** PostgreSQL refuses to run as root: tests of root have it run as the user who owns nothing. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  });
  if (uid === undefined || gid === undefined) throw new Error('there is no user "nobody"');
  return { uid, gid };
}

/** The PATH may hold links to the programs, which look for their neighbours where they really are. */
function foldersOnPath(): readonly string[] {
  const { PATH = '' } = process.env;
  return PATH.split(':')
    .map((folder) => join(folder, 'initdb'))
    .filter((path) => existsSync(path))
    .map((path) => dirname(realpathSync(path)));
}

function debianFolders(): readonly string[] {
  if (!existsSync(DEBIAN_FOLDER)) return [];
  return readdirSync(DEBIAN_FOLDER)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'));
}

function hasServerPrograms(folder: string): boolean {
  return SERVER_PROGRAMS.every((name) => existsSync(join(folder, name)));
}
