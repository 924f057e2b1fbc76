import { streamBlock } from '../block/stream-block.js';
import { writeNewFile } from '../block/new-file.js';
import { encodeManifest } from '../formats/manifest.js';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import type { GenerateJob } from './generate-job.js';
import { runJob } from './job.js';
import { reportText } from './report-text.js';
import type { Terminal } from './terminal.js';
import { writeToStdout } from './write-to-stdout.js';

/** Streams a block's tickets to standard output; the manifest is written once all of it is out. */
export async function streamToStdout(job: GenerateJob, terminal: Terminal): Promise<void> {
  const {
    format: [format = TICKET_FORMATS[0]],
    compress: compression,
    encryptTo,
    manifest: path,
    quiet,
  } = job.flags;
  if (format === undefined) return;
  const write = async (bytes: Uint8Array): Promise<void> =>
    writeToStdout(bytes, 'what was read is not a block');
  const done = await runJob(
    terminal,
    { reportTo: 'stderr', ifStopped: 'what was read is not a block' },
    (watch) => streamBlock(job.request, { format, compression, encryptTo, write, ...watch }),
  );
  if (done === undefined) return;
  const { manifest, report } = done.result;
  if (path !== undefined) await writeNewFile(path, encodeManifest(manifest));
  if (quiet !== true) process.stderr.write(reportText(report));
  terminal.note(`the block was streamed and verified in ${done.seconds} s`);
}
