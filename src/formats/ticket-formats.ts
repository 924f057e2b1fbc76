import type { RecordPattern } from './record-decoder.js';

/**
 * The formats in which a block's tickets are written.
 *
 * @group Making blocks
 */
export type TicketFormat = 'ndjson' | 'csv';

/**
 * All formats, in the order in which a manifest lists their files.
 *
 * @group Making blocks
 */
export const TICKET_FORMATS: readonly TicketFormat[] = ['ndjson', 'csv'];

/**
 * How a block's tickets files can be compressed.
 *
 * @group Making blocks
 */
export type Compression = 'gzip';

/**
 * All ways of compressing.
 *
 * @group Making blocks
 */
export const COMPRESSIONS: readonly Compression[] = ['gzip'];

/**
 * How a block's tickets files can be encrypted: in the age format, version 1.
 *
 * @group Making blocks
 */
export type Encryption = 'age';

const SUFFIXES: Readonly<Record<Compression, string>> = { gzip: '.gz' };
const ENCRYPTION_SUFFIXES: Readonly<Record<Encryption, string>> = { age: '.age' };

/**
 * A form in which tickets stand in a file.
 *
 * @group Making blocks
 */
export interface TicketsFileForm {
  /** How a ticket is written. */
  readonly format: TicketFormat;
  /** `undefined` where the file is not compressed. */
  readonly compression?: Compression | undefined;
  /** `undefined` where the file is not encrypted. What is compressed as well is compressed first. */
  readonly encryption?: Encryption | undefined;
}

/** Every form, each format in its order: uncompressed, then compressed; each plain, then encrypted. */
const FILE_FORMS: readonly TicketsFileForm[] = TICKET_FORMATS.flatMap((format) =>
  [{ format }, ...COMPRESSIONS.map((compression) => ({ format, compression }))].flatMap((form) => [
    form,
    { ...form, encryption: 'age' as const },
  ]),
);

/** Whether a value names a way of compressing. */
export function isCompression(value: unknown): value is Compression {
  return COMPRESSIONS.some((compression) => compression === value);
}

/** Whether a value names a way of encrypting. */
export function isEncryption(value: unknown): value is Encryption {
  return value === 'age';
}

/** The name of a block's tickets file in one form. */
export function ticketsFileName(form: TicketsFileForm): string {
  return `tickets${fileEnding(form)}`;
}

/** The names of all tickets files that a block can have. */
export const TICKETS_FILE_NAMES: readonly string[] = FILE_FORMS.map(ticketsFileName);

/** The form that the ending of a file's name tells; `undefined` where it tells none. */
export function formOfFileName(name: string): TicketsFileForm | undefined {
  return FILE_FORMS.find((form) => name.endsWith(fileEnding(form)));
}

function fileEnding({ format, compression, encryption }: TicketsFileForm): string {
  const compressed = compression === undefined ? '' : SUFFIXES[compression];
  const encrypted = encryption === undefined ? '' : ENCRYPTION_SUFFIXES[encryption];
  return `.${format}${compressed}${encrypted}`;
}

/** The first line of `tickets.csv`. */
const CSV_HEADER = 'ticket,prize_cents,combination,grids\n';

/** What a reader expects before the first record. */
export const HEADERS: Readonly<Record<TicketFormat, string>> = { ndjson: '', csv: CSV_HEADER };

/** What a reader expects between the values of a record. */
export const RECORD_PATTERNS: Readonly<Record<TicketFormat, RecordPattern>> = {
  ndjson: {
    beforeNumber: '{"ticket":',
    beforePrize: ',"prize_cents":',
    beforeCombination: ',"combination":"',
    afterCombination: '","grids":[["',
    betweenRows: '","',
    betweenGrids: '"],["',
    end: '"]]}\n',
  },
  csv: {
    beforeNumber: '',
    beforePrize: ',',
    beforeCombination: ',',
    afterCombination: ',',
    betweenRows: '/',
    betweenGrids: '|',
    end: '\n',
  },
};
