import type { MechanicId } from '../definitions/game.js';
import { drawCollectGrids } from '../mechanics/collect/picture.js';
import { drawRowsGrids } from '../mechanics/rows/picture.js';
import type { DrawGrids } from './grid-picture.js';

const PICTURES: Readonly<Record<MechanicId, DrawGrids>> = {
  rows: drawRowsGrids,
  collect: drawCollectGrids,
};

/** How the grids of a mechanic look. */
export function mechanicPictures(mechanic: MechanicId): DrawGrids {
  return PICTURES[mechanic];
}
