import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOfEntry } from '../block/block-folder.js';
import { generateBlock } from '../block/generate-block.js';
import { InputError, printable } from '../core/errors.js';
import { blockName } from '../formats/manifest.js';
import type { GenerateJob } from './generate-job.js';
import { runJob } from './job.js';
import { reportText } from './report-text.js';
import { SignalError } from './signals.js';
import type { Terminal } from './terminal.js';

/** Makes a block in the output folder and shows its report. */
export async function generateFolder(job: GenerateJob, terminal: Terminal): Promise<void> {
  const { out: outputFolder, format: formats, compress: compression, encryptTo, quiet } = job.flags;
  const { force = false, json = false, threads, commitTickets } = job.flags;
  const done = await runJob(
    terminal,
    { json, reportTo: 'stdout', ifStopped: 'nothing of the block was kept' },
    (watch) => {
      const time = new Date();
      const { identities, signWith, policy } = job;
      const forms = { formats, compression, encryptTo, commitTickets };
      const how = { ...forms, identities, signWith, policy, force, threads, time };
      return generateBlock(job.request, { outputFolder, ...how, ...watch });
    },
  ).catch(async (error: unknown) => {
    await withdrawFreshSeed(job, terminal, error);
    throw error;
  });
  if (done === undefined) return;
  const { folder, kept, report } = done.result;
  if (json) terminal.write(`${JSON.stringify({ folder, kept, report })}\n`);
  else if (quiet !== true) terminal.write(reportText(report));
  const what = kept ? 'was there already: verified and kept' : 'was generated and verified';
  terminal.note(`${printable(folder)} ${what} in ${done.seconds} s`);
}

/** A fresh seed that no block was made from would only be in the way of the next run. */
async function withdrawFreshSeed(
  { flags, request, freshSeedPath }: GenerateJob,
  terminal: Terminal,
  error: unknown,
): Promise<void> {
  if (freshSeedPath === undefined) return;
  const { game, stakeCents, emission, block } = request;
  const folder = join(flags.out, blockName({ gameId: game.id, stakeCents, emission, block }));
  // A machine that failed may have done so after the block had its name.
  const isSureOfNoBlock = error instanceof SignalError || error instanceof InputError;
  if (!isSureOfNoBlock && (await kindOfEntry(folder)) !== 'nothing') return;
  const isRemoved = await rm(freshSeedPath).then(
    () => true,
    () => false,
  );
  if (isRemoved) terminal.note(`${printable(freshSeedPath)} was removed again`);
}
