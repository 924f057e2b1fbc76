import { describe, expect, test } from '@jest/globals';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import { CampaignBlock, runCampaign, type CampaignKind } from '../testing/mutation-campaign.js';

const BLOCKS = ['rows-zero', 'collect-zero', 'rows-plain', 'collect-bare'].flatMap((name) =>
  TICKET_FORMATS.map((format) => ({ name, format })),
);

/** Ten thousand of each in all. */
const SEEDS = { first: 1_000_000, count: 10_000 / BLOCKS.length };

describe.each<CampaignKind>(['bytes with manifest', 'bytes alone', 'tickets alone'])(
  '%s',
  (kind) => {
    test('10,000 broken blocks are found out wherever they are no blocks', async () => {
      for (const { name, format } of BLOCKS) {
        const block = await CampaignBlock.make(name, format);
        try {
          const result = await runCampaign(block, kind, SEEDS);
          process.stderr.write(`${kind}, ${name}, ${format}: ${JSON.stringify(result)}\n`);
          expect(result.disagreements).toEqual([]);
        } finally {
          await block.remove();
        }
      }
    }, 3_600_000);
  },
);
