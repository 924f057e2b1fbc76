import { streamBlock } from '../block/stream-block.js';
import { writeNewFile } from '../block/new-file.js';
import { MachineError, systemErrorCode } from '../core/errors.js';
import { encodeManifest } from '../formats/manifest.js';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import type { GenerateJob } from './generate-job.js';
import { runJob } from './job.js';
import { reportText } from './report-text.js';
import type { Terminal } from './terminal.js';

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
  const done = await runJob(
    terminal,
    { reportTo: 'stderr', ifStopped: 'what was read is not a block' },
    (watch) => {
      const form = { format, compression, encryptTo };
      return streamBlock(job.request, { ...form, write: writeToStdout, ...watch });
    },
  );
  if (done === undefined) return;
  const { manifest, report } = done.result;
  if (path !== undefined) await writeNewFile(path, encodeManifest(manifest));
  if (quiet !== true) process.stderr.write(reportText(report));
  terminal.note(`the block was streamed and verified in ${done.seconds} s`);
}

/** Resolves when standard output has taken the bytes. */
async function writeToStdout(bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(outputError(error));
    });
  });
}

function outputError(error: Error): MachineError {
  const code = systemErrorCode(error) ?? 'EIO';
  const what =
    code === 'EPIPE'
      ? 'whoever reads it stopped before the end'
      : `the operating system said ${code}`;
  const message = `cannot write to standard output: ${what}; what was read is not a block, start again`;
  return new MachineError(message, { code, cause: error });
}
