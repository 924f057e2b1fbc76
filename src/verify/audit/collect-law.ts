import type { CollectGame, Stake } from '../../definitions/game.js';

/** The law of one choice's grids: uniform over all with so many chosen symbols and all caps kept. */
export interface ChoiceLaw {
  /** The chosen symbol: its letter, and its place among the game's symbols. */
  readonly letter: string;
  readonly chosen: number;
  /** By symbol, then by count: the chance of that count beside `k` chosen ones. */
  countChances(k: number): readonly (readonly number[])[];
  /** The number of grids with `k` chosen symbols. */
  gridCount(k: number): number;
}

/** What the collect mechanic's tickets are held against. */
export interface CollectLaw {
  readonly rows: number;
  readonly columns: number;
  readonly cells: number;
  readonly letters: readonly string[];
  readonly choices: readonly ChoiceLaw[];
  /** By symbol: whether it can be chosen. */
  readonly isPlay: readonly boolean[];
  /** As many of a play symbol that was not chosen look like a missed win. */
  readonly nearCount: number;
}

/** Works out the law of a game's grids by exact counting. */
export function collectLaw(game: CollectGame, stake: Stake): CollectLaw {
  const { rows, columns } = game.grid;
  const isPlay = game.symbols.map(({ role }) => role === 'play');
  const smallestWin = stake.payTable.reduce((least, { count }) => Math.min(least, count), Infinity);
  const choices = game.symbols.flatMap(({ code }, symbol) =>
    isPlay[symbol] === true ? [choiceLaw(game, symbol, code)] : [],
  );
  return {
    rows,
    columns,
    cells: rows * columns,
    letters: game.symbols.map(({ code }) => code),
    choices,
    isPlay,
    nearCount: game.policy.unchosenCap ?? smallestWin - 1,
  };
}

function choiceLaw(game: CollectGame, chosen: number, letter: string): ChoiceLaw {
  const cells = game.grid.rows * game.grid.columns;
  const series = game.symbols.map(({ role }, symbol) => {
    const cap = role === 'play' ? game.policy.unchosenCap : game.policy.neutralCap;
    return symbol === chosen ? [1] : exponentialSeries(Math.min(cap ?? cells, cells));
  });
  const all = series.reduce((product, factor) => multiply(product, factor, cells), [1]);
  const others = series.map((_, symbol) =>
    series
      .filter((__, index) => index !== symbol)
      .reduce((product, factor) => multiply(product, factor, cells), [1]),
  );
  const known: (readonly (readonly number[])[])[] = [];
  return {
    letter,
    chosen,
    countChances: (k) =>
      (known[k] ??= series.map((own, symbol) =>
        symbol === chosen
          ? Array.from({ length: k + 1 }, (_, count) => (count === k ? 1 : 0))
          : own.map(
              (weight, count) =>
                (weight * (others[symbol]?.[cells - k - count] ?? 0)) / (all[cells - k] ?? 0),
            ),
      )),
    // The chosen cells, and the fillings of the others, whose generating function is exponential.
    gridCount: (k) => (factorial(cells) / factorial(k)) * (all[cells - k] ?? 0),
  };
}

/** One symbol's part of the generating function: its count can be anything up to the cap. */
function exponentialSeries(cap: number): readonly number[] {
  return Array.from({ length: cap + 1 }, (_, count) => 1 / factorial(count));
}

function multiply(a: readonly number[], b: readonly number[], degree: number): readonly number[] {
  return Array.from({ length: Math.min(degree, a.length + b.length - 2) + 1 }, (_, power) => {
    let sum = 0;
    for (let first = Math.max(0, power - b.length + 1); first <= power; first += 1) {
      sum += (a[first] ?? 0) * (b[power - first] ?? 0);
    }
    return sum;
  });
}

function factorial(n: number): number {
  let product = 1;
  for (let factor = 2; factor <= n; factor += 1) product *= factor;
  return product;
}
