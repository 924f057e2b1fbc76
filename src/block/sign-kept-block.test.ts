import { beforeEach, expect, test } from '@jest/globals';
import {
  ticketsOf,
  validBlock,
  withOrder,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { sampleKey } from '../testing/sample-keys.js';
import { folderMaker, namesIn, sampleRequest } from '../testing/sample-requests.js';
import { generateBlock, type GeneratedBlock } from './generate-block.js';

const newFolder = folderMaker();
const REQUEST = sampleRequest('rows-plain');
const { key } = sampleKey('a');

let valid: BlockCopy;
let outputFolder: string;

beforeEach(async () => {
  outputFolder = newFolder();
  valid = await validBlock('rows-plain', { seed: Buffer.from(REQUEST.seed).toString() });
});

async function generate(signWith?: typeof key): Promise<GeneratedBlock> {
  return generateBlock(REQUEST, { outputFolder, ...(signWith && { signWith }) });
}

test('a block of the seed that is kept is signed', async () => {
  const { folder } = await generate();
  const { kept } = await generate(key);
  expect([kept, namesIn(folder)]).toEqual([
    true,
    expect.arrayContaining([`manifest.json.${key.id}.sig`]),
  ]);
});

test('a block whose tickets were exchanged conforms, and is not signed', async () => {
  const tickets = [...ticketsOf(valid)].reverse();
  const folder = writeBlock(withOrder(valid, tickets), outputFolder);
  const before = namesIn(folder);
  await expect(generate(key)).rejects.toMatchObject({
    name: 'ConformanceError',
    report: { findingCounts: [expect.objectContaining({ code: 'seed-bytes' })] },
  });
  expect(namesIn(folder)).toEqual(before);
  expect((await generate()).kept).toBe(true);
});
