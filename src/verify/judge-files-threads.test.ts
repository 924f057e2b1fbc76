import { EventEmitter } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import { sampleRequest } from '../testing/sample-requests.js';
import type { FileTask } from './judge-files.js';

/** A thread that dies as it is told to, and never says anything. */
class DyingWorker extends EventEmitter {
  static death: (worker: DyingWorker) => void = () => undefined;

  constructor() {
    super();
    setImmediate(() => DyingWorker.death(this));
  }

  async terminate(): Promise<number> {
    return Promise.resolve(1);
  }
}

jest.unstable_mockModule('node:worker_threads', () => ({ Worker: DyingWorker }));
const { judgeFiles } = await import('./judge-files.js');

const { game } = sampleRequest('rows-plain');
const stake = game.stakes[0]!;
const task: FileTask = {
  game,
  stake,
  format: 'csv',
  file: 'tickets.csv',
  path: '/nowhere/tickets.csv',
};

describe('a thread that dies', () => {
  test.each([
    ['without a word', (worker: DyingWorker) => worker.emit('exit', 1), 'exit code 1'],
    [
      'of an error',
      (worker: DyingWorker) => {
        worker.emit('error', new Error('heap'));
        worker.emit('exit', 1);
      },
      'heap',
    ],
  ])('%s is a failure of the machine that names its file', async (_, death, why) => {
    DyingWorker.death = death;
    await expect(judgeFiles([task, task], {}, 2)).rejects.toMatchObject({
      name: 'MachineError',
      message: expect.stringContaining(`the thread that was verifying tickets.csv died (${why});`),
    });
  });

  test('because all has been stopped is no failure of its own', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    DyingWorker.death = (worker) => {
      controller.abort(reason);
      worker.emit('exit', 1);
    };
    const judged = judgeFiles([task, task], { signal: controller.signal }, 2);
    await expect(judged).rejects.toBe(reason);
  });
});
