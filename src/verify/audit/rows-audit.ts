import type { RowsGame } from '../../definitions/game.js';
import { measureRows } from './measure-rows.js';
import { measureRowsChoices } from './measure-rows-choices.js';
import { measureRowsRepeats } from './measure-rows-repeats.js';
import type { SymbolAudit, SymbolAuditInput, SymbolObserver } from './observations.js';
import { RowsCounts } from './rows-counts.js';
import { RowsLaw } from './rows-law.js';
import { collisionChance } from './rows-placements.js';

/** The audit part of the rows mechanic. */
export function rowsAudit({ game, stake, outcomes }: SymbolAuditInput<RowsGame>): SymbolAudit {
  const law = new RowsLaw(game, stake);
  const stageLaws = game.policy.extraStages.filter(({ weight }) => weight > 0);
  const knowledge = { placements: new Map() };
  const chances = new Map<string, number>();
  return {
    observer(): SymbolObserver {
      const counts = new RowsCounts(law, game.blockSize);
      return {
        take: (window, record, outcome) => counts.take(window, record, outcome),
        measure: () => [
          ...measureRows(counts, law),
          ...measureRowsChoices({ counts, law, outcomes, stageLaws, knowledge }),
          ...measureRowsRepeats(counts, law),
        ],
        collisionClasses: () =>
          [...counts.vectors].map(([key, { outcome, extra, tickets }]) => {
            let chance = chances.get(key);
            if (chance === undefined) {
              const composition = outcomes[outcome]?.composition ?? [];
              chance = collisionChance(law, { composition, extra });
              chances.set(key, chance);
            }
            return { key, outcome, tickets, chance };
          }),
      };
    },
  };
}
