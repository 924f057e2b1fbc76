import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PlannedBlock } from '../../block/plan-block.js';
import { loadGame } from '../../definitions/load-game.js';
import { AuditLab, mostExtreme } from '../../testing/audit-lab.js';
import { PValues } from '../../testing/p-values.js';
import { loadDistributions } from './distributions.js';
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
  SATTOLO,
  SWAP_WITH_ANY,
  unscrambled,
  type PlantedDefect,
} from '../../testing/planted-defects.js';

const isWinning = ({ prizeCents }: { readonly prizeCents: number }): boolean => prizeCents > 0;

const TIMEOUT = 3_600_000;

function cellDefects(letter: string): readonly PlantedDefect[] {
  const cell = { column: 2, letter };
  const marked = { ...cell, isMeant: isWinning };
  return [
    biasedCell({ name: 'cell 1.3 biased in 0.5 % of tickets', percent: 0.5, ...cell }),
    biasedCell({ name: 'cell 1.3 biased in 1 % of tickets', percent: 1, ...cell }),
    biasedCell({ name: 'cell 1.3 marked in 1 % of winners', percent: 1, ...marked }),
    biasedCell({ name: 'cell 1.3 marked in 2 % of winners', percent: 2, ...marked }),
  ];
}

const SHUFFLES = [
  COMPARATOR_SORT,
  moduloShuffle(20),
  moduloShuffle(22),
  SWAP_WITH_ANY,
  HALF_SHUFFLE,
  unscrambled(1),
  BALANCED_BOOKS,
  clusteredWinners(1),
  clusteredWinners(2),
];

/** Defects that are too small for one block, or leave no trace in it at all. */
const HIDDEN = [SATTOLO, moduloShuffle(24)];

const GAMES = [
  {
    id: 'eldorado',
    shown: [...SHUFFLES, EXTRA_ON_WINNERS, REUSED_CHUNK, ...cellDefects('D')],
    hidden: [...HIDDEN, neverEarly(0.01, 5)],
  },
  {
    id: 'lagon-paradis',
    shown: [...SHUFFLES, REUSED_CHUNK, ...cellDefects('C')],
    hidden: [...HIDDEN, neverEarly(0.01, 3)],
  },
];

describe.each(GAMES)('a whole block of $id', ({ id, shown, hidden }) => {
  let lab: AuditLab;
  let planned: PlannedBlock;

  beforeAll(async () => {
    lab = await AuditLab.open(loadGame(id), 'whole blocks');
    planned = await lab.plan(1);
  });

  function mostExtremeOf(defect: PlantedDefect): ReturnType<typeof mostExtreme> {
    const result = mostExtreme(lab.judge(lab.measure(planned, defect)));
    say(`${id}, ${defect.name}`, result);
    return result;
  }

  test('raises no alarm where it is right', () => {
    expect(mostExtremeOf({ name: 'right' })).toMatchObject({ alarms: false });
  });

  test.each(shown)(
    'shows: $name',
    (defect) => {
      expect(mostExtremeOf(defect)).toMatchObject({ alarms: true });
    },
    TIMEOUT,
  );

  test.each(hidden)('does not show: $name', (defect) => {
    expect(mostExtremeOf(defect)).toMatchObject({ alarms: false });
  });
});

describe('whole blocks together', () => {
  test.each([
    { defect: neverEarly(0.1, 5), count: 2 },
    { defect: neverEarly(0.01, 5), count: 16 },
    { defect: moduloShuffle(24), count: 4 },
  ])(
    'show: $defect.name, in $count blocks',
    async ({ defect, count }) => {
      const lab = await AuditLab.open(loadGame('eldorado'), 'whole blocks');
      const blocks = [];
      for (let block = 1; block <= count; block += 1) {
        blocks.push(lab.measure(await lab.plan(block), defect));
      }
      const together = mostExtreme(lab.judgeTogether(blocks));
      say(`eldorado, ${defect.name}, ${count} blocks together`, together);
      const tests = [...lab.judgeTogether(blocks), ...blocks.flatMap((block) => lab.judge(block))];
      expect(mostExtreme(tests)).toMatchObject({ alarms: true });
      // The test that alarms is a pooled one: no block shows it.
      for (const block of blocks) expect(mostExtreme(lab.judge(block)).alarms).toBe(false);
    },
    TIMEOUT,
  );
});

/** Whole blocks of each game that are audited where nothing is wrong. */
const RIGHT_BLOCKS = 50;

describe.each(['eldorado', 'lagon-paradis'])('right whole blocks of %s', (id) => {
  test(
    'raise no alarm, alone or together, and have uniform p-values',
    async () => {
      const lab = await AuditLab.open(loadGame(id), 'right blocks');
      const blocks = [];
      const pValues = new PValues();
      for (let block = 1; block <= RIGHT_BLOCKS; block += 1) {
        const measured = lab.measure(await lab.plan(block));
        const tests = lab.judge(measured);
        expect(mostExtreme(tests)).toMatchObject({ alarms: false });
        pValues.add(tests);
        blocks.push(measured);
      }
      const together = mostExtreme(lab.judgeTogether(blocks));
      say(`${id}, ${RIGHT_BLOCKS} right blocks together`, together);
      const { tests, leastP, name } = pValues.uniformity(await loadDistributions());
      const uniform = `smallest Kolmogorov p ${leastP.toExponential(1)} (${name})`;
      process.stderr.write(`${id}: ${tests} tests with continuous p-values, ${uniform}\n`);
      // Some tests need more tickets than the small blocks of the calibration have.
      expect({ name, isUniform: tests * leastP > 0.01 }).toEqual({ name, isUniform: true });
      expect(together).toMatchObject({ alarms: false });
    },
    TIMEOUT,
  );
});

function say(what: string, result: ReturnType<typeof mostExtreme>): void {
  const { pValue, alarms, name, note } = result;
  const verdict = alarms ? 'alarm' : 'no alarm';
  process.stderr.write(`${what}: p ${pValue.toExponential(1)}, ${verdict}: ${name} (${note})\n`);
}
