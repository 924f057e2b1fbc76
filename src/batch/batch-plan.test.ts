import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateBlock } from '../block/generate-block.js';
import { loadGame } from '../definitions/load-game.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';
import { planBatch, type BatchPlan } from './batch-plan.js';
import { sumTotals } from './batch-totals.js';
import { expectedBytes } from './expected-bytes.js';
import type { Jobs } from './job.js';
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

describe('the shares of a batch', () => {
  /** Two entries of so many blocks. */
  const { emission, jobs } = loadJobs(FIXTURE);
  const jobsOf = (first: number, second: number): Jobs => {
    const counts = [first, second];
    return { emission, jobs: jobs.map((job, at) => ({ ...job, last: counts[at] ?? 1 })) };
  };
  const size = fc.integer({ min: 1, max: 10 });

  test('are a partition of its blocks, each in the order of the plan, however many there are', () => {
    fc.assert(
      fc.property(size, size, fc.integer({ min: 1, max: 22 }), (first, second, count) => {
        const all = jobsOf(first, second);
        const whole = planBatch(all);
        const shares = Array.from({ length: count }, (_, at) => {
          const shard = { index: at + 1, count };
          const share = planBatch(all, shard);
          expect(share.shard).toEqual(shard);
          const places = share.blocks.map(({ path }) => pathsOf(whole).indexOf(path));
          expect(places.filter((place) => place % count !== at)).toEqual([]);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          return share;
        });
        expect(shares.flatMap(pathsOf).sort()).toEqual(pathsOf(whole).toSorted());
        expect(sumTotals(shares.map(({ totals }) => totals))).toEqual(whole.totals);
        const bytes = shares.reduce((sum, { expectedBytes: share }) => sum + share, 0);
        expect(bytes).toBe(whole.expectedBytes);
      }),
      { numRuns: 40 },
    );
  });

  test('may be empty', () => {
    const {
      blocks,
      totals,
      expectedBytes: bytes,
    } = planBatch(jobsOf(1, 1), { index: 3, count: 3 });
    expect([blocks, totals.tickets, bytes]).toEqual([[], 0, 0]);
  });

  test.each([
    [0, 4],
    [5, 4],
    [1.5, 4],
    [1, 0],
    [Number.NaN, 4],
    [1, Infinity],
  ])('%d of %d is refused', (index, count) => {
    expect(() => planBatch(jobsOf(1, 1), { index, count })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'bad-number' }),
    );
  });
});

function pathsOf({ blocks }: BatchPlan): readonly string[] {
  return blocks.map(({ path }) => path);
}

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
