import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { InputError } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { drawTicket, drawTickets } from './draw-ticket.js';
import { generateBlock } from './generate-block.js';
import { planBlock, type BlockRequest } from './plan-block.js';

function miniRequest(name: string): BlockRequest {
  const path = fileURLToPath(new URL(`../../fixtures/definitions/${name}.json`, import.meta.url));
  const game = loadDefinitionFile(path);
  const seed = Buffer.from('one ticket');
  return { game, stakeCents: 100, seed, engine: 'chacha20', emission: 1, block: 1 };
}

describe.each(['eldorado-mini', 'lagon-mini'])('a ticket of %s made alone', (name) => {
  test('is the record that stands in the block, and so are several in any order', async () => {
    const outputFolder = mkdtempSync(join(tmpdir(), 'draw-ticket-'));
    try {
      const request = miniRequest(name);
      const { folder } = await generateBlock(request, { outputFolder, formats: ['ndjson'] });
      const lines = readFileSync(join(folder, 'tickets.ndjson'), 'utf8').trimEnd().split('\n');
      const planned = await planBlock(request);
      // Both sides of the border between two chunks, the ends of the block, and some in between.
      for (const number of [1, 2, 777, 4095, 4096, 4097, lines.length - 1, lines.length]) {
        expect(JSON.stringify(drawTicket(planned, number))).toBe(lines[number - 1]);
      }
      const numbers = [4097, 1, 4096, 8000, 1, 4098, 2];
      const together = drawTickets(planned, numbers).map((record) => JSON.stringify(record));
      expect(together).toEqual(numbers.map((number) => lines[number - 1]));
    } finally {
      rmSync(outputFolder, { recursive: true });
    }
  });
});

test.each([0, -1, 9001, 1.5, NaN])('ticket %p does not exist and is refused', async (number) => {
  const planned = await planBlock(miniRequest('eldorado-mini'));
  expect(() => drawTicket(planned, number)).toThrow(InputError);
  expect(() => drawTickets(planned, [1, number])).toThrow(InputError);
  expect(() => drawTicket(planned, number)).toThrow('choose one from 1 to 9,000');
});
