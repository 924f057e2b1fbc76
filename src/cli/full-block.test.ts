import { beforeAll, expect, jest, test } from '@jest/globals';
import { judge, makeGoldenBlock, readGolden, type MadeBlock } from '../testing/golden.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();

/** One block of each game, of one engine each; the long run has all the others, and has all of them judged. */
const CHOSEN = ['eldorado seedrandom', 'lagon-paradis chacha20'] as const;
const GOLDEN = new Map(
  readGolden()
    .blocks.filter(({ stake_cents }) => stake_cents === 100)
    .map((block) => [`${block.game} ${block.engine}`, block]),
);

const made = new Map<string, MadeBlock>();

beforeAll(async () => {
  const out = newFolder();
  for (const name of CHOSEN) made.set(name, await makeGoldenBlock(GOLDEN.get(name)!, out));
});

test.each(CHOSEN)('a whole block has the golden bytes: %s', (name) => {
  expect(made.get(name)!.sha256).toEqual(GOLDEN.get(name)!.sha256);
});

test('a whole block of Eldorado is right for a judge who knows the regulations only', async () => {
  const { exitCode, stdout } = await judge(made.get(CHOSEN[0])!.folder);
  expect(stdout).toContain('pay-out 70.0000%');
  expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '  ok']);
});
