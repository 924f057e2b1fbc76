import { describe, expect, jest, test } from '@jest/globals';
import { judge, makeGoldenBlock, readGolden } from '../testing/golden.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();

describe.each(readGolden().blocks)(
  'a whole block of $game at $stake_cents cents with $engine',
  (golden) => {
    test('has the golden bytes, and a judge who knows only the regulations finds nothing', async () => {
      const { folder, sha256 } = await makeGoldenBlock(golden, newFolder());
      expect(sha256).toEqual(golden.sha256);
      const { exitCode, stdout } = await judge(folder);
      expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '  ok']);
    });
  },
);
