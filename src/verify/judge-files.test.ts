import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { folderMaker, hashesOf, sampleRequest } from '../testing/sample-requests.js';
import { judgeFiles } from './judge-files.js';
import { verifyBlock } from './verify-block.js';

const newFolder = folderMaker();
const REQUEST = sampleRequest('rows-plain');
const { game } = REQUEST;

/** More threads than files among them. */
const THREADS = [1, 2, 4, 8];

let folder: string;

beforeEach(async () => {
  ({ folder } = await generateBlock(REQUEST, { outputFolder: newFolder() }));
});

/** Breaks a tickets file of the block. */
function change(name: string, edit: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, edit(readFileSync(path, 'latin1')), 'latin1');
}

describe('with any number of threads', () => {
  test('a block has the same bytes', async () => {
    for (const threads of THREADS) {
      const made = await generateBlock(REQUEST, { outputFolder: newFolder(), threads });
      expect(hashesOf(made.folder)).toEqual(hashesOf(folder));
    }
  });

  test.each<[string, () => void]>([
    ['right', (): void => undefined],
    [
      'full of faults in both files',
      (): void => {
        change('tickets.csv', (text) => text.replaceAll('A', 'Z'));
        change('tickets.ndjson', (text) => text.replaceAll('"prize_cents":0', '"prize_cents":"0"'));
      },
    ],
    [
      'without its last file',
      (): void => {
        rmSync(join(folder, 'tickets.csv'));
      },
    ],
    [
      'with a link in the place of a file',
      (): void => {
        rmSync(join(folder, 'tickets.csv'));
        symlinkSync('tickets.ndjson', join(folder, 'tickets.csv'));
      },
    ],
  ])('a block that is %s has the same report, and as much progress', async (_, damage) => {
    damage();
    const reports = [];
    for (const threads of THREADS) {
      let done = 0;
      const onBytes = (bytes: number): void => {
        done += bytes;
      };
      reports.push({ report: await verifyBlock(folder, { game, threads, onBytes }), done });
    }
    for (const report of reports) expect(report).toEqual(reports[0]);
  });

  test('a file that cannot be read ends it with what the system says', async () => {
    const task = { game, stake: game.stakes[0]!, format: 'csv', file: 'tickets.csv' } as const;
    const long = join(folder, 'x'.repeat(300));
    for (const threads of [1, 2]) {
      const tasks = [
        { ...task, path: join(folder, 'none') },
        { ...task, path: long },
      ];
      await expect(judgeFiles(tasks, {}, threads)).rejects.toMatchObject({
        name: 'MachineError',
        code: 'ENAMETOOLONG',
      });
    }
  });

  test('it stops when it is told to', async () => {
    for (const threads of [1, 2]) {
      const controller = new AbortController();
      const reason = new Error('enough');
      const stopped = verifyBlock(folder, {
        game,
        threads,
        signal: controller.signal,
        onBytes: () => {
          controller.abort(reason);
        },
      });
      await expect(stopped).rejects.toBe(reason);
    }
  });
});

test.each([0, -1, 1.5, Number.NaN])('%d threads are refused', async (threads) => {
  await expect(verifyBlock(folder, { game, threads })).rejects.toMatchObject({
    name: 'InputError',
    code: 'bad-number',
  });
});
