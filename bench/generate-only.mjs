/*
 * Generates blocks and writes their tickets files without verifying them, which the command line
 * never does: what generation costs by itself. Only for the benchmark.
 */
import { Buffer } from 'node:buffer';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planBlock } from '../dist/block/plan-block.js';
import { writeTickets } from '../dist/block/write-tickets.js';
import { loadGame } from '../dist/definitions/load-game.js';

const { values: options } = parseArgs({
  options: {
    game: { type: 'string', default: 'eldorado' },
    'stake-cents': { type: 'string', default: '100' },
    engine: { type: 'string', default: 'seedrandom' },
    formats: { type: 'string', default: 'ndjson,csv' },
    seed: { type: 'string', default: 'bench' },
    blocks: { type: 'string', default: '1' },
    out: { type: 'string', default: 'output' },
  },
});

/** Generates the block of this number into a folder of its own. */
async function generate(game, block) {
  const { engine, seed, out } = options;
  const stakeCents = Number(options['stake-cents']);
  const request = { game, stakeCents, seed: Buffer.from(seed), engine, emission: 1, block };
  const planned = await planBlock(request);
  const folder = join(out, planned.name);
  await mkdir(folder, { recursive: true });
  const forms = options.formats.split(',').map((format) => ({ format }));
  await writeTickets(folder, planned, forms);
}

const game = loadGame(options.game);
for (let block = 1; block <= Number(options.blocks); block += 1) await generate(game, block);
