import { ConformanceError } from '../block/generate-block.js';
import { EXIT } from './exit-code.js';
import { reportText } from './report-text.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, type Terminal } from './terminal.js';

/** What a job is watched and stopped by. */
export interface JobWatch {
  readonly onProgress: ProgressBar['show'];
  readonly signal: AbortSignal;
}

/**
 * Runs a long job under a progress bar; the first signal ends it in good order. A block that does not
 * conform is reported, and the exit code says so.
 *
 * @returns What the job returns and the seconds that it took; `undefined` where it did not conform.
 */
export async function runJob<T>(
  terminal: Terminal,
  options: {
    readonly json?: boolean | undefined;
    readonly reportTo: 'stdout' | 'stderr' | 'counts';
    /** What it means that a signal stops the job. */
    readonly ifStopped: string;
  },
  work: (watch: JobWatch) => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: string } | undefined> {
  const startedAt = performance.now();
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals(options.ifStopped);
  try {
    const result = await work({ onProgress: bar.show, signal: signals.signal });
    return { result, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) };
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    bar.stop();
    terminal.error(error.message);
    const { report } = error;
    process.exitCode = EXIT.nonconforming;
    if (options.reportTo === 'counts') {
      for (const { code, count } of report.findingCounts) terminal.error(`  ${count} x ${code}`);
      return undefined;
    }
    const text = options.json === true ? `${JSON.stringify({ report })}\n` : reportText(report);
    if (options.reportTo === 'stdout') terminal.write(text);
    else terminal.error(text.trimEnd());
    return undefined;
  } finally {
    bar.stop();
    signals.stop();
  }
}
