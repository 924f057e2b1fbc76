import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { readGolden } from '../testing/golden.js';
import { killAtRandom } from '../testing/killed-runs.js';
import { folderMaker, hashesOf } from '../testing/sample-requests.js';
import { verifyBlock } from '../verify/verify-block.js';

jest.setTimeout(3_600_000);
const newFolder = folderMaker();

/** Somewhat longer than a whole block takes, so that some kills come after it has its name. */
const LONGEST_DELAY_MS = 3000;

test.each(['', '--force'])(
  'a hundred kills of a whole block of Eldorado leave no partial block (%s)',
  async (force) => {
    const { blocks, seed } = readGolden();
    const golden = blocks.find(
      ({ game, stake_cents, engine }) =>
        game === 'eldorado' && stake_cents === 100 && engine === 'seedrandom',
    );
    const argv = ['--game', 'eldorado', '--stake', '1', '--seed', seed, '--quiet', force];
    const block = {
      argv: argv.filter((word) => word !== ''),
      name: 'eldorado-100-e1-b1',
      isWhole: async (folder: string) => (await verifyBlock(folder, { registry: false })).conforms,
    };
    for (let round = 0; round < 10; round += 1) {
      const out = newFolder();
      const options = { out, kills: 10, longestDelayMs: LONGEST_DELAY_MS };
      const outcome = await killAtRandom(block, options);
      expect(outcome).toMatchObject({ problems: [] });
      expect(outcome.leftoverCount).toBeGreaterThan(0);
      expect(hashesOf(join(out, block.name))).toMatchObject({ ...golden?.sha256 });
    }
  },
);
