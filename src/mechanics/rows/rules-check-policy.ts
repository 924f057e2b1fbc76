import { binomial } from '../../core/binomial.js';
import { symbolCodes, type ExtraStageLaw, type RowsGame } from '../../definitions/game.js';
import { checkWeights, findDescents, findRepeats } from '../../definitions/list-checks.js';
import type { Problem } from '../../definitions/problem.js';

/** One draw of 32 bits chooses among so many. */
const DRAW_LIMIT = 2 ** 32;

const POINTER = '/policy/extra_stages';

/** The laws of EXTRA stages, of EXTRA symbols and of compositions must be laws, and drawable. */
export function checkPolicy(game: RowsGame): readonly Problem[] {
  const { extraStages, compositionWeights } = game.policy;
  const stages = extraStages.map((law) => law.stages);
  return [
    ...checkWeights(compositionWeights, '/policy/composition_weights'),
    ...checkWeights(
      extraStages.map(({ weight }) => weight),
      POINTER,
    ),
    ...checkFirst(stages[0]),
    ...findDescents(stages, (index) => `${POINTER}/${index}/stages`),
    ...extraStages.flatMap((law, index) => [
      ...checkTrigger(game, law, `${POINTER}/${index}`),
      ...checkVectors(law, `${POINTER}/${index}/vectors`),
      ...(law.weight > 0 ? checkDraws(game, law, `${POINTER}/${index}`) : []),
    ]),
  ];
}

function checkFirst(stages: number | undefined): readonly Problem[] {
  if (stages === 0) return [];
  const expected = '0 in the first entry, if need be with weight 0';
  return [{ pointer: `${POINTER}/0/stages`, found: String(stages), expected }];
}

function checkTrigger(game: RowsGame, law: ExtraStageLaw, pointer: string): readonly Problem[] {
  if (law.stages === 0 || symbolCodes(game, 'trigger').length > 0) return [];
  const expected = '0 in a game without a trigger symbol';
  return [{ pointer: `${pointer}/stages`, found: String(law.stages), expected }];
}

function checkVectors(law: ExtraStageLaw, pointer: string): readonly Problem[] {
  const { stages, vectors } = law;
  const weights = vectors.map(({ weight }) => weight);
  return [
    ...(law.weight > 0 ? checkWeights(weights, pointer) : []),
    ...vectors.flatMap(({ extra }, index) => {
      const expected = expectedOfVector(extra, stages);
      if (expected === undefined) return [];
      return [{ pointer: `${pointer}/${index}/extra`, found: `[${extra.join(', ')}]`, expected }];
    }),
    ...findRepeats(
      vectors.map(({ extra }) => `[${extra.join(', ')}]`),
      (index) => `${pointer}/${index}/extra`,
    ),
  ];
}

/**
 * A stage opens for each EXTRA symbol found, those in stages included (article 4.5 of Eldorado's
 * regulation). So all grids together hold as many as there are stages, and stage i can only be
 * reached if the grids before it hold at least i.
 */
function expectedOfVector(extra: readonly number[], stages: number): string | undefined {
  if (extra.length !== stages + 1) return `${stages + 1} numbers, one for each grid`;
  if (extra.reduce((sum, count) => sum + count, 0) !== stages) return `a sum of ${stages}`;
  let found = 0;
  for (let stage = 1; stage <= stages; stage += 1) {
    found += extra[stage - 1] ?? 0;
    if (found < stage) return `at least ${stage} EXTRA in the grids before stage ${stage}`;
  }
  return undefined;
}

function checkDraws(game: RowsGame, law: ExtraStageLaw, pointer: string): readonly Problem[] {
  const { rows, columns } = game.grid;
  const most = game.policy.compositionWeights.length;
  const placements = (rows * (law.stages + 1)) ** most;
  const problems: Problem[] = [];
  if (placements >= DRAW_LIMIT) {
    const found = `${law.stages}, which gives ${placements} ways to place ${most} winning rows`;
    const expected = `fewer than ${DRAW_LIMIT} ways: fewer stages or composition weights`;
    problems.push({ pointer: `${pointer}/stages`, found, expected });
  }
  law.vectors.forEach(({ extra, weight }, index) => {
    const wrong = extra.find((count) => !isDrawable(rows * columns, count));
    if (weight === 0 || wrong === undefined) return;
    const found = `${wrong} EXTRA in a grid of ${rows * columns} cells`;
    const expected = `at least one way and fewer than ${DRAW_LIMIT} to choose their cells`;
    problems.push({ pointer: `${pointer}/vectors/${index}/extra`, found, expected });
  });
  return problems;
}

function isDrawable(cells: number, taken: number): boolean {
  const ways = binomial(cells, taken);
  return ways > 0n && ways < BigInt(DRAW_LIMIT);
}
