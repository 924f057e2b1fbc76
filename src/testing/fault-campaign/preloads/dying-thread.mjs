/* eslint-disable no-restricted-properties -- in a worker, exit() ends the thread and not the process */
/*
 * Lets every worker thread of the program die. FAULT_THREAD says how: at once, or at one of its calls of
 * the file layer, such as "call 7". Then FAULT_LOG is written: the thread had work in hand.
 */
import { writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const { FAULT_THREAD = '', FAULT_LOG = '' } = process.env;
const [death, nth] = FAULT_THREAD.split(' ');
const MODULE_CALLS = ['mkdir', 'open', 'readdir', 'rename', 'rm', 'lstat', 'link', 'unlink'];
const HANDLE_CALLS = ['write', 'sync', 'read', 'stat', 'close'];

/** Ends the thread after the n-th of all calls: what it has made stands, and nobody takes it away. */
async function dieAtCall() {
  let left = Number(nth);
  const dying = (actual) =>
    async function (...args) {
      const result = await actual.apply(this, args);
      left -= 1;
      if (left > 0) return result;
      writeFileSync(FAULT_LOG, '');
      return process.exit(1);
    };
  const handle = await files.open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of HANDLE_CALLS) prototype[name] = dying(prototype[name]);
  for (const name of MODULE_CALLS) files[name] = dying(files[name]);
  syncBuiltinESMExports();
}

const deaths = {
  call: dieAtCall,
  exit: () => process.exit(0),
  throw: () => {
    throw new Error('made up: the thread has failed');
  },
  memory: () => {
    const held = [];
    for (;;) held.push(new Array(100_000).fill(1.5));
  },
};

if (!isMainThread) await deaths[death]();
