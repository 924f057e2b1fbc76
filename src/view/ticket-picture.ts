import type { Game, Stake } from '../definitions/game.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import type { Fault } from '../verify/evaluator.js';
import { makeEvaluator } from '../verify/evaluators.js';
import type { GridPicture } from './grid-picture.js';
import { mechanicPictures } from './mechanic-pictures.js';

/** A ticket as the player sees it, with its sum worked out from the symbols alone. */
export interface TicketPicture {
  readonly ticket: number;
  /** What its record says. */
  readonly prizeCents: number;
  readonly combination: string;
  /** What its symbols amount to under the rules. */
  readonly symbolsCents: number;
  /** What is against the rules about it, and nothing on a ticket that is right. */
  readonly faults: readonly Fault[];
  readonly grids: readonly GridPicture[];
}

/** Pictures tickets of a game at one stake. */
export function ticketPictures(
  records: readonly TicketRecord[],
  { game, stake }: { readonly game: Game; readonly stake: Stake },
): readonly TicketPicture[] {
  const evaluator = makeEvaluator(game, stake);
  const drawGrids = mechanicPictures(game.mechanic);
  return records.map(({ ticket, prize_cents, combination, grids }) => {
    const { faults, evaluation } = evaluator.explain(grids);
    return {
      ticket,
      prizeCents: prize_cents,
      combination,
      symbolsCents: evaluation.prizeCents,
      faults,
      grids: drawGrids(grids, { game, stake }),
    };
  });
}
