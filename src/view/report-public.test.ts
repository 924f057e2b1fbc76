import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  ticketsOf,
  validBlock,
  withOrder,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { parsePage, type ParsedPage } from '../testing/parsed-page.js';
import { folderMaker } from '../testing/sample-requests.js';
import { shuffle } from '../engine/shuffle.js';
import { seededStream } from '../testing/random-streams.js';
import { reportBlock } from './report-block.js';

const newFolder = folderMaker();

async function pageOf(block: BlockCopy, { isPublic }: { isPublic: boolean }): Promise<string> {
  const folder = writeBlock(block, newFolder());
  return (await reportBlock(folder, { game: block.game, isPublic })).page;
}

/** The same tickets in an order in which hardly two neighbours are still neighbours. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = Uint32Array.from(items, (_, index) => index);
  shuffle(order, seededStream('another order'));
  return Array.from(order, (index) => items[index]!);
}

/** What a page says but for hashes, which differ wherever a byte does. */
function withoutHashes(text: string): string {
  return text.replaceAll(/\b[\da-f]{64}\b/g, '#');
}

describe.each(['eldorado-mini', 'collect-bare', 'rows-plain'] as const)(
  'a page for publication on a block of %s',
  (name) => {
    let block: BlockCopy;
    let text: string;
    let page: ParsedPage;

    beforeAll(async () => {
      block = await validBlock(name);
      text = await pageOf(block, { isPublic: true });
      page = parsePage(text);
    });

    test('is the same for the same tickets in another order, but for the hashes of files', async () => {
      const tickets = ticketsOf(block);
      const other = withOrder(block, shuffled(tickets));
      const otherText = await pageOf(other, { isPublic: true });
      expect(withoutHashes(otherText)).toBe(withoutHashes(text));
      expect(otherText).not.toBe(text);
      // The page for the block's owner tells them apart.
      const own = await pageOf(block, { isPublic: false });
      const otherOwn = await pageOf(other, { isPublic: false });
      expect(withoutHashes(otherOwn)).not.toBe(withoutHashes(own));
    });

    test('has no part that tells of the order, of single tickets or of winning ones', () => {
      const secret = ['Quotas', 'Order', 'Pick-out', 'Play a ticket'];
      expect(page.texts('h2').filter((title) => secret.includes(title))).toEqual([]);
      const captions = page.texts('figcaption');
      expect(captions.filter((caption) => caption.startsWith('Symbols'))).not.toEqual([]);
      expect(captions.filter((caption) => caption.includes('winning tickets'))).toEqual([]);
      expect(page.texts('script, #player, #tickets')).toEqual([]);
      expect(page.attributes('meta[http-equiv]', 'content')).toEqual([
        expect.stringContaining("script-src 'none'"),
      ]);
    });

    test('shows tests of symbols and duplicates, and counts the others', () => {
      const groups = page.rows('The 10 smallest p-values').map((row) => row[1] ?? '');
      expect(groups).toHaveLength(10);
      expect(groups.filter((group) => !['symbols', 'duplicates'].includes(group))).toEqual([]);
      const counted = page.rows('Tests by what they look at').map(([group]) => group);
      expect(counted).toEqual(expect.arrayContaining(['order', 'pick-out', 'symbols']));
    });
  },
);
