import type { SingleBar } from 'cli-progress';
import { formatCount } from '../core/money.js';
import type { Progress } from '../block/generate-block.js';

/** Where words go, and how. */
export interface Terminal {
  /** A remark for people, on standard error; not shown with `--quiet`. */
  readonly note: (message: string) => void;
  /** What went wrong, on standard error; always shown. */
  readonly error: (message: string) => void;
  /** Data, on standard output. */
  readonly write: (text: string) => void;
  /** Whether people watch standard error. */
  readonly isWatched: boolean;
}

/** The terminal of this process. */
export function processTerminal(options: { readonly quiet?: boolean | undefined }): Terminal {
  return {
    note(message) {
      if (options.quiet !== true) process.stderr.write(`gen-block: ${message}\n`);
    },
    error: (message) => void process.stderr.write(`gen-block: ${message}\n`),
    write: (text) => void process.stdout.write(text),
    isWatched: process.stderr.isTTY && options.quiet !== true,
  };
}

const UNITS = { drawing: 'tickets', verifying: 'bytes' } as const;

/** A bar with rate and time left for each phase of a job; draws only where people watch. */
export class ProgressBar {
  readonly #bar: SingleBar | undefined;
  #phase: Progress['phase'] | undefined;
  #startedAt = 0;

  private constructor(bar: SingleBar | undefined) {
    this.#bar = bar;
  }

  /** A bar for the terminal; its library is only loaded where people watch. */
  static async open(terminal: Terminal): Promise<ProgressBar> {
    if (!terminal.isWatched) return new ProgressBar(undefined);
    const { SingleBar } = await import('cli-progress');
    const bar = new SingleBar({
      format: '{phase} {bar} {percentage} %, {rate} {unit} a second, {eta_formatted} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    });
    return new ProgressBar(bar);
  }

  readonly show = ({ phase, done, total }: Progress): void => {
    if (this.#bar === undefined) return;
    if (phase !== this.#phase) {
      this.stop();
      this.#phase = phase;
      this.#startedAt = performance.now();
      this.#bar.start(total, 0, { phase, unit: UNITS[phase], rate: '…' });
    }
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = seconds > 0 ? formatCount(Math.round(done / seconds)) : '…';
    this.#bar.setTotal(total);
    this.#bar.update(done, { rate });
  };

  /** Takes the bar off the screen. */
  stop(): void {
    this.#bar?.stop();
    this.#phase = undefined;
  }
}
