import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ManifestFile } from '../formats/manifest.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import { ticketsFileName, type TicketFormat } from '../formats/ticket-formats.js';
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
  readonly format: TicketFormat;
  readonly encoder: RecordEncoder;
  readonly writer: TicketsFileWriter;
}

/**
 * Draws all tickets of a block and writes them to new files in a folder, in every format at once.
 *
 * @returns The manifest's entry of each file, which is on the disk by then.
 * @throws MachineError where the disk does not take them; what was written is left to the caller.
 */
export async function writeTickets(
  folder: string,
  planned: PlannedBlock,
  formats: readonly TicketFormat[],
  watch: WriteWatch = {},
): Promise<readonly ManifestFile[]> {
  const outputs: Output[] = [];
  try {
    for (const format of formats) {
      const encoder = makeEncoder(format, planned);
      const path = join(folder, ticketsFileName(format));
      const writer = await TicketsFileWriter.create(path, encoder.bufferBytes);
      outputs.push({ format, encoder, writer });
    }
    await writeChunks(outputs, planned, watch);
    const files: ManifestFile[] = [];
    for (const { format, writer } of outputs) {
      const { bytes, sha256 } = await writer.finish();
      const records = planned.order.length;
      files.push({ name: ticketsFileName(format), format, bytes, records, sha256 });
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
