import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { InputError, printable } from '../core/errors.js';
import { parseStrictJson } from '../core/strict-json.js';
import { RecordCopier } from '../formats/record-copier.js';
import { HEADERS } from '../formats/ticket-formats.js';
import { VERIFY_HINT, type BlockFile } from '../verify/block-file.js';
import type { BlockEntry, LoadWatch } from './sales-database.js';

/** What a database holds of a block that it has already. */
export interface StoredContent {
  readonly name: string;
  /** The text of its manifest. */
  readonly manifest: string;
  readonly csvSha256: string;
}

/**
 * Hands over the tickets of a block as the bytes of `tickets.csv` without its header, whichever file
 * they are read from.
 *
 * @param write - Waited for after each piece; it holds whole records.
 * @returns SHA-256 of the bytes with the header, in lower-case hex: that of `tickets.csv`.
 * @throws what {@link BlockFile.everyTicket} throws: what was written until then must not stay.
 */
export async function writeBlockCsv(
  block: BlockFile,
  write: (bytes: Uint8Array, tickets: number) => Promise<void> | void,
  { onTickets, signal }: LoadWatch = {},
): Promise<string> {
  const copier = new RecordCopier('csv', block.game.grid);
  const hash = createHash('sha256').update(HEADERS.csv);
  let tickets = 0;
  await block.everyTicket({
    signal,
    onTicket(ticket) {
      copier.add(ticket);
      tickets += 1;
    },
    async onPiece() {
      const bytes = copier.take();
      const count = tickets;
      tickets = 0;
      if (count === 0) return;
      hash.update(bytes);
      await write(bytes, count);
      onTickets?.(count);
    },
  });
  return hash.digest('hex');
}

/**
 * Makes sure that what a database has under a block's identity is this block. How its files were
 * written and compressed, and by which version of the program, makes no difference.
 *
 * @throws InputError `target-exists` where it is another; `not-a-block`; MachineError.
 */
export async function checkSameBlock(
  block: BlockFile,
  stored: StoredContent,
  label: string,
  watch: LoadWatch,
): Promise<void> {
  const csvSha256 = await writeBlockCsv(block, () => undefined, watch);
  const manifest = parseStrictJson(Buffer.from(stored.manifest), { place: 'the stored manifest' });
  const isSame =
    stored.name === block.name &&
    stored.csvSha256 === csvSha256 &&
    isDeepStrictEqual(contentOf(manifest), contentOf(block.manifest.parsed));
  if (isSame) return;
  const message = `${label} has another block ${printable(block.name)}; nothing was loaded: find out which of the two is the published one`;
  throw new InputError('target-exists', message);
}

/** What a database enters of a block. */
export function blockEntry(
  { name, game, stake, manifest }: BlockFile,
  csvSha256: string,
): BlockEntry {
  const { bytes, claims } = manifest;
  return {
    name,
    game: game.id,
    stake_cents: stake.stakeCents,
    emission: claims.emission,
    block: claims.block,
    tickets: game.blockSize,
    csv_sha256: csvSha256,
    manifest_sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** A block that a database does not have. */
export function noSuchBlock(label: string, name: string): InputError {
  const message = `${label} has no block ${printable(name)}; gen-block status lists its blocks`;
  return new InputError('not-found', message);
}

/** A schema that this program is too old or too new for; `undefined` where it is the one. */
export function otherSchema(
  label: string,
  version: number,
  latest: number,
): InputError | undefined {
  if (version === latest) return undefined;
  const has = `${label} has schema version ${version}, made by`;
  if (version > latest) {
    const message = `${has} a later version of this program, which knows ${latest}; update gen-block`;
    return new InputError('newer-schema', message);
  }
  const message = `${has} an earlier version of this program, which has ${latest}; gen-block load brings it up to date`;
  return new InputError('older-schema', message);
}

/** Where the count of a database and a block's manifest differ. */
export interface CountDifference {
  /** What was counted, after a number. */
  readonly what: string;
  readonly expected: number | string | null;
  readonly found: number | string | null;
}

/** A block of which a database counts other tickets than its manifest says. */
export function miscounted(name: string, difference: CountDifference): InputError {
  const { what, expected, found } = difference;
  const message = `${name} was not loaded: the database expected ${String(expected)} ${what} and found ${String(found)}; ${VERIFY_HINT}`;
  return new InputError('not-a-block', printable(message, 500));
}

/** A manifest without what may differ between two copies of a block. */
function contentOf(manifest: unknown): ReadonlyMap<string, unknown> {
  const content = new Map(Object.entries(manifest as object));
  content.delete('files');
  content.delete('tool_version');
  return content;
}
