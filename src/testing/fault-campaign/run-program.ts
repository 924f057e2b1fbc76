import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { once } from 'node:events';

/** What a process said, and how it ended. */
export interface Ended {
  /** The exit code, or the name of the signal that ended it. */
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a process is started, and what is done to it from outside. */
export interface Launch {
  /** Words before those that start Node: a tracer, or a shell that sets a limit. */
  readonly wrap?: readonly string[];
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Added to an environment with nothing in it but the path. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where standard output goes; into a pipe that is read where it is left out. */
  readonly stdout?: 'closed' | '/dev/full';
  /** Added to the arguments of the program. */
  readonly more?: readonly string[];
  /** Called as soon as it is started; it may kill it, and is waited for. */
  readonly onStart?: (child: ChildProcess) => Promise<void>;
}

/** Longer than any run takes; what hangs is killed, and is a failure. */
const LONGEST_RUN_MS = 120_000;

/** Runs a program until its end. */
export async function runProgram(words: readonly string[], launch: Launch = {}): Promise<Ended> {
  const [command = '', ...args] = words;
  const { PATH = '' } = process.env;
  const full = launch.stdout === '/dev/full' ? openSync('/dev/full', 'w') : undefined;
  const child = spawn(command, args, {
    env: { PATH, HOME: '/', ...launch.env },
    stdio: ['ignore', full ?? 'pipe', 'pipe'],
  });
  if (full !== undefined) closeSync(full);
  if (launch.stdout === 'closed') child.stdout?.destroy();
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_MS);
  const [ended] = await Promise.all([endOf(child), launch.onStart?.(child)]);
  clearTimeout(timer);
  return ended;
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exit: signal ?? code ?? 0, ...said };
}

/** Runs a tool of the system, which must succeed. */
export async function runTool(...words: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await runProgram(words);
  if (exit === 0) return stdout;
  throw new Error(`${words.join(' ')} ended with ${String(exit)}: ${stderr.trim()}`);
}
