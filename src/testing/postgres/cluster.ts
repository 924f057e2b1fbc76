import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverProgramsFolder, serverUser, type ServerUser } from './programs.js';

/** The role that owns a cluster; it may do everything. */
export const ADMIN = 'postgres';

/** How the processes of a cluster are started: as its user, where that user may be. */
interface ClusterSpawn extends ServerUser {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The files of a server, which may run or not. */
export interface Cluster {
  /** Everything of it: the data, and the server's log. */
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  /** Of {@link ADMIN}; nobody else on the machine knows it. */
  readonly password: string;
  /** The folder of the server's programs. */
  readonly programs: string;
  readonly spawn: ClusterSpawn;
  readonly watchdog: ChildProcess;
}

/** Makes the files of a server in a temporary folder that only the server's user can read. */
export async function makeCluster(): Promise<Cluster> {
  const programs = serverProgramsFolder();
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'gen-block-postgres-'));
  giveTo(user, folder);
  // Nothing of the tests' own environment: PGDATA or PGPORT would lead a program elsewhere.
  const { PATH = '' } = process.env;
  const options: ClusterSpawn = { ...user, cwd: folder, env: { PATH, LC_ALL: 'C' } };
  const cluster: Cluster = {
    folder,
    data: join(folder, 'data'),
    log: join(folder, 'server.log'),
    password: randomBytes(24).toString('base64url'),
    programs,
    spawn: options,
    watchdog: startWatchdog(folder, programs, options),
  };
  try {
    await initialize(cluster);
  } catch (error) {
    await removeCluster(cluster);
    throw error;
  }
  return cluster;
}

/** Removes all that there is of a server that does not run any more. */
export async function removeCluster({ folder, data, watchdog }: Cluster): Promise<void> {
  await removeSharedMemory(data);
  if (watchdog.exitCode === null && watchdog.signalCode === null) {
    const ended = once(watchdog, 'exit');
    watchdog.ref();
    watchdog.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function initialize({ folder, data, password, programs, spawn }: Cluster): Promise<void> {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  giveTo(spawn, passwordFile);
  const argv = [
    ...['--pgdata', data, '--username', ADMIN, '--pwfile', passwordFile],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-sync'],
  ];
  await promisify(execFile)(join(programs, 'initdb'), argv, spawn);
  rmSync(passwordFile);
}

function giveTo({ uid, gid }: ServerUser, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/**
 * Stops the server and removes its files as soon as the process of the tests is gone, however it ended:
 * the system then closes the other end of the pipe that this companion reads. It is in a session of its
 * own, so that a Ctrl-C that ends the tests does not end it too.
 */
function startWatchdog(folder: string, programs: string, options: ClusterSpawn): ChildProcess {
  const script = `
    cat > /dev/null
    "$1/pg_ctl" stop --pgdata "$2/data" --mode fast --timeout 10 ||
      "$1/pg_ctl" stop --pgdata "$2/data" --mode immediate
    for _ in 1 2 3 4 5; do
      rm -rf "$2" && break
      sleep 1
    done
  `;
  const watchdog = spawn('sh', ['-c', script, 'watchdog', programs, folder], {
    ...options,
    // It removes the folder that it would stand in.
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  // A pipe to a child is a socket for Node, and would keep the process of the tests alive.
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return watchdog;
}

/**
 * A killed server leaves a piece of shared memory behind, which it would remove at its next start. Its
 * number is the second on the seventh line of the file that is there as long as a server is.
 */
async function removeSharedMemory(data: string): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const line = readFileSync(lockFile, 'latin1').split('\n')[6] ?? '';
  const [, id] = line.trim().split(/\s+/);
  if (id !== undefined) await promisify(execFile)('ipcrm', ['--shmem-id', id]);
}
