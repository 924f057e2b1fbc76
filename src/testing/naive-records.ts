import type { TicketFormat } from '../formats/ticket-formats.js';

/** What a record says. */
export interface NaiveTicket {
  ticket: number;
  prize_cents: number;
  combination: string;
  grids: string[][];
}

/** The first line of a file, where its format has one. */
export const NAIVE_HEADERS: Readonly<Record<TicketFormat, string>> = {
  ndjson: '',
  csv: 'ticket,prize_cents,combination,grids\n',
};

/** A record as a line without its LF, in the plainest way there is. */
export function writeNaively(record: NaiveTicket, format: TicketFormat): string {
  const { ticket, prize_cents, combination, grids } = record;
  if (format === 'ndjson') return JSON.stringify({ ticket, prize_cents, combination, grids });
  const cells = grids.map((rows) => rows.join('/')).join('|');
  return [ticket, prize_cents, combination, cells].join();
}

/** A line that is exactly what {@link writeNaively} writes for its ticket. */
export function readNaively(line: string, format: TicketFormat): NaiveTicket | undefined {
  const record = format === 'ndjson' ? fromJson(line) : fromCsv(line);
  if (record === undefined || writeNaively(record, format) !== line) return undefined;
  const hasNumbers = [record.ticket, record.prize_cents].every(Number.isSafeInteger);
  return hasNumbers && Math.min(record.ticket, record.prize_cents) >= 0 ? record : undefined;
}

function fromJson(line: string): NaiveTicket | undefined {
  try {
    const { ticket, prize_cents, combination, grids } = JSON.parse(line) as NaiveTicket;
    const areGrids = grids.every((grid) => grid.every((row) => typeof row === 'string'));
    if (!areGrids || typeof combination !== 'string') return undefined;
    return { ticket, prize_cents, combination, grids };
  } catch {
    return undefined;
  }
}

function fromCsv(line: string): NaiveTicket | undefined {
  const [ticket = '', prize = '', combination = '', cells, ...others] = line.split(',');
  if (cells === undefined || others.length > 0) return undefined;
  const grids = cells.split('|').map((rows) => rows.split('/'));
  return { ticket: Number(ticket), prize_cents: Number(prize), combination, grids };
}
