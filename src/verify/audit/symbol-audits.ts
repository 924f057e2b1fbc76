import type { Game, Stake } from '../../definitions/game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import { collectAudit } from './collect-audit.js';
import type { SymbolAudit } from './observations.js';
import { rowsAudit } from './rows-audit.js';

/** Makes the audit part of a game's mechanic for one stake; it serves all blocks of the game. */
export function makeSymbolAudit(game: Game, stake: Stake): SymbolAudit {
  const { outcomes } = planOutcomes(game, stake);
  switch (game.mechanic) {
    case 'rows':
      return rowsAudit({ game, stake, outcomes });
    case 'collect':
      return collectAudit({ game, stake, outcomes });
  }
}
