import { describe, expect, jest, test } from '@jest/globals';
import type { TicketRecord } from '../formats/ticket-record.js';
import { ticketsOf, validBlock } from '../testing/broken-blocks.js';
import { sampleRequest } from '../testing/sample-requests.js';
import { ChunkDrawer } from './chunk-drawer.js';
import { planBlock, type PlannedBlock } from './plan-block.js';
import { streamTickets } from './stream-tickets.js';

const SEED = 'a seed';
const ROWS = await plan('eldorado-mini');
const WRITTEN = ticketsOf(await validBlock('eldorado-mini', { seed: SEED }));

async function plan(name: 'eldorado-mini' | 'lagon-mini'): Promise<PlannedBlock> {
  return planBlock(sampleRequest(name, { seed: Buffer.from(SEED) }));
}

async function allOf(tickets: AsyncIterable<TicketRecord>): Promise<readonly TicketRecord[]> {
  const records: TicketRecord[] = [];
  for await (const record of tickets) records.push(record);
  return records;
}

/** How many chunks are drawn while something runs. */
async function chunksDrawn(run: () => Promise<unknown>): Promise<number> {
  const draw = jest.spyOn(ChunkDrawer.prototype, 'draw');
  try {
    await run();
    return draw.mock.calls.length;
  } finally {
    draw.mockRestore();
  }
}

describe('the tickets of a planned block', () => {
  test.each(['eldorado-mini', 'lagon-mini'] as const)(
    'of %s are those that are written',
    async (name) => {
      const written = ticketsOf(await validBlock(name, { seed: SEED }));
      const records = await allOf(streamTickets(await plan(name)));
      expect(JSON.stringify(records)).toBe(JSON.stringify(written));
    },
  );

  test.each([
    [1, 1, 1],
    [4096, 4096, 1],
    [4096, 4097, 2],
    [4097, 8192, 1],
    [8193, 9000, 1],
    [2, 8193, 3],
  ])('from %i to %i are made out of their chunks alone', async (from, to, chunks) => {
    const drawn = await chunksDrawn(async () => {
      expect(await allOf(streamTickets(ROWS, { from, to }))).toEqual(WRITTEN.slice(from - 1, to));
    });
    expect(drawn).toBe(chunks);
  });

  test.each([{ from: 0 }, { to: 9001 }, { from: NaN }, { from: 2, to: 1 }])(
    'are refused at once in the range %p',
    (range) => {
      expect(() => streamTickets(ROWS, range)).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'bad-number' }),
      );
    },
  );

  test('are drawn a chunk at a time, when they are asked for', async () => {
    expect(
      await chunksDrawn(async () => {
        const tickets = streamTickets(ROWS);
        for (let count = 0; count < 4096; count += 1) await tickets.next();
        await tickets.return();
      }),
    ).toBe(1);
    expect(
      await chunksDrawn(async () => {
        for await (const { ticket } of streamTickets(ROWS)) if (ticket === 4097) break;
      }),
    ).toBe(2);
    expect(await chunksDrawn(async () => streamTickets(ROWS).return())).toBe(0);
  });

  test('end with the reason of the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const taken: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { ticket } of streamTickets(ROWS, { signal })) {
        taken.push(ticket);
        if (ticket === 5) controller.abort('enough');
      }
    };
    await expect(loop()).rejects.toBe('enough');
    expect(taken).toEqual([1, 2, 3, 4, 5]);
    expect(
      await chunksDrawn(async () => allOf(streamTickets(ROWS, { signal })).catch(String)),
    ).toBe(0);
  });

  test('come to several takers that do not disturb each other', async () => {
    const starts = [1, 4000, 4090];
    const streams = starts.map((from) => streamTickets(ROWS, { from }));
    const taken: TicketRecord[][] = starts.map(() => []);
    for (let turn = 0; turn < 300; turn += 1) {
      for (const [index, stream] of streams.entries()) {
        const { value } = await stream.next();
        taken[index]?.push(value as TicketRecord);
      }
    }
    expect(taken).toEqual(starts.map((from) => WRITTEN.slice(from - 1, from + 299)));
  });
});
