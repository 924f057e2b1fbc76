import { symbolCodes, type RowsGame } from '../../definitions/game.js';
import type { Problem } from '../../definitions/problem.js';
import { checkPayLines } from './rules-check-pay-lines.js';
import { checkPolicy } from './rules-check-policy.js';
import { checkRoom } from './rules-check-room.js';

/** The synthesizer lists all rows that the symbols can form; their number bounds its memory. */
const MOST_ROWS = 2 ** 20;

/**
 * What the rows mechanic asks of a game beyond the schema and the sums: symbols, combinations and
 * policy that fit each other, and room for every prize at every number of EXTRA stages.
 */
export function checkRows(game: RowsGame): readonly Problem[] {
  const problems = [...checkRoles(game), ...checkPayLines(game), ...checkPolicy(game)];
  // Room is counted from all these, so it can only be counted once they are right.
  return problems.length > 0 ? problems : checkRoom(game);
}

function checkRoles(game: RowsGame): readonly Problem[] {
  const problems: Problem[] = [];
  const triggers = symbolCodes(game, 'trigger');
  if (triggers.length > 1) {
    const found = `${triggers.length} trigger symbols (${triggers.join(', ')})`;
    problems.push({ pointer: '/symbols', found, expected: 'at most one' });
  }
  const payCount = symbolCodes(game, 'pay').length;
  if (payCount < 2) {
    const expected = 'at least 2, or no row could lose';
    problems.push({ pointer: '/symbols', found: `${payCount} pay symbols`, expected });
  }
  const rowCount = (payCount + 1) ** game.grid.columns;
  if (rowCount > MOST_ROWS) {
    const found = `${rowCount} different rows of ${payCount} pay symbols and EXTRA`;
    problems.push({ pointer: '/grid/columns', found, expected: `at most ${MOST_ROWS}` });
  }
  return problems;
}
