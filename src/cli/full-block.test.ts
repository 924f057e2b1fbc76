import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { judge, makeGoldenBlock, readGolden, type MadeBlock } from '../testing/golden.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();

/** One block of each game, of one engine each; the long run has all the others. */
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

describe.each(CHOSEN)('a whole block: %s', (name) => {
  test('has the golden bytes', () => {
    expect(made.get(name)!.sha256).toEqual(GOLDEN.get(name)!.sha256);
  });

  test('is right for a judge who knows the regulations only', async () => {
    const { exitCode, stdout } = await judge(made.get(name)!.folder);
    expect(stdout).toContain('pay-out 70.0000%');
    expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '  ok']);
  });
});

test('one altered cell is not right for that judge', async () => {
  const tickets = readFileSync(join(made.get(CHOSEN[0])!.folder, 'tickets.csv'), 'latin1');
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
