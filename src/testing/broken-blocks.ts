import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ChunkDrawer } from '../block/chunk-drawer.js';
import { manifestOf, planBlock, type PlannedBlock } from '../block/plan-block.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import { csvEncoder } from '../formats/csv-encoder.js';
import {
  blockName,
  manifestFile,
  type Manifest,
  type ManifestFile,
  type ManifestOutcome,
} from '../formats/manifest.js';
import { ndjsonEncoder } from '../formats/ndjson-encoder.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import { TICKET_FORMATS, ticketsFileName, type TicketFormat } from '../formats/ticket-formats.js';
import type { SampleName } from './sample-definitions.js';
import { definitionPath } from './sample-requests.js';

/** One ticket as a line of `tickets.ndjson` has it. */
export interface Ticket {
  readonly ticket: number;
  readonly prize_cents: number;
  readonly combination: string;
  readonly grids: readonly (readonly string[])[];
}

/** A block in memory, right or broken. */
export interface BlockCopy {
  readonly game: Game;
  readonly stake: Stake;
  readonly manifest: Manifest;
  /** The files of the folder by their names; the manifest is made when the block is written. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A valid block of a sample game at the stake of one euro, with both formats. */
export async function validBlock(
  name: SampleName,
  { seed = 'a seed', stakeCents = 100 } = {},
): Promise<BlockCopy> {
  const game = loadDefinitionFile(definitionPath(name));
  const planned = await planBlock({
    game,
    stakeCents,
    seed: Buffer.from(seed),
    engine: 'seedrandom',
    emission: 1,
    block: 1,
  });
  const { outcomes } = planned.plan;
  const encoders = {
    ndjson: ndjsonEncoder(game.grid, outcomes),
    csv: csvEncoder(game.grid, outcomes),
  };
  const files = new Map<string, Uint8Array>();
  const claims = TICKET_FORMATS.map((format): ManifestFile => {
    const name = ticketsFileName({ format });
    files.set(name, encodeBlock(planned, encoders[format]));
    return { name, format, bytes: 0, records: game.blockSize, sha256: '' };
  });
  const manifest = manifestOf(planned, claims);
  return withRightFileClaims({ game, stake: planned.stake, manifest, files });
}

function encodeBlock(planned: PlannedBlock, encoder: RecordEncoder): Uint8Array {
  const drawer = new ChunkDrawer(planned);
  const buffer = new Uint8Array(encoder.bufferBytes);
  const pieces = [encoder.header];
  for (let index = 0; index < drawer.chunkCount; index += 1) {
    pieces.push(buffer.slice(0, encoder.encode(drawer.draw(index), buffer)));
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The block with its tickets files compressed; what the manifest says of their content stays. */
export function withCompression(block: BlockCopy): BlockCopy {
  const compressed = [...block.files].map(
    ([name, bytes]) => [`${name}.gz`, gzipSync(bytes)] as const,
  );
  const files = block.manifest.files.map((file) =>
    manifestFile({ format: file.format, compression: 'gzip' }, file),
  );
  return { ...withClaims(block, { files }), files: new Map(compressed) };
}

/** Bytes as text, one character for each byte. */
export function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('latin1');
}

/** The bytes of one of the block's tickets files. */
export function ticketsBytes({ files }: BlockCopy, format: TicketFormat): Uint8Array {
  return files.get(`tickets.${format}`) ?? new Uint8Array();
}

/** All tickets of a block, out of its NDJSON. */
export function ticketsOf(block: BlockCopy): readonly Ticket[] {
  const lines = textOf(ticketsBytes(block, 'ndjson')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Ticket);
}

/** Tickets as the text of a file; written without the encoders that are to be tested. */
export function encodeTickets(tickets: readonly Ticket[], format: TicketFormat): string {
  const lines = tickets.map(({ ticket, prize_cents, combination, grids }) =>
    format === 'ndjson'
      ? JSON.stringify({ ticket, prize_cents, combination, grids })
      : [ticket, prize_cents, combination, grids.map((rows) => rows.join('/')).join('|')].join(),
  );
  const header = format === 'csv' ? ['ticket,prize_cents,combination,grids'] : [];
  return [...header, ...lines, ''].join('\n');
}

/** The block with other tickets in all its files, and a manifest that claims what they amount to. */
export function withTickets(block: BlockCopy, tickets: readonly Ticket[]): BlockCopy {
  const files = new Map(block.files);
  for (const format of ['ndjson', 'csv'] as const) {
    files.set(`tickets.${format}`, Buffer.from(encodeTickets(tickets, format)));
  }
  const outcomes = claimedOutcomes(block, tickets);
  return withRightFileClaims({ ...block, files, manifest: { ...block.manifest, outcomes } });
}

/** The block with its tickets in another order, numbered anew: as right a block as the first one. */
export function withOrder(block: BlockCopy, tickets: readonly Ticket[]): BlockCopy {
  const numbered = tickets.map((ticket, index) => ({ ...ticket, ticket: index + 1 }));
  return withTickets(block, numbered);
}

/** The block with one ticket exchanged, as {@link withTickets} does it. */
export function withTicket(block: BlockCopy, number: number, change: Partial<Ticket>): BlockCopy {
  const tickets = ticketsOf(block).map((ticket) =>
    ticket.ticket === number ? { ...ticket, ...change } : ticket,
  );
  return withTickets(block, tickets);
}

/** The block with other bytes in one of its files, and a manifest that states their hash. */
export function withFile(block: BlockCopy, name: string, content: Uint8Array | string): BlockCopy {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return withRightFileClaims({ ...block, files: new Map([...block.files, [name, bytes]]) });
}

/** The block with only one of its formats. */
export function withOnly(block: BlockCopy, format: 'ndjson' | 'csv'): BlockCopy {
  const files = block.manifest.files.filter((file) => file.format === format);
  const names = files.map(({ name }) => name);
  return {
    ...withClaims(block, { files }),
    files: new Map([...block.files].filter(([name]) => names.includes(name))),
  };
}

/** The block with other claims in its manifest. */
export function withClaims(block: BlockCopy, claims: Partial<Manifest>): BlockCopy {
  return { ...block, manifest: { ...block.manifest, ...claims } };
}

/** The manifest made to state size and hash of the files as they are; records as it had them. */
function withRightFileClaims(block: BlockCopy): BlockCopy {
  const files = block.manifest.files.map((file) => {
    const bytes = block.files.get(file.name) ?? new Uint8Array();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...file, bytes: bytes.length, sha256 };
  });
  return withClaims(block, { files });
}

/** How often each outcome of the law is stated by the tickets, as the manifest lists it. */
function claimedOutcomes(
  { game, stake }: BlockCopy,
  tickets: readonly Ticket[],
): readonly ManifestOutcome[] {
  const firstChoice = game.symbols[0]?.code ?? '';
  const featureOf = ({ grids }: Ticket): number =>
    game.mechanic === 'rows' ? grids.length - 1 : lettersIn(grids[0] ?? [], firstChoice);
  const counts = new Map<string, number>();
  for (const ticket of tickets) {
    const key = [ticket.prize_cents, ticket.combination, featureOf(ticket)].join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return planOutcomes(game, stake)
    .outcomes.map(({ prizeCents, combination, feature }): ManifestOutcome => {
      const count = counts.get([prizeCents, combination, feature].join()) ?? 0;
      const named = game.mechanic === 'rows' ? { extra_stages: feature } : { chosen: feature };
      return { prize_cents: prizeCents, combination, ...named, count };
    })
    .filter(({ count }) => count > 0);
}

/** How often a letter stands in a grid. */
export function lettersIn(rows: readonly string[], letter: string): number {
  return rows.join('').split(letter).length - 1;
}

/** The text of a block's manifest. */
export function manifestText(manifest: object): string {
  return `${JSON.stringify(manifest)}\n`;
}

/** The name that a block's folder must have. */
function folderName({ manifest }: BlockCopy): string {
  const { game: gameId, stake_cents: stakeCents, emission, block } = manifest;
  return blockName({ gameId, stakeCents, emission, block });
}

/** Writes a block into a folder of its right name, or of another. Returns that folder. */
export function writeBlock(
  block: BlockCopy,
  parentFolder: string,
  name = folderName(block),
): string {
  const folder = join(parentFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of block.files) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'manifest.json'), manifestText(block.manifest));
  return folder;
}
