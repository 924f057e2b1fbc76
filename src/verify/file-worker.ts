import { parentPort, workerData } from 'node:worker_threads';
import { toThreadError } from '../core/thread-error.js';
import { judgeFile, type FileTask, type WorkerMessage } from './judge-files.js';

/** A thread that judges one tickets file and says what came of it. */
function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  const judged = await judgeFile(workerData as FileTask, {
    onBytes: (bytes) => {
      say({ bytes });
    },
  });
  const { counts, examples } = judged.log;
  say({ judged: { ...judged, log: { counts, examples } } });
} catch (error) {
  say({ failure: toThreadError(error) });
}
