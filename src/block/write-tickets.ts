import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { manifestFile, type ManifestFile } from '../formats/manifest.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import { ticketsFileName, type TicketsFileForm } from '../formats/ticket-formats.js';
import { ChunkDrawer } from './chunk-drawer.js';
import { makeEncoder } from './make-encoder.js';
import type { PlannedBlock } from './plan-block.js';
import { TicketsFileWriter } from './tickets-file-writer.js';

/** How writing is watched and stopped from outside. */
export interface WriteWatch {
  /** Called with the tickets done since the last call. */
  readonly onTickets?: ((tickets: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A tickets file in the making. */
interface Output {
  readonly form: TicketsFileForm;
  readonly encoder: RecordEncoder;
  readonly writer: TicketsFileWriter;
}

/**
 * Draws all tickets of a block and writes them to new files in a folder, in every form at once.
 *
 * @returns The manifest's entry of each file, which is on the disk by then.
 * @throws MachineError where the disk does not take them; what was written is left to the caller.
 */
export async function writeTickets(
  folder: string,
  planned: PlannedBlock,
  forms: readonly TicketsFileForm[],
  watch: WriteWatch = {},
): Promise<readonly ManifestFile[]> {
  const outputs: Output[] = [];
  try {
    for (const form of forms) {
      const encoder = makeEncoder(form.format, planned);
      const { bufferBytes } = encoder;
      const path = join(folder, ticketsFileName(form));
      const options = { bufferBytes, compression: form.compression };
      const writer = await TicketsFileWriter.create(path, options);
      outputs.push({ form, encoder, writer });
    }
    await writeChunks(outputs, planned, watch);
    const files: ManifestFile[] = [];
    for (const { form, writer } of outputs) {
      const { bytes, sha256 } = await writer.finish();
      files.push(manifestFile(form, { bytes, records: planned.order.length, sha256 }));
    }
    return files;
  } catch (error) {
    for (const { writer } of outputs) await writer.close().catch(() => undefined);
    throw error;
  }
}

async function writeChunks(
  outputs: readonly Output[],
  planned: PlannedBlock,
  watch: WriteWatch,
): Promise<void> {
  const drawer = new ChunkDrawer(planned);
  for (const { encoder, writer } of outputs) {
    (await writer.nextBuffer()).set(encoder.header);
    writer.write(encoder.header.length);
  }
  for (let index = 0; index < drawer.chunkCount; index += 1) {
    const chunk = drawer.draw(index);
    for (const { encoder, writer } of outputs) {
      writer.write(encoder.encode(chunk, await writer.nextBuffer()));
    }
    // Signals and timers get their turn between chunks.
    await setImmediate();
    watch.signal?.throwIfAborted();
    watch.onTickets?.(chunk.outcomes.length);
  }
}
