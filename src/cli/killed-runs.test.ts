import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { runProcess } from '../testing/command-line.js';
import { killAtRandom, type KilledBlock } from '../testing/killed-runs.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { folderMaker, hashesOf, sampleRequest } from '../testing/sample-requests.js';
import { verifyBlock } from '../verify/verify-block.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();
const NAME = 'eldorado-mini-100-e1-b1';

/** A block of several chunks, which takes longer than the start of the program. */
const DEFINITION = join(newFolder(), 'mid-size.json');
writeFileSync(
  DEFINITION,
  JSON.stringify(sampleDefinition('eldorado-mini', ['/block_size', 20_000])),
);
const GAME = loadDefinitionFile(DEFINITION);
const ARGV = ['--definition', DEFINITION, '--stake', '1', '-f', 'csv', '--quiet'];

let right: Readonly<Record<string, string>>;
/** As long as a whole run, so that some kills come after the block has its name. */
let longestDelayMs: number;

beforeAll(async () => {
  const out = newFolder();
  const startedAt = performance.now();
  await runProcess([...ARGV, '--seed', 'demo', '--out', out]);
  longestDelayMs = Math.ceil(performance.now() - startedAt);
  right = hashesOf(join(out, NAME));
});

/** By itself: between its entry in the registry and its name, a block that is replaced is not the last one. */
async function isWhole(folder: string): Promise<boolean> {
  return (await verifyBlock(folder, { game: GAME, registry: false })).conforms;
}

describe('a run that is killed', () => {
  test('at any instant leaves no partial block, and the next run makes the right one', async () => {
    const block: KilledBlock = { argv: [...ARGV, '--seed', 'demo'], name: NAME, isWhole };
    const out = newFolder();
    const outcome = await killAtRandom(block, { out, kills: 2, longestDelayMs });
    expect(outcome).toMatchObject({ problems: [] });
    expect(outcome.leftoverCount).toBeGreaterThan(0);
    expect(hashesOf(join(out, NAME))).toEqual(right);
  });

  test('while it replaces a block leaves a whole one, the old or the new', async () => {
    const out = newFolder();
    const request = sampleRequest('eldorado-mini', { game: GAME, seed: Buffer.from('old') });
    const made = await generateBlock(request, { outputFolder: out, formats: ['csv'] });
    const old = hashesOf(made.folder);
    const block: KilledBlock = {
      argv: [...ARGV, '--seed', 'demo', '--force'],
      name: NAME,
      isWhole: async (folder) => {
        const files = JSON.stringify(hashesOf(folder));
        const isKnown = [old, right].some((hashes) => JSON.stringify(hashes) === files);
        return isKnown && (await isWhole(folder));
      },
    };
    const outcome = await killAtRandom(block, { out, kills: 2, longestDelayMs });
    expect(outcome).toMatchObject({ problems: [] });
    expect(outcome.leftoverCount).toBeGreaterThan(0);
    expect(hashesOf(join(out, NAME))).toEqual(right);
  });
});
