import { Worker } from 'node:worker_threads';
import { checkThreads } from '../core/check-threads.js';
import { InputError } from '../core/errors.js';
import { endedThreadError, fromThreadError, type ThreadError } from '../core/thread-error.js';
import { FindingLog } from './finding.js';
import {
  readTicketsFile,
  type FileCount,
  type TicketsFileInput,
  type Watch,
} from './read-tickets-file.js';

/** Out of `src/verify`, `dist/verify` and `dist/program` alike: what the build makes of `file-worker.ts`. */
const WORKER = new URL('../../dist/program/file-worker.js', import.meta.url);

/** A tickets file that is to be judged; plain data, so that a thread can be told. */
export interface FileTask extends Omit<TicketsFileInput, 'log'> {
  readonly path: string;
}

/** What came of it. */
export interface JudgedFile {
  /** `undefined` where a finding says that there is no such file, or that it cannot be judged. */
  readonly count: FileCount | undefined;
  readonly log: Pick<FindingLog, 'counts' | 'examples'>;
}

/** What a thread says: how far it is, what came of it, or why nothing did. */
export type WorkerMessage =
  { readonly bytes: number } | { readonly judged: JudgedFile } | { readonly failure: ThreadError };

/**
 * Judges tickets files, each by itself and with a log of its own: one after the other, or, where more
 * threads are allowed, several at once. What comes of it is the same.
 *
 * @param threads - How many may work at once, this one among them.
 * @throws InputError `bad-number` where there are no threads; MachineError where a file cannot be read.
 */
export async function judgeFiles(
  tasks: readonly FileTask[],
  watch: Watch,
  threads: number,
): Promise<readonly JudgedFile[]> {
  checkThreads(threads);
  const judged = new Array<JudgedFile>(tasks.length);
  const waiting = [...tasks.entries()];
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(watch.signal ? [watch.signal] : [])]);
  const work = async (judge: typeof judgeFile): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, task] = next;
      judged[index] = await judge(task, { ...watch, signal });
    }
  };
  const others = Math.min(threads, tasks.length) - 1;
  try {
    const helpers = Array.from({ length: others }, async () => work(judgeInThread));
    await Promise.all([...helpers, work(judgeFile)]);
  } finally {
    stop.abort();
  }
  return judged;
}

/** Judges one tickets file. */
export async function judgeFile({ path, ...input }: FileTask, watch: Watch): Promise<JudgedFile> {
  const log = new FindingLog();
  try {
    return { count: await readTicketsFile(path, { ...input, log }, watch), log };
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'not-found') throw error;
    const place = { file: input.file };
    const expected = 'the file that the manifest names';
    log.add({ code: 'file-missing', place, expected, found: 'none' });
    return { count: undefined, log };
  }
}

/** The same, in a thread of its own. */
async function judgeInThread(task: FileTask, { onBytes, signal }: Watch): Promise<JudgedFile> {
  signal?.throwIfAborted();
  const worker = new Worker(WORKER, { workerData: task });
  const onAbort = (): void => void worker.terminate();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<JudgedFile>((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        if ('bytes' in message) onBytes?.(message.bytes);
        else if ('judged' in message) resolve(message.judged);
        else reject(fromThreadError(message.failure));
      });
      let cause: unknown;
      worker.on('error', (error: unknown) => {
        cause = error;
      });
      worker.on('exit', (exitCode) => {
        const death = endedThreadError(`verifying ${task.file}`, { exitCode, cause });
        reject((signal?.reason as Error | undefined) ?? death);
      });
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
