/* eslint-disable no-restricted-properties -- in a worker, exit() ends the thread and not the process */
/* Lets every worker thread of the program die. FAULT_THREAD says how. */
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const deaths = {
  exit: () => process.exit(0),
  later: () => setTimeout(() => process.exit(1), 5),
  throw: () => {
    throw new Error('made up: the thread has failed');
  },
  memory: () => {
    const held = [];
    for (;;) held.push(new Array(100_000).fill(1.5));
  },
};

if (!isMainThread) deaths[process.env.FAULT_THREAD]();
