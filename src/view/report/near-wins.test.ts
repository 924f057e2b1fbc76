import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findStake, loadDefinitionFile } from '../../definitions/load-game.js';
import { runInside } from '../../testing/command-line.js';
import {
  sampleCollectGame,
  sampleDefinition,
  sampleRowsGame,
  type Edit,
} from '../../testing/sample-definitions.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { auditBlocks } from '../../verify/audit/audit-blocks.js';
import { nearWinsCaption, nearWinsOf, type NearWins } from './near-wins.js';

const newFolder = folderMaker();

const CAPS = [null, 9, 11] as const;

/** A block of a small game with that cap: each choice's grid as one text, and its near wins. */
async function observe(unchosenCap: number | null): Promise<{
  readonly grids: readonly (readonly string[])[];
  readonly nearWins: readonly NearWins[];
}> {
  const folder = newFolder();
  const path = join(folder, 'game.json');
  const edit: Edit = ['/policy/unchosen_cap', unchosenCap];
  writeFileSync(path, JSON.stringify(sampleDefinition('collect-bare', edit)));
  const argv = ['--definition', path, '-s', '1', '--seed', 'demo', '--out', folder, '--quiet'];
  await runInside(['generate', ...argv]);
  const block = join(folder, 'collect-bare-100-e1-b1');
  const lines = readFileSync(join(block, 'tickets.ndjson'), 'utf8').trimEnd().split('\n');
  let nearWins: readonly NearWins[] = [];
  await auditBlocks([block], {
    game: loadDefinitionFile(path),
    onObserved: (seen) => (nearWins = nearWinsOf(seen)),
  });
  const tickets = lines.map((line) => JSON.parse(line) as { grids: readonly string[][] });
  return { grids: tickets.map(({ grids }) => grids.map((grid) => grid.join(''))), nearWins };
}

function lettersIn(grid: string | undefined, letter: string): number {
  return (grid ?? '').split(letter).length - 1;
}

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}

/** The chance of exactly so many of one of two symbols that fill the cells, each up to the cap. */
function chanceOf(count: number, cells: number, cap = cells): number {
  const counts = Array.from({ length: cells + 1 }, (_, own) => own);
  const allowed = counts.filter((own) => own <= cap && cells - own <= cap);
  if (!allowed.includes(count)) return 0;
  return choose(cells, count) / allowed.reduce((sum, own) => sum + choose(cells, own), 0);
}

describe.each(CAPS)('with a cap of %s on symbols that were not chosen, where 4 win', (cap) => {
  test('near wins are grids with exactly 3 of one, counted by hand, and their law', async () => {
    const { grids, nearWins } = await observe(cap);
    const pairs = ['AB', 'AC', 'BA', 'BC', 'CA', 'CB'];
    const byHand = pairs.map(([choice = '', code = '']) => {
      const own = grids.map((ticket) => ticket['ABC'.indexOf(choice)]);
      const chances = own.map((grid) =>
        chanceOf(3, 18 - lettersIn(grid, choice), cap ?? undefined),
      );
      return {
        name: `3 of ${code} in the grid of choice ${choice}`,
        found: own.filter((grid) => lettersIn(grid, code) === 3).length,
        expected: chances.reduce((sum, chance) => sum + chance, 0),
        variance: chances.reduce((sum, chance) => sum + chance * (1 - chance), 0),
      };
    });
    expect(byHand.some(({ found }) => found > 0)).toBe(true);
    expect(nearWins.map(({ name, found }) => ({ name, found }))).toEqual(
      byHand.map(({ name, found }) => ({ name, found })),
    );
    nearWins.forEach(({ expected, deviation }, index) => {
      expect(expected).toBeCloseTo(byHand[index]?.expected ?? NaN, 9);
      expect(deviation ** 2).toBeCloseTo(byHand[index]?.variance ?? NaN, 9);
    });
  });
});

describe('the caption of near wins', () => {
  const POLICY =
    'How many of the chosen symbol a losing ticket shows is no chance: the policy says it (losing_counts).';

  test.each<[string, Edit[], string]>([
    [
      'no cap',
      [],
      `Near wins: exactly 3 of a symbol that was not chosen, where 4 of the chosen one win; found against their exact expectation over all grids alike, neither raised nor removed beyond that. ${POLICY}`,
    ],
    [
      'a cap',
      [['/policy/unchosen_cap', 3]],
      `Near wins: exactly 3 of a symbol that was not chosen, where 4 of the chosen one win; found against their exact expectation over all grids alike that keep the caps of the policy, neither raised nor removed beyond that. ${POLICY}`,
    ],
    [
      'a cap that leaves none',
      [['/policy/unchosen_cap', 2]],
      `No near wins, exactly 3 of a symbol that was not chosen, where 4 of the chosen one win: the policy's cap allows at most 2 (unchosen_cap). ${POLICY}`,
    ],
    [
      'a win of one symbol',
      [['/stakes/0/pay_table/4/count', 1]],
      `No near wins: 1 of the chosen symbol wins. ${POLICY}`,
    ],
  ])('says with %s what is shown, and what decides it', (_, edits, caption) => {
    const game = sampleCollectGame('collect-bare', ...edits);
    const stake = findStake(game, 100);
    expect(nearWinsCaption(game, stake)).toBe(caption);
    // Without measurements there is nothing to show in any game.
    expect(nearWinsOf({ game, stake, measurements: [] })).toEqual([]);
  });

  test('is short for rows, where no cap and no policy has a part in it', () => {
    const game = sampleRowsGame('rows-plain');
    expect(nearWinsCaption(game, findStake(game, 100))).toBe(
      'Near wins, neither raised nor removed: found against their exact expectation',
    );
  });
});
