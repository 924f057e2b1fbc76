import type { RowsGame, Stake } from '../../definitions/game.js';
import { checkWeights } from '../../definitions/list-checks.js';
import type { Problem } from '../../definitions/problem.js';
import {
  compositionsIn,
  roomAt,
  weightOf,
  type Composition,
  type StageRoom,
} from './rules-compositions.js';

/** An outcome's index must fit into 16 bits. */
const MOST_OUTCOMES = 2 ** 16 - 1;

/**
 * Every tier must be able to have every number of EXTRA stages that occurs, for their law is one and
 * the same whatever a ticket wins: some composition of its prize must have room. Of the stakes only
 * the first with problems is reported, since the others mostly repeat them.
 */
export function checkRoom(game: RowsGame): readonly Problem[] {
  for (const [index, stake] of game.stakes.entries()) {
    const problems = checkStake(game, stake, `/stakes/${index}/tiers`);
    if (problems.length > 0) return problems;
  }
  return [];
}

function checkStake(game: RowsGame, stake: Stake, pointer: string): readonly Problem[] {
  const laws = game.policy.extraStages.filter(({ weight }) => weight > 0);
  const rooms = laws.map((law) => roomAt({ game, stake, law }));
  const problems: Problem[] = [];
  // Losing tickets have one outcome for each number of stages.
  let outcomeCount = rooms.length;
  for (const [index, { prizeCents }] of stake.tiers.entries()) {
    const compositions = compositionsIn({ game, stake, prizeCents });
    if (compositions === undefined) return [...problems, tooManyOutcomes(pointer)];
    if (compositions.length === 0) {
      const expected = 'a sum of combinations whose number of rows has a positive weight';
      const place = `${pointer}/${index}/prize_cents`;
      problems.push({ pointer: place, found: String(prizeCents), expected });
      continue;
    }
    for (const room of rooms) {
      const allowed = compositions.filter(room.holds);
      outcomeCount += allowed.length;
      problems.push(...checkAllowed(allowed, { game, room, pointer: `${pointer}/${index}` }));
    }
    // Going on could take very long.
    if (outcomeCount > MOST_OUTCOMES) return [...problems, tooManyOutcomes(pointer)];
  }
  return problems;
}

function checkAllowed(
  allowed: readonly Composition[],
  options: { readonly game: RowsGame; readonly room: StageRoom; readonly pointer: string },
): readonly Problem[] {
  const { game, room, pointer } = options;
  if (allowed.length === 0) {
    const found = `no composition with room for ${room.stages} EXTRA`;
    const expected = 'one at each number of EXTRA stages, whose law is the same in every tier';
    return [{ pointer, found, expected }];
  }
  const weights = allowed.map((composition) => weightOf(game, composition));
  return checkWeights(weights, pointer);
}

function tooManyOutcomes(pointer: string): Problem {
  const found = 'too many ways to add up the prizes';
  const expected = `at most ${MOST_OUTCOMES} compositions, each counted at each number of stages`;
  return { pointer, found, expected };
}
