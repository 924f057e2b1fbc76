import type { Game } from '../definitions/game.js';
import type { Fault } from './evaluator.js';

/** What is wrong with how many grids there are, and rows and cells in them, before any symbol is looked at. */
export function shapeFaults(
  { rows, columns }: Game['grid'],
  grids: readonly (readonly string[])[],
): readonly Fault[] {
  const expected = `${rows} rows of ${columns}`;
  if (grids.length === 0) return [{ code: 'grid-count', expected: 'a grid', found: 'none' }];
  return grids.flatMap((grid, index): readonly Fault[] => {
    const isRight = grid.length === rows && grid.every((row) => Array.from(row).length === columns);
    return isRight
      ? []
      : [{ code: 'grid-shape', grid: index + 1, expected, found: grid.join('/') }];
  });
}
