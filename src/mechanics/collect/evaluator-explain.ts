import type { CollectGame, GameSymbol, PayLine } from '../../definitions/game.js';
import type { Explanation, Fault } from '../../verify/evaluator.js';

/** What the careful judge of the collect mechanic needs to know. */
export interface CollectJudge {
  readonly game: CollectGame;
  readonly payTable: readonly PayLine[];
}

type Grids = readonly (readonly string[])[];

/** Judges a ticket's grids choice by choice, as the regulation tells it, and says what is wrong. */
export function explainCollect(grids: Grids, { game, payTable }: CollectJudge): Explanation {
  const playSymbols = game.symbols.filter(({ role }) => role === 'play');
  const chosenCounts = playSymbols
    .slice(0, grids.length)
    .map(({ code }, choice) => countOf(code, grids[choice] ?? []));
  const chosen = chosenCounts[0] ?? 0;
  const line = payTable.find(({ count }) => count === chosen);
  const faults: Fault[] = [];
  if (grids.length !== playSymbols.length) {
    const expected = `${playSymbols.length} grids, one for each choice`;
    faults.push({ code: 'grid-count', expected, found: String(grids.length) });
  }
  grids.forEach((rows, choice) => {
    faults.push(...symbolFaults(rows, choice, game));
    faults.push(...capFaults(rows, choice, { game, chosenSymbol: playSymbols[choice] }));
  });
  faults.push(...countFaults(chosenCounts, { game, payTable }));
  const evaluation = {
    prizeCents: line?.prizeCents ?? 0,
    combination: line === undefined ? '' : String(line.count),
    feature: chosen,
  };
  return { faults, evaluation };
}

function countOf(letter: string, rows: readonly string[]): number {
  return Array.from(rows.join('')).filter((cell) => cell === letter).length;
}

function symbolFaults(rows: readonly string[], choice: number, game: CollectGame): Fault[] {
  const known = game.symbols.map(({ code }) => code);
  return rows.flatMap((row, index) => {
    if (Array.from(row).every((letter) => known.includes(letter))) return [];
    const place = { grid: choice + 1, row: index + 1 };
    return [{ code: 'symbol' as const, ...place, expected: `only ${known.join('')}`, found: row }];
  });
}

function capFaults(
  rows: readonly string[],
  choice: number,
  context: { readonly game: CollectGame; readonly chosenSymbol: GameSymbol | undefined },
): Fault[] {
  const { unchosenCap, neutralCap } = context.game.policy;
  return context.game.symbols.flatMap((symbol) => {
    const cap = symbol.role === 'play' ? unchosenCap : neutralCap;
    const count = countOf(symbol.code, rows);
    if (cap === null || count <= cap || symbol.code === context.chosenSymbol?.code) return [];
    const expected = `at most ${cap} of ${symbol.code}, which is not the chosen symbol`;
    return [{ code: 'symbol-cap' as const, grid: choice + 1, expected, found: String(count) }];
  });
}

/** Article 4.3: the result does not depend on the choice. Article 4.4: what wins, what does not. */
function countFaults(chosenCounts: readonly number[], { game, payTable }: CollectJudge): Fault[] {
  if (new Set(chosenCounts).size > 1) {
    const expected = 'the same number of chosen symbols whatever the choice';
    return [{ code: 'choices-differ', expected, found: chosenCounts.join(', ') }];
  }
  const losing = game.policy.losingCounts.filter(({ weight }) => weight > 0);
  const allowed = [...losing.map(({ chosen }) => chosen), ...payTable.map(({ count }) => count)];
  const chosen = chosenCounts[0] ?? 0;
  if (allowed.includes(chosen)) return [];
  const expected = `one of ${allowed.sort((a, b) => a - b).join(', ')} chosen symbols`;
  return [{ code: 'chosen-count', expected, found: String(chosen) }];
}
