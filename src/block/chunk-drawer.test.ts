import { describe, expect, test } from '@jest/globals';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import { randomStream } from '../engine/random-stream.js';
import { streamKey } from '../engine/stream-key.js';
import { makeSynthesizer } from '../engine/synthesizers.js';
import { readRows } from '../testing/row-reading.js';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { ChunkDrawer } from './chunk-drawer.js';
import { planBlock, type BlockRequest, type PlannedBlock } from './plan-block.js';

function plan(change: Partial<BlockRequest> & Pick<BlockRequest, 'game'>): Promise<PlannedBlock> {
  return planBlock({
    stakeCents: 100,
    seed: Buffer.from('a seed for tests'),
    engine: 'seedrandom',
    emission: 1,
    block: 1,
    ...change,
  });
}

/** A chunk's rows as one text, up to the last row that its tickets have. */
function textOf({ plan: { outcomes }, game }: PlannedBlock, chunk: TicketChunk): string {
  const grids = chunk.outcomes.reduce((sum, index) => sum + outcomes[index]!.gridCount, 0);
  return readRows(chunk.rows, grids * game.grid.rows).join('/');
}

/** The texts of some chunks, drawn in this order by one drawer; by their indexes. */
function drawIn(planned: PlannedBlock, order: readonly number[]): readonly string[] {
  const drawer = new ChunkDrawer(planned);
  const texts: string[] = [];
  for (const index of order) texts[index] = textOf(planned, drawer.draw(index));
  return texts;
}

const BLOCKS = [
  await plan({ game: sampleRowsGame('eldorado-mini') }),
  await plan({ game: sampleCollectGame('lagon-mini') }),
];

describe.each(BLOCKS)('the chunks of $game.id', (planned) => {
  const { game } = planned;

  test('are as many as its tickets need, the last one shorter than the others', () => {
    const drawer = new ChunkDrawer(planned);
    const sizes = Array.from(
      { length: drawer.chunkCount },
      (_, index) => drawer.draw(index).outcomes.length,
    );
    const whole = Math.floor(game.blockSize / CHUNK_TICKETS);
    const rest = game.blockSize % CHUNK_TICKETS;
    expect(rest).toBeGreaterThan(0);
    expect(sizes).toEqual([...new Array<number>(whole).fill(CHUNK_TICKETS), rest]);
  });

  test('hold the tickets of the block in order', () => {
    const drawer = new ChunkDrawer(planned);
    const outcomes: number[] = [];
    for (let index = 0; index < drawer.chunkCount; index += 1) {
      const chunk = drawer.draw(index);
      expect(chunk.firstTicket).toBe(outcomes.length + 1);
      outcomes.push(...chunk.outcomes);
    }
    expect(outcomes).toEqual([...planned.order]);
  });

  test('are the same alone, in any order and after any others', () => {
    const last = new ChunkDrawer(planned).chunkCount - 1;
    const indexes = Array.from({ length: last + 1 }, (_, index) => index);
    const inOrder = drawIn(planned, indexes);
    expect(new Set(inOrder).size).toBe(last + 1);
    expect([1, 2]).toContain(last);
    expect(drawIn(planned, indexes.toReversed())).toEqual(inOrder);
    expect(drawIn(planned, [1, 1, last, 0, last])).toEqual(inOrder);
    expect(drawIn(planned, [1])[1]).toBe(inOrder[1]);
  });

  test('are each drawn out of a stream of its own', () => {
    const { identity, seedKey, stake, order, plan: outcomePlan } = planned;
    const synthesizer = makeSynthesizer({ game, stake, outcomes: outcomePlan.outcomes });
    const expected = [0, 1].map((index) => {
      const rows = new Float64Array(CHUNK_TICKETS * 12);
      const key = streamKey(seedKey, identity, 'grids', index);
      const outcomes = order.slice(index * CHUNK_TICKETS, (index + 1) * CHUNK_TICKETS);
      const count = synthesizer.draw(outcomes, randomStream(identity.engine, key), rows);
      return readRows(rows, count).join('/');
    });
    expect(drawIn(planned, [0, 1])).toEqual(expected);
  });

  test.each<[string, Partial<BlockRequest>]>([
    ['seed', { seed: Buffer.from('another') }],
    ['engine', { engine: 'chacha20' }],
    ['block', { block: 2 }],
    ['emission', { emission: 2 }],
    ['stake', { stakeCents: 200 }],
  ])('have other symbols with another %s, even for the same outcomes', async (_, change) => {
    const other = await plan({ game, ...change });
    // The same order, so that only the streams of the symbols differ.
    const sameOrder = { ...other, order: planned.order };
    expect(drawIn(sameOrder, [0])[0]).not.toBe(drawIn(planned, [0])[0]);
  });
});

test('a block smaller than a chunk is one short chunk', async () => {
  const planned = await plan({ game: sampleRowsGame('rows-plain') });
  const drawer = new ChunkDrawer(planned);
  expect(drawer.chunkCount).toBe(1);
  expect(drawer.draw(0)).toMatchObject({ firstTicket: 1, outcomes: planned.order });
  expect(textOf(planned, drawer.draw(0)).split('/')).toHaveLength(1000 * 2);
});

test('a block of exactly so many whole chunks has no empty one', async () => {
  const { game } = await plan({ game: sampleRowsGame('rows-plain') });
  const planned = await plan({ game: { ...game, blockSize: 2 * CHUNK_TICKETS } });
  const drawer = new ChunkDrawer(planned);
  expect(drawer.chunkCount).toBe(2);
  expect(drawer.draw(1)).toMatchObject({ firstTicket: CHUNK_TICKETS + 1 });
  expect(drawer.draw(1).outcomes).toHaveLength(CHUNK_TICKETS);
});
