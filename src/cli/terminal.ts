import type { SingleBar } from 'cli-progress';
import { formatCount } from '../core/money.js';

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

const UNITS = {
  drawing: 'tickets',
  verifying: 'bytes',
  loading: 'tickets',
  batch: 'tickets',
} as const;

/** A step of a job that a bar shows. */
interface BarStep {
  readonly phase: keyof typeof UNITS;
  /** What stands before the bar; the phase where it is left out. */
  readonly label?: string;
  readonly done: number;
  readonly total: number;
}

/** A bar with rate and time left for each phase of a job; draws only where people watch. */
export class ProgressBar {
  readonly #bar: SingleBar | undefined;
  #phase: BarStep['phase'] | undefined;
  #doneBefore = 0;
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

  readonly show = ({ phase, label = phase, done, total }: BarStep): void => {
    if (this.#bar === undefined) return;
    if (phase !== this.#phase) {
      this.stop();
      this.#phase = phase;
      this.#startedAt = performance.now();
      this.#doneBefore = phase === 'batch' ? done : 0;
      this.#bar.start(total, this.#doneBefore, { phase: label, unit: UNITS[phase], rate: '…' });
    }
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = seconds > 0 ? formatCount(Math.round((done - this.#doneBefore) / seconds)) : '…';
    this.#bar.setTotal(total);
    this.#bar.update(done, { rate, phase: label });
  };

  /** Takes the bar off the screen. */
  stop(): void {
    this.#bar?.stop();
    this.#phase = undefined;
  }
}
