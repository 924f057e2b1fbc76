import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A job was stopped by a signal. Its exit code is 128 plus the signal's number. */
export class SignalError extends Error {
  override readonly name = 'SignalError';
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number], consequence: string) {
    super(`stopped by ${signal}; ${consequence}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Lets the first signal end a job in good order. A second one ends the process at once: what it
 * leaves is mended by the next run.
 *
 * @param consequence - What it means that the job was stopped.
 */
export function abortOnSignals(consequence: string): {
  readonly signal: AbortSignal;
  stop(): void;
} {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    const known = SIGNALS.find((candidate) => candidate === signal);
    if (known === undefined) return;
    if (controller.signal.aborted) {
      stop();
      process.kill(process.pid, signal);
    }
    controller.abort(new SignalError(known, consequence));
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { signal: controller.signal, stop };
}
