import { writeToString } from 'fast-csv';
import type { BlockTickets } from './block-tickets.js';
import type { Dialect } from './export-dialects.js';

/**
 * Writes the tickets of a block in a dialect, piece by piece; no more than a piece is held.
 *
 * @param write - Takes the next text.
 * @returns How many tickets were written.
 * @throws what reading the block throws: what was written until then is not to be used.
 */
export async function exportTickets(
  source: BlockTickets,
  dialect: Dialect,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const { writeBOM = false, ...options } = dialect.options;
  let rows = [dialect.header];
  let isFirst = true;
  let tickets = 0;
  await source.everyRecord(
    (record) => {
      rows.push(...dialect.rowsOf(record));
      tickets += 1;
    },
    async () => {
      const text = await writeToString(rows as string[][], {
        ...options,
        writeBOM: writeBOM && isFirst,
        includeEndRowDelimiter: true,
      });
      rows = [];
      isFirst = false;
      if (text !== '') await write(text);
    },
  );
  return tickets;
}
