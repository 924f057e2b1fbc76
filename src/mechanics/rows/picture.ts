import type { PayLine } from '../../definitions/game.js';
import { cellPicture, type DrawGrids } from '../../view/grid-picture.js';

/** The main grid and its EXTRA stages; so many identical symbols in a row win (article 4.4). */
export const drawRowsGrids: DrawGrids = (grids, { game, stake }) =>
  grids.map((rows, grid) => {
    const rowWins = rows.map((row) => winOf(row, stake.payTable));
    return {
      role: grid === 0 ? { kind: 'main' } : { kind: 'extra', stage: grid },
      rows: rows.map((row, index) =>
        Array.from(row, (code) => ({
          ...cellPicture(code, game),
          isWinning: code === rowWins[index]?.symbol,
        })),
      ),
      rowWins,
      wins: rowWins.filter((line) => line !== undefined),
    };
  });

function winOf(row: string, payTable: readonly PayLine[]): PayLine | undefined {
  return payTable.find(({ symbol, count }) => {
    return Array.from(row).filter((code) => code === symbol).length === count;
  });
}
