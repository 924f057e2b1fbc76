import { generateBlock } from '../block/generate-block.js';
import { printable } from '../core/errors.js';
import type { GenerateJob } from './generate-job.js';
import { runJob } from './job.js';
import { reportText } from './report-text.js';
import type { Terminal } from './terminal.js';

/** Makes a block in the output folder and shows its report. */
export async function generateFolder(job: GenerateJob, terminal: Terminal): Promise<void> {
  const { out: outputFolder, format: formats, force = false, json = false, quiet } = job.flags;
  const done = await runJob(terminal, { json, reportTo: 'stdout' }, (watch) =>
    generateBlock(job.request, { outputFolder, formats, force, ...watch }),
  );
  if (done === undefined) return;
  const { folder, kept, report } = done.result;
  if (json) terminal.write(`${JSON.stringify({ folder, kept, report })}\n`);
  else if (quiet !== true) terminal.write(reportText(report));
  const what = kept ? 'was there already: verified and kept' : 'was generated and verified';
  terminal.note(`${printable(folder)} ${what} in ${done.seconds} s`);
}
