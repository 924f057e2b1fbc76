import type { CollectGame } from '../../definitions/game.js';
import { CollectCounts } from './collect-counts.js';
import { collectLaw } from './collect-law.js';
import { measureCollect } from './measure-collect.js';
import type { SymbolAudit, SymbolAuditInput, SymbolObserver } from './observations.js';

/** The audit part of the collect mechanic. */
export function collectAudit({
  game,
  stake,
  outcomes,
}: SymbolAuditInput<CollectGame>): SymbolAudit {
  const law = collectLaw(game, stake);
  const chosenOf = outcomes.map(({ feature }) => feature);
  const winningCounts = new Set(
    outcomes.filter(({ prizeCents }) => prizeCents > 0).map(({ feature }) => feature),
  );
  return {
    observer(): SymbolObserver {
      const counts = new CollectCounts(law);
      return {
        take: (window, record, outcome) => counts.take(window, record, chosenOf[outcome] ?? 0),
        measure: () => measureCollect(counts, law, winningCounts),
        collisionClasses: () =>
          outcomes.map(({ feature }, outcome) => {
            const tickets = counts.tickets[feature] ?? 0;
            const chance = law.choices.reduce(
              (product, choice) => product / choice.gridCount(feature),
              1,
            );
            return { key: String(feature), outcome, tickets, chance };
          }),
      };
    },
  };
}
