import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { loadGame } from '../definitions/load-game.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';
import { planBatch } from './batch-plan.js';
import { expectedBytes } from './expected-bytes.js';
import { loadJobs } from './load-jobs.js';

const newFolder = folderMaker();
const FIXTURE = fileURLToPath(
  new URL('../../fixtures/jobs/three-small-blocks.json', import.meta.url),
);

describe('the plan of a batch', () => {
  const plan = planBatch(loadJobs(FIXTURE));

  test('has every block in its order, each with its path', () => {
    expect(plan.blocks.map(({ path }) => path)).toEqual([
      'eldorado-mini-100-e1-b1',
      'eldorado-mini-100-e1-b2',
      'lagon/lagon-mini-50-e1-b1',
    ]);
  });

  test('adds up tickets, sales and prizes', () => {
    expect(plan.totals).toEqual({
      blocks: 3,
      tickets: 9000 + 9000 + 8000,
      salesCents: 2 * 900_000 + 400_000,
      prizesCents: plan.blocks.reduce((sum, { prizesCents }) => sum + prizesCents, 0),
    });
    expect(plan.expectedSeconds).toBe(1);
  });
});

describe('the expected bytes of a block', () => {
  test.each(['eldorado-mini', 'lagon-mini', 'rows-plain', 'collect-bare'] as const)(
    'of %s are right to a thousandth',
    async (name) => {
      const request = sampleRequest(name);
      const { folder } = await generateBlock(request, { outputFolder: newFolder() });
      const stake = request.game.stakes.find(({ stakeCents }) => stakeCents === 100)!;
      for (const format of ['ndjson', 'csv'] as const) {
        const { size } = statSync(join(folder, `tickets.${format}`));
        const ratio = expectedBytes(request.game, stake, format) / size;
        expect([format, Math.abs(ratio - 1) < 0.001, ratio]).toEqual([format, true, ratio]);
      }
    },
  );

  test('of Eldorado are those of the golden block', () => {
    const game = loadGame('eldorado');
    const stake = game.stakes[1]!;
    expect(expectedBytes(game, stake, 'ndjson') / 83_206_251).toBeCloseTo(1, 4);
    expect(expectedBytes(game, stake, 'csv') / 28_774_288).toBeCloseTo(1, 4);
  });
});
