import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TicketChunk } from '../core/ticket-chunk.js';
import { manifestFile, type ManifestFile } from '../formats/manifest.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import type { LeafFeed } from '../formats/ticket-leaves.js';
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
  /** Takes every ticket into the leaves of the block's Merkle tree. */
  readonly leaves?: LeafFeed | undefined;
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
  const leaves = watch.leaves && new LeafWriter(watch.leaves, outputs, planned);
  for (const { encoder, writer } of outputs) {
    (await writer.nextBuffer()).set(encoder.header);
    writer.write(encoder.header.length);
  }
  for (let index = 0; index < drawer.chunkCount; index += 1) {
    const chunk = drawer.draw(index);
    for (const output of outputs) {
      const buffer = await output.writer.nextBuffer();
      const length = output.encoder.encode(chunk, buffer);
      leaves?.takeFrom(output, buffer.subarray(0, length));
      output.writer.write(length);
    }
    leaves?.takeAnew(chunk);
    // Signals and timers get their turn between chunks.
    await setImmediate();
    watch.signal?.throwIfAborted();
    watch.onTickets?.(chunk.outcomes.length);
  }
}

/** Leaves are made of NDJSON: of what is written, or where that is another format, of what is encoded for them. */
class LeafWriter {
  readonly #leaves: LeafFeed;
  readonly #source: Output | undefined;
  readonly #encoder: RecordEncoder;
  readonly #buffer: Uint8Array;

  constructor(leaves: LeafFeed, outputs: readonly Output[], planned: PlannedBlock) {
    this.#leaves = leaves;
    this.#source = outputs.find(({ form }) => form.format === 'ndjson');
    this.#encoder = makeEncoder('ndjson', planned);
    const size = this.#source === undefined ? this.#encoder.bufferBytes : 0;
    this.#buffer = new Uint8Array(size);
  }

  takeFrom(output: Output, records: Uint8Array): void {
    if (output === this.#source) this.#leaves.push(records);
  }

  takeAnew(chunk: TicketChunk): void {
    if (this.#source !== undefined) return;
    this.#leaves.push(this.#buffer.subarray(0, this.#encoder.encode(chunk, this.#buffer)));
  }
}
