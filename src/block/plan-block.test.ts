import { format, inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ENGINE_IDS } from '../core/algorithm.js';
import { planOutcomes } from '../definitions/mechanics.js';
import { drawQuotas, expandOutcomes } from '../engine/quotas.js';
import { randomStream } from '../engine/random-stream.js';
import { shuffle } from '../engine/shuffle.js';
import { seedCommitment, seedKey, streamKey } from '../engine/stream-key.js';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { manifestOf, planBlock, type BlockRequest } from './plan-block.js';

const SEED = Buffer.from('a seed for tests');

const ROWS_REQUEST: BlockRequest = {
  game: sampleRowsGame('eldorado-mini'),
  stakeCents: 100,
  seed: SEED,
  engine: 'seedrandom',
  emission: 1,
  block: 1,
};

const COLLECT_REQUEST: BlockRequest = { ...ROWS_REQUEST, game: sampleCollectGame('lagon-mini') };

/** How many items two orders have at the same place. */
function agreements(a: Uint16Array, b: Uint16Array): number {
  return a.reduce((sum, outcome, ticket) => sum + (outcome === b[ticket] ? 1 : 0), 0);
}

describe.each([
  { name: 'eldorado-mini', request: ROWS_REQUEST },
  { name: 'lagon-mini', request: COLLECT_REQUEST },
  { name: 'rows-plain', request: { ...ROWS_REQUEST, game: sampleRowsGame('rows-plain') } },
  { name: 'collect-bare', request: { ...ROWS_REQUEST, game: sampleCollectGame('collect-bare') } },
])('a planned block of $name', ({ request }) => {
  test.each(ENGINE_IDS)('holds its quotas exactly, in another order (%s)', async (engine) => {
    const { order, quotas, game } = await planBlock({ ...request, engine });
    const sorted = expandOutcomes(quotas);
    expect(order).toHaveLength(game.blockSize);
    expect(order).not.toEqual(sorted);
    expect(order.toSorted()).toEqual(sorted);
  });

  test('has quotas for all outcomes of its stake, as many as tickets', async () => {
    const { plan, quotas, game, stake } = await planBlock(request);
    expect(plan).toEqual(planOutcomes(game, stake));
    expect(quotas).toHaveLength(plan.outcomes.length);
    expect(quotas.reduce((sum, count) => sum + count, 0)).toBe(game.blockSize);
  });

  test('is the same each time', async () => {
    expect(await planBlock(request)).toEqual(await planBlock(request));
  });

  test('is the one that its three streams give', async () => {
    const planned = await planBlock(request);
    const { game, stakeCents, engine, emission, block } = request;
    expect(planned.identity).toEqual({
      gameId: game.id,
      definitionSha256: game.definitionSha256,
      engine,
      stakeCents,
      emission,
      block,
    });
    const key = seedKey(SEED);
    const streamFor = (purpose: 'quotas' | 'shuffle') =>
      randomStream(engine, streamKey(key, planned.identity, purpose, 0));
    const { law } = planOutcomes(game, planned.stake);
    const order = expandOutcomes(drawQuotas(law, streamFor('quotas')));
    shuffle(order, streamFor('shuffle'));
    expect(planned.order).toEqual(order);
    expect(planned.seedKey).toEqual(key);
  });
});

describe('another order', () => {
  const { game } = ROWS_REQUEST;
  const tickets = game.blockSize;

  test.each<[string, Partial<BlockRequest>]>([
    ['the seed', { seed: Buffer.from('another seed') }],
    ['one more byte of the seed', { seed: Buffer.from('a seed for tests\n') }],
    ['the engine', { engine: 'chacha20' }],
    ['the stake', { stakeCents: 200 }],
    ['the emission', { emission: 2 }],
    ['the block', { block: 2 }],
    ["the definition's hash", { game: { ...game, definitionSha256: 'another hash' } }],
    ["the game's id", { game: { ...game, id: 'another' } }],
  ])('comes with another value of %s', async (_, change) => {
    const { order } = await planBlock(ROWS_REQUEST);
    const { order: other } = await planBlock({ ...ROWS_REQUEST, ...change });
    expect(other).toHaveLength(tickets);
    // Two independent orders agree on the squares of the outcomes' shares: some 4,500 of 9,000,
    // with a standard deviation near 40, since about 0.71 of all tickets lose without EXTRA.
    const shares = new Map<number, number>();
    for (const outcome of order) shares.set(outcome, (shares.get(outcome) ?? 0) + 1 / tickets);
    const expected = [...shares.values()].reduce((sum, share) => sum + share ** 2, 0) * tickets;
    expect(Math.abs(agreements(order, other) - expected)).toBeLessThan(250);
  });
});

