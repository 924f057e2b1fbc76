import { createHash, type Hash } from 'node:crypto';
import { printable } from '../core/errors.js';
import type { Game } from '../definitions/game.js';
import { blockName, type ManifestFile } from '../formats/manifest.js';
import { RecordCopier } from '../formats/record-copier.js';
import { RecordError, RecordFeed } from '../formats/record-feed.js';
import { ticketsFileName } from '../formats/ticket-formats.js';
import { FindingLog } from '../verify/finding.js';
import {
  checkDefinitionHash,
  judgeBlock,
  subjectOf,
  type BlockSubject,
} from '../verify/judge-block.js';
import type { JudgedFile } from '../verify/judge-files.js';
import { parseManifest, type ManifestContent } from '../verify/read-manifest.js';
import type { FileCount, Watch } from '../verify/read-tickets-file.js';
import { unreadableReport, type VerifyReport } from '../verify/report.js';
import { TicketsVerifier } from '../verify/tickets-verifier.js';
import type { BlockEntry, SalesDatabase, StoredBlock } from './sales-database.js';

/**
 * How a block in a database is verified.
 *
 * @group Sales databases
 */
export interface VerifyStoredOptions extends Watch {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
}

/** What the rows are read as. */
const CSV_FILE = ticketsFileName({ format: 'csv' });

/**
 * Verifies a block in a database as it would be in a folder: its manifest, every ticket, the counts,
 * and, made again out of the rows, the bytes of its files. Its sales must fit together, too.
 *
 * @param name - What the block is called, such as `eldorado-100-e1-b1`.
 * @param database - What {@link openDatabase} returns.
 * @returns What was counted, all findings, and what was and was not checked.
 * @throws InputError `not-found`, `definition-needed`; MachineError.
 * @group Sales databases
 */
export async function verifyStoredBlock(
  name: string,
  database: SalesDatabase,
  options: VerifyStoredOptions = {},
): Promise<VerifyReport> {
  const stored = await database.open(name);
  const log = new FindingLog();
  const manifest = parseManifest(stored.manifest, log);
  if (manifest === undefined) return unreadableReport(log);
  const subject = subjectOf(manifest, options.game, log);
  if (subject === undefined) return unreadableReport(log);
  checkDefinitionHash(manifest, subject.game, log);
  const judged = await judgeRows(stored, { ...subject, files: manifest.claims.files }, options);
  const saleFaults = await stored.saleFaults();
  const rowFaults = entryFaults(stored.entry, manifest, { subject, csvSha256: judged.csvSha256 });
  return judgeBlock({
    ...subject,
    manifest,
    judged: judged.files,
    log,
    container: 'database',
    checkBeside() {
      for (const { column, expected, found } of rowFaults) {
        const place = { file: name, pointer: `/${column}` };
        log.add({ code: 'database-entry', place, expected, found });
      }
      for (const found of saleFaults) {
        const expected = 'sales that fit the tickets and the state of the block';
        log.add({ code: 'sales', place: { file: name }, expected, found });
      }
      const checked = ["the block's row against its manifest", 'the sales of the block'];
      return { checked, notChecked: [] };
    },
  });
}

/** Judges the rows once, as `tickets.csv`, and hashes the bytes of each file that was made of them. */
async function judgeRows(
  stored: StoredBlock,
  { files, ...subject }: BlockSubject & { readonly files: readonly ManifestFile[] },
  { onBytes, signal }: Watch,
): Promise<{ readonly files: readonly JudgedFile[]; readonly csvSha256: string }> {
  const log = new FindingLog();
  const verifier = new TicketsVerifier({ ...subject, format: 'csv', file: CSV_FILE, log });
  const hash = createHash('sha256');
  const ndjson = files.some(({ format }) => format === 'ndjson')
    ? new NdjsonBytes(subject.game)
    : undefined;
  for await (const bytes of stored.csv()) {
    signal?.throwIfAborted();
    hash.update(bytes);
    await verifier.push(bytes);
    ndjson?.push(bytes);
    onBytes?.(bytes.length);
  }
  const csv: FileCount = { ...(await verifier.end()), sha256: hash.digest('hex') };
  const copy = ndjson?.end();
  const judged = files.map(({ format }, index) => ({
    count: format === 'csv' ? csv : copy && { ...csv, ...copy },
    // The rows are judged once, whatever files there are.
    log: index === 0 ? log : new FindingLog(),
  }));
  return { files: judged, csvSha256: csv.sha256 };
}

/** A column of a block's row that does not agree with its manifest or its tickets. */
interface EntryFault {
  readonly column: string;
  readonly expected: string;
  readonly found: string;
}

/** Tickets are sold by what a block's row says it is: it must be what the manifest says. */
function entryFaults(
  entry: BlockEntry,
  { claims, bytes }: ManifestContent,
  { subject, csvSha256 }: { readonly subject: BlockSubject; readonly csvSha256: string },
): readonly EntryFault[] {
  const { game, stake } = subject;
  const { emission, block } = claims;
  const expected: BlockEntry = {
    name: blockName({ gameId: game.id, stakeCents: stake.stakeCents, emission, block }),
    game: game.id,
    stake_cents: stake.stakeCents,
    emission,
    block,
    tickets: game.blockSize,
    csv_sha256: csvSha256,
    manifest_sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  return Object.entries(expected).flatMap(([column, right]) => {
    const found: unknown = entry[column as keyof BlockEntry];
    if (found === right) return [];
    return [{ column, expected: String(right), found: printable(String(found)) }];
  });
}

/** The bytes of `tickets.ndjson`, made out of those of `tickets.csv`: how many, and their hash. */
class NdjsonBytes {
  readonly #hash: Hash = createHash('sha256');
  readonly #copier: RecordCopier;
  readonly #feed: RecordFeed;
  #bytes = 0;
  #isRight = true;

  constructor({ grid }: Game) {
    const copier = new RecordCopier('ndjson', grid);
    this.#copier = copier;
    this.#feed = new RecordFeed({
      format: 'csv',
      grid,
      onTicket: (ticket) => {
        copier.add(ticket);
      },
    });
  }

  push(bytes: Uint8Array): void {
    this.#take(() => {
      this.#feed.push(bytes);
    });
  }

  /** `undefined` where a row is not right: what is wrong with it, its judgement has said. */
  end(): Pick<ManifestFile, 'bytes' | 'sha256'> | undefined {
    this.#take(() => {
      this.#feed.end();
    });
    return this.#isRight ? { bytes: this.#bytes, sha256: this.#hash.digest('hex') } : undefined;
  }

  #take(step: () => void): void {
    if (!this.#isRight) return;
    try {
      step();
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.#isRight = false;
      return;
    }
    const made = this.#copier.take();
    this.#bytes += made.length;
    this.#hash.update(made);
  }
}
