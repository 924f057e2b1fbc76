import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseString } from 'fast-csv';
import { generateBlock } from '../block/generate-block.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';
import { openBlockTickets } from './block-tickets.js';
import { dialectOf, type DialectId } from './export-dialects.js';
import { exportTickets } from './export-tickets.js';

const makeFolder = folderMaker();

/** The rows of a text, as a foreign reader sees them. */
async function parse(text: string, delimiter: string): Promise<string[][]> {
  const rows: string[][] = [];
  return new Promise((resolve, reject) => {
    parseString<string[], string[]>(text, { delimiter })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });
}

describe.each(['rows-plain', 'collect-bare'] as const)('the tickets of %s', (name) => {
  let folder: string;
  let records: readonly TicketRecord[];

  beforeAll(async () => {
    const request = sampleRequest(name);
    ({ folder } = await generateBlock(request, { outputFolder: makeFolder() }));
    records = readFileSync(join(folder, 'tickets.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TicketRecord);
  });

  async function exported(dialect: DialectId): Promise<{ text: string; pieces: number }> {
    const source = await openBlockTickets(folder, sampleRequest(name).game);
    const pieces: string[] = [];
    const count = await exportTickets(source, dialectOf(dialect), (text) => {
      pieces.push(text);
      return Promise.resolve();
    });
    expect(count).toBe(records.length);
    return { text: pieces.join(''), pieces: pieces.length };
  }

  test('are written for Excel in French: byte order mark, semicolons, CRLF, decimal commas', async () => {
    const { text, pieces } = await exported('excel-fr');
    expect(pieces).toBeGreaterThan(0);
    expect(text.codePointAt(0)).toBe(0xfeff);
    expect(text.lastIndexOf('\u{feff}')).toBe(0);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const [header, ...rows] = await parse(text.slice(1), ';');
    expect(header).toEqual(['ticket', 'lot_eur', 'combinaison', 'grilles']);
    expect(rows).toEqual(
      records.map(({ ticket, prize_cents, combination, grids }) => [
        String(ticket),
        `${Math.floor(prize_cents / 100)},${String(prize_cents % 100).padStart(2, '0')}`,
        combination,
        grids.map((grid) => grid.join('/')).join('|'),
      ]),
    );
  });

  test('are written in one row for each row of a grid', async () => {
    const { text } = await exported('long');
    expect(text).not.toMatch(/[\r\u{feff}]/u);
    const [header, ...rows] = await parse(text, ',');
    expect(header).toEqual(['ticket', 'prize_cents', 'combination', 'grid', 'row', 'symbols']);
    const expected = records.flatMap(({ ticket, prize_cents, combination, grids }) =>
      grids.flatMap((grid, index) =>
        grid.map((symbols, row) => [
          ...[ticket, prize_cents].map(String),
          combination,
          ...[index + 1, row + 1].map(String),
          symbols,
        ]),
      ),
    );
    expect(rows).toEqual(expected);
  });
});