test('the order of a block of more tickets than a slice comes out like a shuffle in one go', async () => {
  const { game } = COLLECT_REQUEST;
  const large = { ...COLLECT_REQUEST, game: { ...game, blockSize: 1_050_000 } };
  const { order, quotas, identity } = await planBlock(large);
  const expected = expandOutcomes(quotas);
  const key = streamKey(seedKey(SEED), identity, 'shuffle', 0);
  shuffle(expected, randomStream('seedrandom', key));
  // Jest compares such long arrays slowly.
  expect(Buffer.from(order.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
}, 30_000);

describe('what cannot be planned', () => {
  test('is a block of a stake that is not sold', async () => {
    await expect(planBlock({ ...ROWS_REQUEST, stakeCents: 300 })).rejects.toMatchObject({
      name: 'InputError',
      code: 'unknown-stake',
    });
  });

  test('is a block whose making is cancelled', async () => {
    const reason = new Error('cancelled');
    await expect(planBlock(ROWS_REQUEST, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('the manifest of a planned block', () => {
  test('states the outcomes that occur, and their sum is the block', async () => {
    const planned = await planBlock(ROWS_REQUEST);
    const { outcomes, tickets, tiers } = manifestOf(planned, []);
    const occurring = planned.quotas.filter((count) => count > 0);
    expect(outcomes.map(({ count }) => count)).toEqual(occurring);
    expect(occurring.length).toBeLessThan(planned.quotas.length);
    expect(occurring.reduce((sum, count) => sum + count, 0)).toBe(tickets);
    expect(tiers.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 150, 10, 290, 80, 980]);
  });

  test('commits to the seed and does not hold it, nor any key', async () => {
    const planned = await planBlock(ROWS_REQUEST);
    const manifest = manifestOf(planned, []);
    const text = JSON.stringify(manifest);
    expect(manifest.seed_commitment).toBe(seedCommitment(seedKey(SEED)));
    expect(text).not.toContain(SEED.toString());
    expect(text).not.toContain(SEED.toString('hex'));
    expect(text).not.toContain(seedKey(SEED).toString('hex'));
  });

  test('is all that a plan that is logged tells, but for its name and numbers', async () => {
    const planned = await planBlock(ROWS_REQUEST);
    const { name, identity } = planned;
    expect(JSON.parse(JSON.stringify({ planned }))).toEqual({ planned: { name, identity } });
    for (const text of [inspect(planned), format('%o %O', planned, { planned })]) {
      expect(text).toContain(name);
      expect(text).not.toMatch(/seedKey|order|quotas|Buffer|Uint16Array/);
    }
  });

  test('says nothing about the order', async () => {
    const planned = await planBlock(ROWS_REQUEST);
    const sorted = { ...planned, order: planned.order.toSorted() };
    expect(manifestOf(sorted, [])).toEqual(manifestOf(planned, []));
  });
});

describe('a request that no block can be planned for', () => {
  test.each([
    ['an empty seed', { seed: new Uint8Array(0) }, 'bad-seed'],
    ['a seed that is text', { seed: 'demo' as unknown as Uint8Array }, 'bad-seed'],
    ['a seed that is no UTF-8', { seed: Uint8Array.of(0xff) }, 'bad-seed'],
    ['a seed with a NUL', { seed: Uint8Array.of(65, 0, 65) }, 'bad-seed'],
    ['an engine that is none', { engine: 'alea' as 'chacha20' }, 'usage'],
    ['an engine that every object has', { engine: 'toString' as 'chacha20' }, 'usage'],
    ['no emission', { emission: 0 }, 'bad-number'],
    ['half a block', { block: 1.5 }, 'bad-number'],
    ['a number that is none', { block: Number.NaN }, 'bad-number'],
    ['a number with too many digits', { emission: 1e9 }, 'bad-number'],
    ['a stake that is not sold', { stakeCents: 1 }, 'unknown-stake'],
  ])('is refused: %s', async (_, changes, code) => {
    await expect(planBlock({ ...ROWS_REQUEST, ...changes })).rejects.toMatchObject({ code });
  });
});
