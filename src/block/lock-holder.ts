import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { systemErrorCode } from '../core/errors.js';

/** The version of a lock's form. */
const LOCK_FORMAT = 'gen-block-lock/1';

/**
 * Who holds a lock, as its file says it. Where a system does not tell something, the text is empty. It
 * holds nothing of what the holder works on.
 */
export interface LockHolder {
  readonly format: typeof LOCK_FORMAT;
  readonly pid: number;
  /** The name of the host, for people. */
  readonly host: string;
  /** A hash of what tells this host from another of the same name. */
  readonly machine: string;
  /** Which start of the host it is. */
  readonly boot: string;
  /** The space of process numbers, which containers have of their own. */
  readonly namespace: string;
  /** When the process began, in ticks since the host did: another process of its number has another. */
  readonly started: string;
  /** The thread of that process; 0 is the main one. */
  readonly thread: number;
  /** Tells this lock from every other. */
  readonly nonce: string;
}

/** This process as the holder of a lock. */
export function thisHolder(nonce: string): LockHolder {
  const { pid } = process;
  const started = processState(pid)?.started ?? '';
  return {
    format: LOCK_FORMAT,
    pid,
    host: hostname(),
    ...thisWorld(),
    started,
    thread: threadId,
    nonce,
  };
}

/** The holder that a lock's text names; `undefined` where it is not the text of a lock. */
export function parseHolder(value: unknown): LockHolder | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts = ['host', 'machine', 'boot', 'namespace', 'started', 'nonce'];
  const isRight =
    fields.get('format') === LOCK_FORMAT &&
    isProcessNumber(fields.get('pid')) &&
    Number.isSafeInteger(fields.get('thread')) &&
    texts.every((key) => typeof fields.get(key) === 'string') &&
    /^[0-9a-f]{32}$/.test(String(fields.get('nonce')));
  return isRight ? (value as LockHolder) : undefined;
}

/** 0 and the negative numbers would stand for groups of processes. */
function isProcessNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * Whether the holder of a lock is known to be gone: it ran on this host, and either the host has been
 * started anew since, or no process has its number, or one that began at another time. What cannot be
 * known, of another host or container above all, is not gone.
 */
export function isHolderGone(holder: LockHolder): boolean {
  const here = thisWorld();
  if (holder.host !== hostname() || holder.machine !== here.machine) return false;
  // Without a name of the machine, another boot can be another machine's.
  if (holder.boot !== here.boot) return [here.machine, holder.boot, here.boot].every(Boolean);
  if (holder.namespace !== here.namespace) return false;
  const state = processState(holder.pid);
  if (state === undefined) return isNumberFree(holder.pid);
  if (state.hasEnded) return true;
  return holder.started !== '' && holder.started !== state.started;
}

/** Whether a lock is held by one of the threads of this process. */
export function isHeldByThread(holder: LockHolder, thread: number): boolean {
  const own = thisHolder(holder.nonce);
  const keys = ['pid', 'host', 'machine', 'boot', 'namespace', 'started'] as const;
  return holder.thread === thread && keys.every((key) => holder[key] === own[key]);
}

function isNumberFree(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}

interface ProcessState {
  readonly started: string;
  /** Only its parent has not asked for its exit code yet. */
  readonly hasEnded: boolean;
}

/** What Linux tells of a process; `undefined` where there is no such process, or another system. */
function processState(pid: number): ProcessState | undefined {
  const text = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === '') return undefined;
  // The second field is the program's name in parentheses, which may hold any of both.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', started = ''] = [fields[0], fields[19]];
  return { started, hasEnded: state === 'Z' || state === 'X' };
}

function thisWorld(): Pick<LockHolder, 'machine' | 'boot' | 'namespace'> {
  const machine = textOf(() => readFileSync('/etc/machine-id', 'utf8')).trim();
  return {
    machine: machine && createHash('sha256').update(machine).digest('hex').slice(0, 12),
    boot: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
    namespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
  };
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
