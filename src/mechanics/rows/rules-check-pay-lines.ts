import { symbolCodes, type PayLine, type RowsGame } from '../../definitions/game.js';
import type { Problem } from '../../definitions/problem.js';

/** The combinations are the same at every stake, so they are judged at the first. */
const POINTER = '/stakes/0/pay_table';

/**
 * Combinations must be such that a row wins at most one: more than half of its cells, and every
 * count from a symbol's smallest up to the full row pays an amount of its own (article 4.4 of
 * Eldorado's regulation: 5 identical pay as 5, never also as 4).
 */
export function checkPayLines(game: RowsGame): readonly Problem[] {
  const lines = game.stakes[0]?.payTable ?? [];
  const codes = symbolCodes(game, 'pay');
  const problems = [
    ...lines.flatMap((line) => checkLine(line, { codes, columns: game.grid.columns })),
    ...codes.flatMap((code) => checkCounts(countsOf(code, lines), { code, game })),
  ];
  return problems.length > 0 ? problems : checkLosingRow(game, lines);
}

function checkLine(
  { symbol = '', count }: PayLine,
  { codes, columns }: { readonly codes: readonly string[]; readonly columns: number },
): readonly Problem[] {
  const problems: Problem[] = [];
  const found = `${count}${symbol}`;
  if (!codes.includes(symbol)) {
    const expected = `one of the pay symbols ${codes.join(', ')}`;
    problems.push({ pointer: POINTER, found, expected });
  }
  if (2 * count <= columns || count > columns) {
    const expected = `a count above half of the ${columns} cells of a row, and at most all`;
    problems.push({ pointer: POINTER, found, expected });
  }
  return problems;
}

function countsOf(code: string, lines: readonly PayLine[]): readonly number[] {
  return lines.filter(({ symbol }) => symbol === code).map(({ count }) => count);
}

function checkCounts(
  counts: readonly number[],
  { code, game }: { readonly code: string; readonly game: RowsGame },
): readonly Problem[] {
  if (counts.length === 0) {
    const expected = 'at least one combination of each pay symbol';
    return [{ pointer: POINTER, found: `no combination of ${code}`, expected }];
  }
  const problems: Problem[] = [];
  for (let count = Math.min(...counts) + 1; count <= game.grid.columns; count += 1) {
    if (counts.includes(count)) continue;
    const found = `${count - 1}${code} without ${count}${code}`;
    const expected = 'every count from the smallest that pays up to the full row';
    problems.push({ pointer: POINTER, found, expected });
  }
  return problems;
}

/** A row can lose if each symbol can stay below its smallest paying count. EXTRA only makes room. */
function checkLosingRow(game: RowsGame, lines: readonly PayLine[]): readonly Problem[] {
  const most = symbolCodes(game, 'pay').reduce(
    (sum, code) => sum + Math.min(...countsOf(code, lines)) - 1,
    0,
  );
  if (most >= game.grid.columns) return [];
  const found = `combinations that leave at most ${most} cells of a losing row`;
  return [{ pointer: POINTER, found, expected: `room for a losing row of ${game.grid.columns}` }];
}
