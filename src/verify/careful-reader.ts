import { InputError, printable } from '../core/errors.js';
import { parseStrictJson } from '../core/strict-json.js';
import { describeValue } from '../definitions/problem.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import type { FindingCode } from './finding.js';

/** What is wrong with the bytes of one record. */
export interface RecordFault {
  readonly code: FindingCode;
  readonly expected: string;
  readonly found: string;
}

/** A record as far as it could be understood. */
export interface LooseRecord {
  readonly ticket: number;
  readonly prizeCents: number;
  readonly combination: string;
  readonly grids: readonly (readonly string[])[];
}

/** What the careful reader makes of a line. */
export interface CarefulReading {
  readonly faults: readonly RecordFault[];
  /** `undefined` where the line could not be understood. */
  readonly record: LooseRecord | undefined;
  /** The number of its ticket, where a line that could not be understood tells at least that. */
  readonly ticket?: number;
}

const KEYS = ['ticket', 'prize_cents', 'combination', 'grids'];

/**
 * Reads a line that the fast path has refused, as tolerantly as it can, and says all that is wrong
 * with its bytes. A line without faults is right to the byte.
 *
 * @param line - The line without its LF.
 */
export async function readCarefully(
  format: TicketFormat,
  line: Uint8Array,
): Promise<CarefulReading> {
  const bare = bareLine(line);
  const faults = [...bare.faults];
  if (bare.line.length === 0) {
    faults.push({ code: 'blank-line', expected: 'a record', found: 'an empty line' });
    return { faults, record: undefined };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bare.line);
  } catch {
    faults.push({ code: 'encoding', expected: 'UTF-8', found: 'bytes that are no UTF-8' });
    return { faults, record: undefined };
  }
  const reading = format === 'ndjson' ? readJsonRecord(text) : await readCsvRecord(text);
  return { ...reading, faults: [...faults, ...reading.faults] };
}

/** A line without the byte order mark and the carriage return that must not be there. */
export function bareLine(line: Uint8Array): {
  readonly line: Uint8Array;
  readonly faults: readonly RecordFault[];
} {
  const faults: RecordFault[] = [];
  let bare = line;
  if (bare[0] === 0xef && bare[1] === 0xbb && bare[2] === 0xbf) {
    faults.push({ code: 'byte-order-mark', expected: 'no byte order mark', found: 'EF BB BF' });
    bare = bare.subarray(3);
  }
  if (bare.at(-1) === 0x0d) {
    faults.push({ code: 'line-ending', expected: 'LF', found: 'CR LF' });
    bare = bare.subarray(0, -1);
  }
  return { line: bare, faults };
}

function fault(code: FindingCode, expected: string, found: string): RecordFault {
  return { code, expected, found: printable(found, 120) };
}

/** A line that reads as the right values but is written otherwise, from where the two part. */
function bytesFault(right: string, found: string): RecordFault {
  let parting = 0;
  while (right[parting] === found[parting]) parting += 1;
  const from = Math.max(0, parting - 20);
  const excerpt = (text: string): string =>
    `${from > 0 ? '…' : ''}${printable(text.slice(from), 60)}`;
  return { code: 'record-bytes', expected: excerpt(right), found: excerpt(found) };
}

function readJsonRecord(text: string): CarefulReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { faults: [fault('record-syntax', 'one JSON object', text)], record: undefined };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [fault('record-syntax', 'a JSON object', text)], record: undefined };
  }
  const keys = Object.keys(value);
  const keyFaults =
    keys.join() === KEYS.join() ? [] : [fault('record-keys', KEYS.join(), keys.join())];
  const fields = new Map<string, unknown>(Object.entries(value));
  const typeFaults = jsonTypeFaults(fields);
  if (typeFaults.length > 0) {
    const faults = [...keyFaults, ...typeFaults];
    const ticket = fields.get('ticket');
    const isNumber = typeof ticket === 'number' && Number.isSafeInteger(ticket);
    return { faults, record: undefined, ...(isNumber ? { ticket } : {}) };
  }
  const record: LooseRecord = {
    ticket: fields.get('ticket') as number,
    prizeCents: fields.get('prize_cents') as number,
    combination: fields.get('combination') as string,
    grids: fields.get('grids') as string[][],
  };
  const faults = [...keyFaults, ...(keyFaults.length > 0 ? [] : jsonByteFaults(text, record))];
  return { faults, record };
}

