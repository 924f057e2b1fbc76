import type { Game, PayLine, Stake } from '../definitions/game.js';
import type { TicketRecord } from '../formats/ticket-record.js';

/** A cell as the player sees it. */
export interface CellPicture {
  readonly code: string;
  /** The symbol's name; its code where the game has no such symbol. */
  readonly name: string;
  /** Whether it is part of a winning combination. */
  readonly isWinning: boolean;
  /** Whether it opens a further stage. */
  readonly isTrigger: boolean;
}

/** A grid as the player sees it, and what it wins. */
export interface GridPicture {
  /** What is played: the main grid, an EXTRA stage by its number, or the grid of a choice. */
  readonly role:
    | { readonly kind: 'main' }
    | { readonly kind: 'extra'; readonly stage: number }
    | { readonly kind: 'choice'; readonly code: string; readonly name: string };
  readonly rows: readonly (readonly CellPicture[])[];
  /** By row: what it wins; empty where rows do not win by themselves. */
  readonly rowWins: readonly (PayLine | undefined)[];
  /** Symbols of the player's choice in the grid; only where there is a choice. */
  readonly chosenCount?: number;
  /** All that the grid wins, in the order of its rows. */
  readonly wins: readonly PayLine[];
}

/** The picture part of a mechanic: how its grids look to the player, and what wins in them. */
export type DrawGrids = (
  grids: TicketRecord['grids'],
  context: { readonly game: Game; readonly stake: Stake },
) => readonly GridPicture[];

/** A cell with its symbol's name; it wins nothing. */
export function cellPicture(code: string, { symbols }: Game): CellPicture {
  const symbol = symbols.find((candidate) => candidate.code === code);
  const isTrigger = symbol?.role === 'trigger';
  return { code, name: symbol?.id ?? code, isWinning: false, isTrigger };
}
