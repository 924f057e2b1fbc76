/* A clock that is set forward and back all the time, by up to FAULT_CLOCK milliseconds. */
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const most = Number(process.env.FAULT_CLOCK);
const { Date } = globalThis;
const now = Date.now.bind(Date);
let readings = 0;

/** Forward and back in turns, never twice by the same time. */
function jump() {
  readings += 1;
  return (readings % 2 === 0 ? -1 : 1) * ((readings * 7919) % most);
}

globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [now() + jump()] : args));
  }

  static now() {
    return now() + jump();
  }
};

// The clock of the machine's own time only goes forward, as it does over a pause of the machine.
const steady = performance.now.bind(performance);
performance.now = () => steady() + readings++ * most;
