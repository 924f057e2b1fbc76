import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { checkRecipients } from '../formats/age-header.js';
import { encodeManifest, manifestFile, type Manifest } from '../formats/manifest.js';
import {
  ticketsFileName,
  type Compression,
  type TicketFormat,
  type TicketsFileForm,
} from '../formats/ticket-formats.js';
import { FindingLog } from '../verify/finding.js';
import { checkManifest } from '../verify/manifest-findings.js';
import { reconcile } from '../verify/reconcile.js';
import { makeReport, type VerifyReport } from '../verify/report.js';
import { TicketsVerifier, type TicketsCount } from '../verify/tickets-verifier.js';
import { AgeEncrypter } from './age-encrypter.js';
import { ChunkDrawer } from './chunk-drawer.js';
import { checkForms } from './check-request.js';
import { ConformanceError, type Progress } from './generate-block.js';
import { GzipCompressor } from './gzip-compressor.js';
import { makeEncoder } from './make-encoder.js';
import { manifestOf, planBlock, type BlockRequest, type PlannedBlock } from './plan-block.js';

/**
 * Where a block is streamed to, and how that is watched.
 *
 * @group Making blocks
 */
export interface StreamOptions {
  /** How a ticket is written. */
  readonly format: TicketFormat;
  /** Compresses the tickets file on its way out. */
  readonly compression?: Compression | undefined;
  /** Encrypts it to these age recipients, once it is compressed. */
  readonly encryptTo?: readonly string[] | undefined;
  /** Takes the next bytes of the tickets file; they may change once the promise is settled. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Called whenever some thousand tickets more are drawn, or some bytes more are verified. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops the stream, which ends with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A block that has gone out whole, and conforms.
 *
 * @group Making blocks
 */
export interface StreamedBlock {
  /** What would stand in `manifest.json`. */
  readonly manifest: Manifest;
  /** What its verification counted and found. */
  readonly report: VerifyReport;
}

/** What a stream cannot promise. */
const NOT_CHECKED = ['that the bytes arrived where they were sent: nothing was read back'];

/**
 * Makes a block and hands its tickets file out piece by piece, without touching the disk. Every piece
 * is verified before it goes out, and the whole at the end.
 *
 * @param request - All that decides the bytes.
 * @param options - Its form, and `write`, which is waited for: nothing is made ahead of it.
 * @returns The manifest, which is written nowhere, and the report.
 * @throws {@link ConformanceError} where the block does not conform, and whatever `write` throws. What
 * has gone out by then is not a block.
 * @group Making blocks
 */
export async function streamBlock(
  request: BlockRequest,
  options: StreamOptions,
): Promise<StreamedBlock> {
  const { format, compression, encryptTo } = options;
  checkForms([format], compression);
  if (encryptTo !== undefined) await checkRecipients(encryptTo);
  const planned = await planBlock(request, options.signal);
  const encryption = encryptTo === undefined ? undefined : 'age';
  const encrypter = encryptTo === undefined ? undefined : await AgeEncrypter.create(encryptTo);
  const compressor = compression === undefined ? undefined : new GzipCompressor();
  const send = async (bytes: Uint8Array): Promise<void> =>
    writeAny(options, encrypter?.encrypt(bytes) ?? bytes);
  try {
    const form = { format, compression, encryption } as const;
    const judged = await streamPlanned(planned, form, async (bytes, done) => {
      options.signal?.throwIfAborted();
      await send((await compressor?.compress(bytes)) ?? bytes);
      options.onProgress?.({ phase: 'drawing', done, total: planned.order.length });
    });
    // The end of such a stream goes out only where all that stands before it is right.
    if (compressor !== undefined) await send(await compressor.finish());
    if (encrypter !== undefined) await writeAny(options, encrypter.finish());
    return judged;
  } finally {
    compressor?.destroy();
  }
}

/** Not all that goes into a compressor or an encrypter lets something come out of it. */
async function writeAny({ write }: StreamOptions, bytes: Uint8Array): Promise<void> {
  if (bytes.length > 0) await write(bytes);
}

async function streamPlanned(
  planned: PlannedBlock,
  form: TicketsFileForm,
  take: (bytes: Uint8Array, done: number) => Promise<void>,
): Promise<StreamedBlock> {
  const { game, stake } = planned;
  const { format } = form;
  const log = new FindingLog();
  const hash = createHash('sha256');
  const verifier = new TicketsVerifier({ game, stake, format, file: ticketsFileName(form), log });
  for await (const { bytes, done } of pieces(format, planned)) {
    hash.update(bytes);
    await verifier.push(bytes);
    if (log.total > 0) break;
    await take(bytes, done);
  }
  const count = await verifier.end();
  return judgeStream({ planned, form, count, sha256: hash.digest('hex'), log });
}

/** The tickets file in pieces, each with the number of tickets done. */
async function* pieces(
  format: TicketFormat,
  planned: PlannedBlock,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly done: number }> {
  const encoder = makeEncoder(format, planned);
  const drawer = new ChunkDrawer(planned);
  const buffer = new Uint8Array(encoder.bufferBytes);
  if (encoder.header.length > 0) yield { bytes: encoder.header, done: 0 };
  for (let index = 0; index < drawer.chunkCount; index += 1) {
    const chunk = drawer.draw(index);
    const bytes = buffer.subarray(0, encoder.encode(chunk, buffer));
    yield { bytes, done: chunk.firstTicket - 1 + chunk.outcomes.length };
    await setImmediate();
  }
}

function judgeStream(stream: {
  readonly planned: PlannedBlock;
  readonly form: TicketsFileForm;
  readonly count: TicketsCount;
  readonly sha256: string;
  readonly log: FindingLog;
}): StreamedBlock {
  const { planned, form, count, sha256, log } = stream;
  const { game, stake, identity } = planned;
  const { bytes, records, tallies } = count;
  const files = [manifestFile(form, { bytes, records, sha256 })];
  const manifest = manifestOf(planned, files);
  reconcile({ game, stake, file: ticketsFileName(form), records, tallies, log });
  const text = encodeManifest(manifest);
  checkManifest({
    game,
    stake,
    claims: manifest,
    parsed: manifest,
    bytes: text,
    tallies,
    files,
    log,
  });
  const report = makeReport({
    game,
    stake,
    facts: { ...identity, seedCommitment: manifest.seed_commitment },
    tallies,
    files,
    log,
    checked: ['every ticket against the rules', "all counts against the definition's tables"],
    notChecked: NOT_CHECKED,
  });
  if (report.conforms) return { manifest, report };
  const message = `the block ${planned.name} did not pass its own verification; what was written is not a block`;
  throw new ConformanceError(message, report);
}
