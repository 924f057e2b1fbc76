import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { TICKET_FORMATS, type TicketFormat } from '../formats/ticket-formats.js';
import { textOf, ticketsBytes, validBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import type { Watch } from './read-tickets-file.js';
import type { VerifyReport } from './report.js';
import { verifyTicketsFile } from './verify-file.js';

const makeFolder = folderMaker();

let blocks: Readonly<Record<'eldorado' | 'lagon' | 'small', BlockCopy>>;

beforeAll(async () => {
  blocks = {
    eldorado: await validBlock('eldorado-mini', { stakeCents: 50 }),
    lagon: await validBlock('lagon-mini'),
    small: await validBlock('collect-bare'),
  };
});

/** Writes a bare file of any name and verifies it. */
async function verifyBytes(
  { game, stake }: BlockCopy,
  format: TicketFormat,
  bytes: Uint8Array | string,
  watch?: Watch,
): Promise<VerifyReport> {
  const path = join(makeFolder(), 'block-7.txt');
  writeFileSync(path, bytes, typeof bytes === 'string' ? 'latin1' : undefined);
  return verifyTicketsFile(path, { game, stake, format }, watch);
}

describe.each(TICKET_FORMATS)('a bare %s file', (format) => {
  test.each(['eldorado', 'lagon'] as const)('of a valid block of %s conforms', async (name) => {
    const block = blocks[name];
    const bytes = ticketsBytes(block, format);
    const report = await verifyBytes(block, format, bytes);
    const { game, stake, manifest } = block;
    expect(report).toMatchObject({
      conforms: true,
      facts: {
        gameId: game.id,
        definitionSha256: game.definitionSha256,
        stakeCents: stake.stakeCents,
      },
      tickets: game.blockSize,
      salesCents: game.blockSize * stake.stakeCents,
      files: [manifest.files.find((file) => file.format === format)],
      findingCounts: [],
      findings: [],
    });
    expect(report.tiers.map(({ foundCount }) => foundCount)).toEqual(
      stake.tiers.map(({ count }) => count),
    );
    expect(Object.keys(report.facts ?? {})).not.toContain('emission');
  });

  test('says what nobody could check without a manifest and a seed', async () => {
    const report = await verifyBytes(blocks.lagon, format, ticketsBytes(blocks.lagon, format));
    expect(report.checked).toEqual([
      'every ticket against the rules',
      "all counts against the definition's tables",
    ]);
    expect(report.notChecked).toEqual([
      expect.stringContaining('there is no manifest'),
      expect.stringContaining('only `verify` with the seed can tell'),
    ]);
  });

  test('cut short has its tickets missing, and its totals wrong', async () => {
    const bytes = ticketsBytes(blocks.lagon, format).subarray(0, 20_000);
    const report = await verifyBytes(blocks.lagon, format, bytes);
    expect(report.conforms).toBe(false);
    expect(report.findingCounts.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['final-newline', 'ticket-missing', 'ticket-count', 'tier-count']),
    );
    for (const { place } of report.findings) expect(place.file).toBe('block-7.txt');
  });

  test('of another stake has every prize wrong', async () => {
    const { game } = blocks.eldorado;
    const stake = game.stakes[2]!;
    const report = await verifyBytes(
      { ...blocks.eldorado, stake },
      format,
      ticketsBytes(blocks.eldorado, format),
    );
    expect(report.findingCounts).toEqual([{ code: 'prize', count: 1515 }]);
  });

  test('of the other format is read to its end', async () => {
    const other = format === 'csv' ? 'ndjson' : 'csv';
    const report = await verifyBytes(blocks.small, format, ticketsBytes(blocks.small, other));
    expect(report.conforms).toBe(false);
    expect(report.tickets).toBe(0);
    expect(report.findingCounts).toContainEqual({
      code: 'record-syntax',
      count: format === 'csv' ? 599 : 601,
    });
  });

  test('is watched to its last byte', async () => {
    const bytes = ticketsBytes(blocks.lagon, format);
    let seen = 0;
    await verifyBytes(blocks.lagon, format, bytes, { onBytes: (count) => (seen += count) });
    expect(seen).toBe(bytes.length);
  });

  test('is left at once when that is asked for', async () => {
    const reason = new Error('stopped from outside');
    const bytes = ticketsBytes(blocks.lagon, format);
    const verified = verifyBytes(blocks.lagon, format, bytes, {
      signal: AbortSignal.abort(reason),
    });
    await expect(verified).rejects.toBe(reason);
  });
});

describe('a path of no tickets file', () => {
  async function codeOf(path: string): Promise<unknown> {
    const { game, stake } = blocks.lagon;
    return verifyTicketsFile(path, { game, stake, format: 'csv' }).catch((error: unknown) => error);
  }

  test('that leads nowhere is refused', async () => {
    const path = join(makeFolder(), 'tickets.csv');
    expect(await codeOf(path)).toMatchObject({
      name: 'InputError',
      code: 'not-found',
      message: `there is no file ${path}; check the path`,
    });
  });

  test('that goes through a file is refused', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    expect(await codeOf(join(file, 'tickets.csv'))).toMatchObject({
      name: 'InputError',
      code: 'not-found',
    });
  });

  test('that is a folder or a symbolic link is refused, even if a right file is behind it', async () => {
    const folder = makeFolder();
    const link = join(folder, 'link.csv');
    mkdirSync(join(folder, 'folder.csv'));
    writeFileSync(join(folder, 'tickets.csv'), textOf(ticketsBytes(blocks.lagon, 'csv')));
    symlinkSync('tickets.csv', link);
    for (const path of [link, join(folder, 'folder.csv')]) {
      expect(await codeOf(path)).toMatchObject({
        name: 'InputError',
        code: 'not-found',
        message: `${path} is not a regular file; name the file itself`,
      });
    }
  });

  test('that is a device is refused, and not read without end', async () => {
    expect(await codeOf('/dev/zero')).toMatchObject({ name: 'InputError', code: 'not-found' });
  });

  test('that is too long for the machine is the fault of the machine', async () => {
    expect(await codeOf(join(makeFolder(), 'x'.repeat(300)))).toMatchObject({
      name: 'MachineError',
      code: 'ENAMETOOLONG',
    });
  });
});
