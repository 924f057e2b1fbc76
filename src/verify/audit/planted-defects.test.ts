import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PlannedBlock } from '../../block/plan-block.js';
import { loadDefinitionFile } from '../../definitions/load-game.js';
import { AuditLab, mostExtreme } from '../../testing/audit-lab.js';
import {
  BALANCED_BOOKS,
  biasedCell,
  clusteredWinners,
  COMPARATOR_SORT,
  EXTRA_ON_WINNERS,
  HALF_SHUFFLE,
  moduloShuffle,
  neverEarly,
  REUSED_CHUNK,
  unscrambled,
  type PlantedDefect,
} from '../../testing/planted-defects.js';
import { definitionPath } from '../../testing/sample-requests.js';

const isWinning = ({ prizeCents }: { readonly prizeCents: number }): boolean => prizeCents > 0;

function biased(letter: string): PlantedDefect {
  return biasedCell({ name: 'biased cell', percent: 5, column: 2, letter });
}

function marked(letter: string): PlantedDefect {
  const isMeant = isWinning;
  return biasedCell({ name: 'marked winners', percent: 20, column: 2, letter, isMeant });
}

/**
 * Defects by the group of tests that shows them most clearly, in blocks of some thousand tickets; whole
 * blocks show much smaller ones in the long tests.
 */
const SAMPLES = [
  {
    sample: 'eldorado-mini' as const,
    defects: [
      { group: 'order', defect: COMPARATOR_SORT },
      { group: 'order', defect: moduloShuffle(13) },
      { group: 'order', defect: HALF_SHUFFLE },
      { group: 'order', defect: unscrambled(10) },
      { group: 'order', defect: BALANCED_BOOKS },
      { group: 'order', defect: clusteredWinners(15) },
      { group: 'pick-out', defect: EXTRA_ON_WINNERS },
      { group: 'duplicates', defect: REUSED_CHUNK },
      { group: 'symbols', defect: biased('D') },
      { group: 'pick-out', defect: marked('D') },
    ],
  },
  {
    sample: 'lagon-mini' as const,
    defects: [
      // Its order is judged by the same tests as the other game's.
      { group: 'order', defect: COMPARATOR_SORT },
      { group: 'duplicates', defect: REUSED_CHUNK },
      { group: 'symbols', defect: biased('C') },
    ],
  },
];

describe.each(SAMPLES)('a small block of $sample', ({ sample, defects }) => {
  let lab: AuditLab;
  let planned: PlannedBlock;

  beforeAll(async () => {
    lab = await AuditLab.open(loadDefinitionFile(definitionPath(sample)), 'planted');
    planned = await lab.plan(1);
  });

  test('raises no alarm where it is right', () => {
    expect(mostExtreme(lab.judge(lab.measure(planned)))).toMatchObject({ alarms: false });
  });

  test.each(defects)('raises an alarm by $defect.name: $group', ({ group, defect }) => {
    const result = mostExtreme(lab.judge(lab.measure(planned, defect)));
    expect(result).toMatchObject({ alarms: true, group });
  });
});

test('blocks show together what none of them shows', async () => {
  const lab = await AuditLab.open(loadDefinitionFile(definitionPath('eldorado-mini')), 'planted');
  const defect = neverEarly(0.5, 5);
  const blocks = [];
  for (let block = 1; block <= 8; block += 1) {
    blocks.push(lab.measure(await lab.plan(block), defect));
  }
  for (const block of blocks) expect(mostExtreme(lab.judge(block)).alarms).toBe(false);
  const together = mostExtreme(lab.judgeTogether(blocks));
  expect(together).toMatchObject({ alarms: true });
  expect(together.name).toContain('top tiers');
});

test('right blocks raise no alarm together, and a repeated one does', async () => {
  const lab = await AuditLab.open(loadDefinitionFile(definitionPath('lagon-mini')), 'planted');
  const right = [];
  for (const block of [1, 2, 3]) right.push(lab.measure(await lab.plan(block)));
  expect(mostExtreme(lab.judgeTogether(right))).toMatchObject({ alarms: false });
  const repeated = mostExtreme(lab.judgeTogether([...right, ...right.slice(0, 1)]));
  expect(repeated).toMatchObject({ alarms: true, group: 'between blocks' });
});
