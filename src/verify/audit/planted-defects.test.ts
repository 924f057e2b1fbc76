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
} from '../../testing/planted-defects.js';
import { definitionPath } from '../../testing/sample-requests.js';

const isWinning = ({ prizeCents }: { readonly prizeCents: number }): boolean => prizeCents > 0;

/** In blocks of some thousand tickets; whole blocks show much smaller ones in the long tests. */
const SAMPLES = [
  {
    sample: 'eldorado-mini' as const,
    defects: [
      COMPARATOR_SORT,
      moduloShuffle(13),
      HALF_SHUFFLE,
      unscrambled(10),
      BALANCED_BOOKS,
      clusteredWinners(15),
      EXTRA_ON_WINNERS,
      REUSED_CHUNK,
      biasedCell({ name: 'biased cell', percent: 5, column: 2, letter: 'D' }),
      biasedCell({
        name: 'marked winners',
        percent: 20,
        column: 2,
        letter: 'D',
        isMeant: isWinning,
      }),
    ],
  },
  {
    sample: 'lagon-mini' as const,
    defects: [
      COMPARATOR_SORT,
      moduloShuffle(13),
      unscrambled(10),
      REUSED_CHUNK,
      biasedCell({ name: 'biased cell', percent: 5, column: 2, letter: 'C' }),
      biasedCell({
        name: 'marked winners',
        percent: 20,
        column: 2,
        letter: 'C',
        isMeant: isWinning,
      }),
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

  test.each(defects)('raises an alarm by $name', (defect) => {
    expect(mostExtreme(lab.judge(lab.measure(planned, defect)))).toMatchObject({ alarms: true });
  });
});

test('blocks show together what none of them shows', async () => {
  const lab = await AuditLab.open(loadDefinitionFile(definitionPath('eldorado-mini')), 'planted');
  const defect = neverEarly(0.5, 5);
  const blocks = [];
  for (let block = 1; block <= 12; block += 1) {
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
