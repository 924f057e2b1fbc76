import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CampaignBlock, runCampaign, type CampaignKind } from '../testing/mutation-campaign.js';

/** The long campaign has ten thousand of each; these seeds come before its own. */
const SEEDS = { first: 1, count: 30 };

const KINDS: readonly CampaignKind[] = ['bytes with manifest', 'bytes alone', 'tickets alone'];

describe.each([
  ['rows-zero', 'ndjson'],
  ['collect-zero', 'csv'],
  ['rows-plain', 'csv'],
  ['collect-bare', 'ndjson'],
] as const)('blocks of %s (%s)', (name, format) => {
  let block: CampaignBlock;

  beforeAll(async () => {
    block = await CampaignBlock.make(name, format);
  });

  afterAll(async () => {
    await block.remove();
  });

  test.each(KINDS)(
    'broken in random ways (%s) are found out wherever they are no blocks',
    async (kind) => {
      const result = await runCampaign(block, kind, SEEDS);
      expect(result.disagreements).toEqual([]);
      expect(result.detected).toBeGreaterThan(SEEDS.count / 3);
    },
  );
});
