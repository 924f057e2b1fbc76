import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';
import { BlockThread } from './block-thread.js';
import type { BlockTask } from './make-batch-block.js';

const newFolder = folderMaker();

let out: string;
let thread: BlockThread;

beforeEach(() => {
  out = newFolder();
  thread = new BlockThread();
});

afterEach(async () => {
  await thread.close();
});

function taskOf(block: number, changes: Partial<BlockTask> = {}): BlockTask {
  return {
    request: sampleRequest('rows-plain', { block }),
    forms: { formats: ['ndjson', 'csv'], compression: undefined },
    outputFolder: out,
    subfolders: [],
    name: `rows-plain-100-e1-b${block}`,
    recheck: false,
    registries: [],
    threads: 1,
    ...changes,
  };
}

const NOTHING = { onShare: (): void => undefined };

describe('a thread that makes blocks', () => {
  test('makes one after the other, to the bytes of single ones, and says how far it is', async () => {
    const shares: number[] = [];
    const onShare = (share: number): void => void shares.push(share);
    expect(await thread.make(taskOf(1), { onShare })).toEqual({ outcome: 'made' });
    expect(await thread.make(taskOf(1), NOTHING)).toEqual({ outcome: 'kept' });
    expect(await thread.make(taskOf(2), NOTHING)).toEqual({ outcome: 'made' });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const { folder } = await generateBlock(taskOf(2).request, { outputFolder: newFolder() });
    expect(hashesOf(join(out, 'rows-plain-100-e1-b2'))).toEqual(hashesOf(folder));
  });

  test('hands on what stops a batch, of the class that it has', async () => {
    const long = taskOf(1, { subfolders: ['x'.repeat(300)] });
    await expect(thread.make(long, NOTHING)).rejects.toMatchObject({
      name: 'MachineError',
      code: 'ENAMETOOLONG',
    });
    expect(await thread.make(taskOf(1), NOTHING)).toEqual({ outcome: 'made' });
  });

  test('drops its block at a signal, and can make another', async () => {
    const controller = new AbortController();
    const onShare = (): void => {
      controller.abort(new Error('enough'));
    };
    const stopped = thread.make(taskOf(1), { onShare, signal: controller.signal });
    await expect(stopped).rejects.toThrow();
    expect(namesIn(out)).toEqual([]);
    const late = thread.make(taskOf(1), { ...NOTHING, signal: controller.signal });
    await expect(late).rejects.toThrow('enough');
    expect(await thread.make(taskOf(1), NOTHING)).toEqual({ outcome: 'made' });
  });

  test('drops its block where what it calls throws, and throws that', async () => {
    const error = new Error('thrown');
    const onShare = (): never => {
      throw error;
    };
    await expect(thread.make(taskOf(1), { onShare })).rejects.toBe(error);
    expect(namesIn(out)).toEqual([]);
  });

  test('that has ended makes nothing more', async () => {
    expect(await thread.make(taskOf(1), NOTHING)).toEqual({ outcome: 'made' });
    await thread.close();
    await expect(thread.make(taskOf(2), NOTHING)).rejects.toMatchObject({
      name: 'MachineError',
      message: expect.stringContaining('the thread that was making rows-plain-100-e1-b2 died'),
    });
    expect(namesIn(out)).toEqual(['rows-plain-100-e1-b1']);
  });
});