function jsonTypeFaults(fields: ReadonlyMap<string, unknown>): readonly RecordFault[] {
  const faults: RecordFault[] = [];
  for (const key of ['ticket', 'prize_cents']) {
    const value = fields.get(key);
    if (Number.isSafeInteger(value)) continue;
    const found = typeof value === 'number' ? String(value) : describeValue(value);
    faults.push(fault('record-type', `${key}: an integer`, found));
  }
  const combination = fields.get('combination');
  if (typeof combination !== 'string') {
    faults.push(fault('record-type', 'combination: a string', describeValue(combination)));
  }
  const misfit = gridsMisfit(fields.get('grids'));
  if (misfit !== undefined) {
    faults.push(fault('record-type', 'grids: an array of arrays of strings', misfit));
  }
  return faults;
}

/** What keeps a value from being grids; `undefined` where nothing does. */
function gridsMisfit(grids: unknown): string | undefined {
  if (!Array.isArray(grids)) return describeValue(grids);
  for (const grid of grids as readonly unknown[]) {
    if (!Array.isArray(grid)) return `${describeValue(grid)} in the place of a grid`;
    const row = (grid as readonly unknown[]).find((candidate) => typeof candidate !== 'string');
    if (row !== undefined) return `${describeValue(row)} in the place of a row`;
  }
  return undefined;
}

/** What reads as the right values but is not written as the format says. */
function jsonByteFaults(text: string, record: LooseRecord): readonly RecordFault[] {
  const { ticket, prizeCents: prize_cents, combination, grids } = record;
  const right = JSON.stringify({ ticket, prize_cents, combination, grids });
  if (text === right) return [];
  try {
    parseStrictJson(text, { place: 'record' });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Keys are only known to be repeated by what this says: JSON.parse keeps the last of them.
    if (error.message.includes('stands here twice')) {
      return [fault('record-keys', 'each key once', error.message)];
    }
  }
  return [bytesFault(right, text)];
}

async function readCsvRecord(text: string): Promise<CarefulReading> {
  const columns = await csvColumns(text);
  if (columns?.length !== KEYS.length) {
    const found = columns === undefined ? text : `${columns.length} columns: ${text}`;
    return { faults: [fault('record-syntax', 'four columns', found)], record: undefined };
  }
  const [ticket = '', prize = '', combination = '', grids = ''] = columns;
  const ticketFaults = numberFaults('ticket', ticket);
  const faults = [...ticketFaults, ...numberFaults('prize_cents', prize)];
  if (faults.length > 0) {
    const isNumber = ticketFaults.length === 0;
    return { faults, record: undefined, ...(isNumber ? { ticket: Number(ticket) } : {}) };
  }
  const record: LooseRecord = {
    ticket: Number(ticket),
    prizeCents: Number(prize),
    combination,
    grids: grids === '' ? [] : grids.split('|').map((rows) => rows.split('/')),
  };
  const right = columns.join(',');
  return { faults: text === right ? [] : [bytesFault(right, text)], record };
}

function numberFaults(key: string, text: string): readonly RecordFault[] {
  const isRight = /^(?:0|[1-9]\d{0,14})$/.test(text);
  return isRight ? [] : [fault('record-type', `${key}: a whole number`, text)];
}

/** A column with or without quotes, within which they are doubled, and what ends it. */
const COLUMN = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** The columns of a CSV line; `undefined` where it is no CSV. */
async function csvColumns(text: string): Promise<readonly string[] | undefined> {
  const columns: string[] = [];
  COLUMN.lastIndex = 0;
  for (let match = COLUMN.exec(text); match !== null; match = COLUMN.exec(text)) {
    columns.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return columns;
  }
  // Quotes at odd places: rare, and it takes the library fifty times as long.
  const { parseString } = await import('fast-csv');
  return new Promise((resolve) => {
    let found: readonly string[] | undefined;
    parseString<string[], string[]>(text, { headers: false, strictColumnHandling: true })
      .on('error', () => resolve(undefined))
      .on('data', (row: string[]) => (found = row))
      .on('end', () => resolve(found));
  });
}
