import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './cluster.js';

/** The only address that a server of the tests listens on. */
export const HOST = '127.0.0.1';

const LONGEST_START_MS = 60_000;
const LONGEST_STOP_MS = 20_000;

/** What it says, in the language of its cluster, where another process has its port. */
const NO_SOCKET = 'could not create any TCP/IP sockets';

/** How a server is started. */
export interface PostmasterStart {
  readonly port: number;
  /** Where it answers once it runs. */
  readonly url: string;
  /** Whether it waits for the disk at each commit. */
  readonly isDurable: boolean;
}

/** The process of a server that all its other processes are children of. */
export interface Postmaster {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts a server and waits until it answers.
 *
 * @returns `undefined` where another process has the port.
 */
export async function startPostmaster(
  cluster: Cluster,
  start: PostmasterStart,
): Promise<Postmaster | undefined> {
  const logStart = existsSync(cluster.log) ? statSync(cluster.log).size : 0;
  const log = openSync(cluster.log, 'a', 0o600);
  const argv = ['-D', cluster.data, ...settings(start).flatMap((setting) => ['-c', setting])];
  const child = spawn(join(cluster.programs, 'postgres'), argv, {
    ...cluster.spawn,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error('postgres cannot be started', { cause: await ended });
  // A suite that has failed to stop it must still come to its end, which the watchdog waits for.
  child.unref();
  const postmaster = { child, pid, ended };
  const problem = await waitForAnswer(postmaster, start.url);
  if (problem === undefined) return postmaster;
  await killPostmaster(postmaster);
  const said = readFileSync(cluster.log).subarray(logStart).toString('utf8');
  if (said.includes(NO_SOCKET)) return undefined;
  throw new Error(`postgres does not run: ${problem}; it said:\n${said}`);
}

/** Whether its process is still there. */
export function isRunning({ child }: Postmaster): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Ends all sessions and stops it, as for a shutdown of the machine; kills it where it takes too long. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  if (!isRunning(postmaster)) return;
  postmaster.child.ref();
  postmaster.child.kill('SIGINT');
  const patience = new AbortController();
  const { signal } = patience;
  const tooLong = setTimeout(LONGEST_STOP_MS, undefined, { signal }).catch(() => undefined);
  await Promise.race([postmaster.ended, tooLong]);
  patience.abort();
  await killPostmaster(postmaster);
}

/** Kills it and all its children at once, so that none of them can write anything down any more. */
export async function killPostmaster(postmaster: Postmaster): Promise<void> {
  if (!isRunning(postmaster)) return;
  const { child, pid, ended } = postmaster;
  child.ref();
  // Stopped, it makes no more children while they are counted.
  child.kill('SIGSTOP');
  const children = childrenOf(pid);
  for (const one of children) signalIfThere(one, 'SIGKILL');
  child.kill('SIGKILL');
  await ended;
  // What the system has not taken away yet still holds the port and the files.
  while (children.some((one) => stateOf(one)?.isAlive === true)) await setTimeout(5);
}

function settings({ port, isDurable }: PostmasterStart): readonly string[] {
  const unsafe = ['fsync=off', 'full_page_writes=off'];
  return [
    `listen_addresses=${HOST}`,
    `port=${port}`,
    'unix_socket_directories=',
    // In the data folder, where it is removed with it, also after a kill.
    'dynamic_shared_memory_type=mmap',
    ...(isDurable ? [] : unsafe),
  ];
}

/** Waits until it answers; returns what is wrong where it does not. */
async function waitForAnswer(postmaster: Postmaster, url: string): Promise<string | undefined> {
  const end = Date.now() + LONGEST_START_MS;
  let problem = 'it ended at once';
  while (isRunning(postmaster)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      return undefined;
    } catch (error) {
      problem = String(error);
    } finally {
      await client.end().catch(() => undefined);
    }
    if (Date.now() > end) return problem;
    await setTimeout(20);
  }
  return problem;
}

interface ProcessState {
  readonly parent: number;
  /** `false` for one that has ended and that nobody has asked about yet. */
  readonly isAlive: boolean;
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => stateOf(pid)?.parent === parent);
}

/** `undefined` where there is no such process. */
function stateOf(pid: number): ProcessState | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // Behind the name, which may hold spaces and brackets.
  const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(parent), isAlive: !['Z', 'X'].includes(state) };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended by itself.
  }
}
