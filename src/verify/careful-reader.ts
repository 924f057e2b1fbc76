import { parseString } from 'fast-csv';
import { printable } from '../core/errors.js';
import { parseStrictJson } from '../core/strict-json.js';
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
  /** `undefined` where the line could not be understood at all. */
  readonly record: LooseRecord | undefined;
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
  return { faults: [...faults, ...reading.faults], record: reading.record };
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
  if (typeFaults.length > 0) return { faults: [...keyFaults, ...typeFaults], record: undefined };
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
  const isRows = (rows: unknown): boolean =>
    Array.isArray(rows) && rows.every((row) => typeof row === 'string');
  const checks: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
    ['ticket', 'an integer', Number.isSafeInteger],
    ['prize_cents', 'an integer', Number.isSafeInteger],
    ['combination', 'a string', (value) => typeof value === 'string'],
    [
      'grids',
      'an array of arrays of strings',
      (value) => Array.isArray(value) && value.every(isRows),
    ],
  ];
  return checks.flatMap(([key, expected, isRight]) => {
    const value = fields.get(key);
    if (isRight(value)) return [];
    return [
      fault(
        'record-type',
        `${key}: ${expected}`,
        value === undefined ? 'nothing' : JSON.stringify(value),
      ),
    ];
  });
}

/** What reads as the right values but is not written as the format says. */
function jsonByteFaults(text: string, record: LooseRecord): readonly RecordFault[] {
  const { ticket, prizeCents: prize_cents, combination, grids } = record;
  const right = JSON.stringify({ ticket, prize_cents, combination, grids });
  if (text === right) return [];
  try {
    parseStrictJson(text, { place: 'record' });
  } catch (error) {
    const found = error instanceof Error ? error.message : text;
    return [fault(found.includes('twice') ? 'record-keys' : 'record-bytes', right, found)];
  }
  return [fault('record-bytes', right, text)];
}

async function readCsvRecord(text: string): Promise<CarefulReading> {
  const columns = await csvColumns(text);
  if (columns?.length !== KEYS.length) {
    const found = columns === undefined ? text : `${columns.length} columns: ${text}`;
    return { faults: [fault('record-syntax', 'four columns', found)], record: undefined };
  }
  const [ticket = '', prize = '', combination = '', grids = ''] = columns;
  const faults = [...numberFaults('ticket', ticket), ...numberFaults('prize_cents', prize)];
  if (faults.length > 0) return { faults, record: undefined };
  const record: LooseRecord = {
    ticket: Number(ticket),
    prizeCents: Number(prize),
    combination,
    grids: grids.split('|').map((rows) => rows.split('/')),
  };
  const right = columns.join(',');
  return { faults: text === right ? [] : [fault('record-bytes', right, text)], record };
}

function numberFaults(key: string, text: string): readonly RecordFault[] {
  const isRight = /^(?:0|[1-9]\d{0,14})$/.test(text);
  return isRight ? [] : [fault('record-type', `${key}: a whole number`, text)];
}

/** The columns of a CSV line; `undefined` where it is no CSV. */
async function csvColumns(text: string): Promise<readonly string[] | undefined> {
  if (!text.includes('"')) return text.split(',');
  return new Promise((resolve) => {
    let columns: readonly string[] | undefined;
    parseString<string[], string[]>(text, { headers: false, strictColumnHandling: true })
      .on('error', () => resolve(undefined))
      .on('data', (row: string[]) => (columns = row))
      .on('end', () => resolve(columns));
  });
}
