import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';

/** What a run of the program said, and how it ended. */
export interface CommandResult {
  readonly exitCode: number | undefined;
  /** The signal that ended it from outside, if one did. */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as it is installed; it runs the compiled files. */
export const PROGRAM = fileURLToPath(new URL('../../bin/gen-block.js', import.meta.url));

/** How a process of the program is started. */
export interface ProcessOptions {
  /** What it reads on standard input; nothing where it is left out. */
  readonly input?: string | Uint8Array;
  /** Added to an environment without colours, seeds and continuous integration. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another Node.js and another installation than those of the tests. */
  readonly program?: readonly [node: string, bin: string];
}

/** Starts the program in a process of its own. */
export function startProcess(argv: readonly string[], options: ProcessOptions = {}): ChildProcess {
  const { PATH = '', HOME = '/' } = process.env;
  const [node, bin] = options.program ?? [process.execPath, PROGRAM];
  const child = spawn(node, [bin, ...argv], {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  return child;
}

/** Collects what a started process says, until it has ended. */
export async function resultOf(child: ChildProcess): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { exitCode: exitCode ?? undefined, signal: signal ?? undefined, ...said };
}

/** Runs the program in a process of its own. */
export async function runProcess(
  argv: readonly string[],
  options: ProcessOptions = {},
): Promise<CommandResult> {
  return resultOf(startProcess(argv, options));
}

/**
 * Runs the program's source within the test, which is faster and is counted by the coverage. Its
 * standard input is the test's own.
 */
export async function runInside(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text, ...rest: unknown[]) => {
      said[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      const written = rest.at(-1);
      if (typeof written === 'function') (written as () => void)();
      return true;
    }),
  );
  const kept = { env: process.env, exitCode: process.exitCode, title: process.title };
  const listeners = [process.stdout, process.stderr].map((stream) => stream.listeners('error'));
  // Neither colours nor a progress bar, also where the tests themselves run on a terminal.
  const isTTY = [process.stdout.isTTY, process.stderr.isTTY] as const;
  process.stdout.isTTY = process.stderr.isTTY = false;
  process.env = { NO_COLOR: '1', ...env };
  process.exitCode = undefined;
  try {
    const { run } = await import('../cli/run.js');
    await run(argv);
    // A process whose code nobody has set ends with 0.
    const { exitCode = 0 } = process as { readonly exitCode?: number };
    return { exitCode, signal: undefined, ...said };
  } finally {
    Object.assign(process, kept);
    [process.stdout.isTTY, process.stderr.isTTY] = isTTY;
    for (const spy of spies) spy.mockRestore();
    for (const [index, stream] of [process.stdout, process.stderr].entries()) {
      for (const listener of stream.listeners('error')) {
        if (listeners[index]?.includes(listener) === true) continue;
        stream.off('error', listener as () => void);
      }
    }
  }
}
