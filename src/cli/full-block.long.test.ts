import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
      expect(stdout).toContain('pay-out 70.0000%');
      expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '  ok']);
    });
  },
);

test('one altered cell is not right for that judge', async () => {
  const golden = readGolden().blocks.find(({ game, stake_cents }) => {
    return game === 'eldorado' && stake_cents === 100;
  });
  const { folder } = await makeGoldenBlock(golden!, newFolder());
  const tickets = readFileSync(join(folder, 'tickets.csv'), 'latin1');
  const altered = tickets.replace(/(\n\d+,1500,4V,[A-Z/|]*?VVV)V/, '$1S');
  expect(altered).not.toBe(tickets);
  const path = join(newFolder(), 'tickets.csv');
  writeFileSync(path, altered, 'latin1');
  const { exitCode, stdout } = await judge('--game', 'eldorado', '--stake-cents', '100', path);
  expect(stdout).toMatch(
    /FAULT winning tickets: 1\n +tickets.csv: expected 151157, found 151156\n/,
  );
  expect(exitCode).toBe(1);
});
