import { symbolCodes } from '../../definitions/game.js';
import { cellPicture, type DrawGrids } from '../../view/grid-picture.js';

/** One grid for each choice; so many of the chosen symbol anywhere in it win (article 4.4). */
export const drawCollectGrids: DrawGrids = (grids, { game, stake }) => {
  const choices = symbolCodes(game, 'play');
  return grids.map((rows, choice) => {
    const code = choices[choice] ?? '';
    const cells = rows.map((row) => Array.from(row, (letter) => cellPicture(letter, game)));
    const chosenCount = cells.flat().filter((cell) => cell.code === code).length;
    const win = stake.payTable.find(({ count }) => count === chosenCount);
    return {
      role: { kind: 'choice', code, name: cellPicture(code, game).name },
      rows: cells.map((row) =>
        row.map((cell) => ({ ...cell, isWinning: win !== undefined && cell.code === code })),
      ),
      rowWins: [],
      chosenCount,
      wins: win === undefined ? [] : [win],
    };
  });
};
