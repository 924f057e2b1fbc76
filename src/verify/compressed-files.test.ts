import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { TICKET_FORMATS, type TicketFormat } from '../formats/ticket-formats.js';
import {
  ticketsBytes,
  validBlock,
  withCompression,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import type { VerifyReport } from './report.js';
import { SizeLimit } from './size-limit.js';
import { verifyBlock } from './verify-block.js';
import { verifyTicketsFile } from './verify-file.js';

const makeFolder = folderMaker();

let blocks: Readonly<Record<'eldorado' | 'lagon', BlockCopy>>;

beforeAll(async () => {
  blocks = { eldorado: await validBlock('eldorado-mini'), lagon: await validBlock('collect-bare') };
});

/** Verifies bytes as a compressed file that stands alone. */
async function verifyAlone(
  { game, stake }: BlockCopy,
  format: TicketFormat,
  bytes: Uint8Array,
): Promise<VerifyReport> {
  const path = join(makeFolder(), `sold.${format}.gz`);
  writeFileSync(path, bytes);
  return verifyTicketsFile(path, { game, stake, format, compression: 'gzip' });
}

describe.each(['eldorado', 'lagon'] as const)('a compressed file of %s', (name) => {
  test.each(TICKET_FORMATS)('is judged by its content (%s)', async (format) => {
    const block = blocks[name];
    const right = ticketsBytes(block, format);
    const [file] = withCompression(block).manifest.files.filter((item) => item.format === format);
    expect(await verifyAlone(block, format, gzipSync(right))).toMatchObject({
      conforms: true,
      tickets: block.game.blockSize,
      files: [file],
    });
    // What is wrong is told as in a plain file: line and byte are those of the content.
    const wrong = Buffer.from(right);
    const at = wrong.indexOf(10, 3000) - (format === 'csv' ? 1 : 5);
    wrong[at] = 0x5a;
    const path = join(makeFolder(), `sold.${format}.gz`);
    writeFileSync(path, wrong);
    const { game, stake } = block;
    const plain = await verifyTicketsFile(path, { game, stake, format });
    const compressed = await verifyAlone(block, format, gzipSync(wrong));
    expect(plain.findings.map(({ code }) => code)).toContain('symbol');
    expect(compressed.findings).toEqual(plain.findings);
    expect(compressed.findingCounts).toEqual(plain.findingCounts);
  });

  test('is watched to its last byte, and can be left', async () => {
    const block = blocks[name];
    const folder = writeBlock(withCompression(block), makeFolder());
    let seen = 0;
    const { game } = block;
    await verifyBlock(folder, { game, onBytes: (count) => (seen += count) });
    expect(seen).toBe(block.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
    const reason = new Error('stopped from outside');
    const verified = verifyBlock(folder, { game, signal: AbortSignal.abort(reason) });
    await expect(verified).rejects.toBe(reason);
  });
});

describe('damage of a compressed file', () => {
  /** Whole, and damaged in each way. */
  function damages(whole: Buffer): Readonly<Record<string, Uint8Array>> {
    const flipped = (at: number): Uint8Array => {
      const bytes = Uint8Array.from(whole);
      bytes[at]! ^= 0x10;
      return bytes;
    };
    return {
      'nothing in it': new Uint8Array(0),
      'no gzip': Buffer.from('ticket,prize_cents,combination,grids\n'),
      'half of it': whole.subarray(0, whole.length / 2),
      'its last byte missing': whole.subarray(0, -1),
      'a bit flipped in its middle': flipped(whole.length >> 1),
      'a bit flipped in its checksum': flipped(whole.length - 8),
      'a bit flipped in its length': flipped(whole.length - 4),
      'a line behind it': Buffer.concat([whole, Buffer.from('1,0,,AAA\n')]),
      'zeros behind it': Buffer.concat([whole, new Uint8Array(1024)]),
      'a second member': Buffer.concat([whole, gzipSync('601,0,,AAA\n')]),
    };
  }

  test('is one finding, and the tickets are not judged', async () => {
    const block = blocks.lagon;
    for (const format of TICKET_FORMATS) {
      const whole = gzipSync(ticketsBytes(block, format));
      for (const [damage, bytes] of Object.entries(damages(whole))) {
        const report = await verifyAlone(block, format, bytes);
        expect([damage, report]).toMatchObject([
          damage,
          {
            conforms: false,
            tickets: 0,
            files: [],
            findingCounts: [{ code: 'file-compression', count: 1 }],
            checked: ['how the file is compressed'],
          },
        ]);
        expect(report.notChecked[0]).toBe('the tickets: the file could not be uncompressed');
      }
    }
  });

  test('in one file of a block leaves the other one to be judged', async () => {
    const block = withCompression(blocks.eldorado);
    for (const name of block.files.keys()) {
      const whole = Buffer.from(block.files.get(name) ?? []);
      for (const [damage, bytes] of Object.entries(damages(whole))) {
        const files = new Map([...block.files, [name, bytes]]);
        const folder = writeBlock({ ...block, files }, makeFolder());
        const report = await verifyBlock(folder, { game: block.game });
        expect([damage, report]).toMatchObject([
          damage,
          {
            tickets: 9000,
            findingCounts: [{ code: 'file-compression', count: 1 }],
            findings: [{ place: { file: name } }],
          },
        ]);
      }
    }
  });
});

describe('a compressed file that is far too long', () => {
  const words = {
    code: 'file-compression',
    expected: expect.stringMatching(/^at most 1,202 lines and [\d,]+ bytes, uncompressed$/),
    found: 'more than that',
  };

  test.each<[string, () => Uint8Array]>([
    ['one line without an end', () => new Uint8Array(150_000_000).fill(0x41)],
    ['lines without an end', () => new Uint8Array(50_000_000).fill(10)],
    ['records without an end', () => Buffer.alloc(100_000_000, '1,0,,AAAAAA/BBBBBB/CCCCCC\n')],
  ])('is left early: %s', async (_, make) => {
    const bomb = gzipSync(make(), { level: 1 });
    const report = await verifyAlone(blocks.lagon, 'csv', bomb);
    // Where all of it were read, every line would be explained, too, which would take some minutes.
    expect(report.findings).toMatchObject([words]);
  });

  test('is only that where no block can be so long', async () => {
    const block = blocks.lagon;
    const right = ticketsBytes(block, 'csv');
    const twice = await verifyAlone(block, 'csv', gzipSync(Buffer.concat([right, right])));
    expect(twice.findingCounts).toContainEqual({ code: 'ticket-repeated', count: 600 });
    const thrice = Buffer.concat([right, right, right]);
    const report = await verifyAlone(block, 'csv', gzipSync(thrice));
    expect(report.findings).toMatchObject([words]);
  });

  test.each(['eldorado', 'lagon'] as const)('is never a right one of %s', (name) => {
    const { game, stake } = blocks[name];
    for (const format of TICKET_FORMATS) {
      const bytes = ticketsBytes(blocks[name], format);
      const limit = new SizeLimit({ game, stake, format });
      expect(limit.admits(bytes)).toBe(true);
      expect(limit.words).toMatch(/^at most [\d,]+ lines and [\d,]+ bytes, uncompressed$/);
      const longest = Math.max(
        ...Buffer.from(bytes)
          .toString()
          .split('\n')
          .map((line) => line.length),
      );
      const filler = new Uint8Array(longest * game.blockSize - bytes.length);
      expect(limit.admits(filler)).toBe(true);
    }
  });
});
