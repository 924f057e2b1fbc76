import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TicketChunk } from '../core/ticket-chunk.js';
import { manifestFile, type ManifestFile } from '../formats/manifest.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import type { LeafFeed } from '../formats/ticket-leaves.js';
import { ticketsFileName, type TicketsFileForm } from '../formats/ticket-formats.js';
import { FindingLog } from '../verify/finding.js';
import type { JudgedFile } from '../verify/judge-files.js';
import { TicketsVerifier } from '../verify/tickets-verifier.js';
import { AgeEncrypter } from './age-encrypter.js';
import { ChunkDrawer } from './chunk-drawer.js';
import { makeEncoder } from './make-encoder.js';
import type { PlannedBlock } from './plan-block.js';
import { TicketsFileWriter } from './tickets-file-writer.js';

/** Who can decrypt what is written, and how writing is watched and stopped from outside. */
export interface WriteOptions {
  /** Needed where the form of the files is encrypted. */
  readonly encryptTo?: readonly string[] | undefined;
  /** Called with the tickets done since the last call. */
  readonly onTickets?: ((tickets: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes every ticket into the leaves of the block's Merkle tree. */
  readonly leaves?: LeafFeed | undefined;
}

/** A tickets file that is on the disk. */
export interface WrittenFile {
  /** Its entry in the manifest. */
  readonly file: ManifestFile;
  /** Not there where the file is not encrypted. */
  readonly encrypted?: EncryptedContent;
}

/** What only its writer can tell of an encrypted file. */
interface EncryptedContent {
  /** What came of judging the tickets before they were encrypted. */
  readonly judged: JudgedFile;
  /** The hash of the encrypted bytes. */
  readonly storedSha256: string;
}

/** A tickets file in the making. */
interface Output {
  readonly form: TicketsFileForm;
  readonly encoder: RecordEncoder;
  readonly writer: TicketsFileWriter;
  /** Judges what is encrypted, which nobody here can read again. */
  readonly judge?: { readonly verifier: TicketsVerifier; readonly log: FindingLog };
}

/**
 * Draws all tickets of a block and writes them to new files in a folder, in every form at once. What is
 * encrypted is judged on its way, and never stands on the disk otherwise.
 *
 * @returns The files, which are on the disk by then.
 * @throws MachineError where the disk does not take them; what was written is left to the caller.
 */
export async function writeTickets(
  folder: string,
  planned: PlannedBlock,
  forms: readonly TicketsFileForm[],
  options: WriteOptions = {},
): Promise<readonly WrittenFile[]> {
  const outputs: Output[] = [];
  try {
    for (const form of forms) {
      outputs.push(await openOutput(folder, planned, { ...form, ...options }));
    }
    await writeChunks(outputs, planned, options);
    const files: WrittenFile[] = [];
    for (const output of outputs) files.push(await finishOutput(output, planned));
    return files;
  } catch (error) {
    for (const { writer } of outputs) await writer.close().catch(() => undefined);
    throw error;
  }
}

async function openOutput(
  folder: string,
  planned: PlannedBlock,
  { encryptTo = [], ...form }: TicketsFileForm & Pick<WriteOptions, 'encryptTo'>,
): Promise<Output> {
  const { format, compression, encryption } = form;
  const encoder = makeEncoder(format, planned);
  const { bufferBytes } = encoder;
  const name = ticketsFileName(form);
  const path = join(folder, name);
  if (encryption === undefined) {
    const writer = await TicketsFileWriter.create(path, { bufferBytes, compression });
    return { form, encoder, writer };
  }
  const { game, stake } = planned;
  const log = new FindingLog();
  const verifier = new TicketsVerifier({ game, stake, format, file: name, log });
  const encrypter = await AgeEncrypter.create(encryptTo);
  const onPiece = verifier.push.bind(verifier);
  const options = { bufferBytes, compression, encrypter, onPiece };
  const writer = await TicketsFileWriter.create(path, options);
  return { form, encoder, writer, judge: { verifier, log } };
}

async function finishOutput(
  { form, writer, judge }: Output,
  planned: PlannedBlock,
): Promise<WrittenFile> {
  const { bytes, sha256, storedSha256 = '' } = await writer.finish();
  const file = manifestFile(form, { bytes, records: planned.order.length, sha256 });
  if (judge === undefined) return { file };
  const count = { ...(await judge.verifier.end()), sha256 };
  return { file, encrypted: { judged: { count, log: judge.log }, storedSha256 } };
}

async function writeChunks(
  outputs: readonly Output[],
  planned: PlannedBlock,
  watch: WriteOptions,
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
