import type { RowKind, RowsLaw } from './rows-law.js';

/** What follows from the law of rows, enumerated row by row. */
export interface RowPatterns {
  /** By kind, column and symbol: the chance that the symbol stands there. */
  readonly cells: readonly (readonly (readonly number[])[])[];
  /** By left column, then by left and right symbol: neighbours in a losing row without EXTRA. */
  readonly pairs: readonly (readonly number[])[];
  /** By kind, `undefined` where it wins: which rows are one short of a win. */
  readonly near: readonly (NearRows | undefined)[];
  /** The symbols of a losing row without EXTRA. */
  readonly filler: { readonly mean: readonly number[]; readonly covariance: readonly number[] };
}

/** Rows of a kind that are one symbol short of the smallest winning count of this symbol. */
interface NearRows {
  readonly chance: number;
  /** By the row's index within its kind: the symbol plus one, or 0. */
  readonly symbols: readonly number[];
}

const known = new WeakMap<RowsLaw, RowPatterns>();

/** The patterns of a law, worked out once. */
export function patternsOf(law: RowsLaw): RowPatterns {
  let patterns = known.get(law);
  if (patterns === undefined) {
    patterns = {
      cells: law.kinds.map((kind) => cellChances(law, kind)),
      pairs: pairChances(law),
      near: law.kinds.map((kind) => (kind.line < 0 ? nearRows(law, kind) : undefined)),
      filler: symbolMoments(law),
    };
    known.set(law, patterns);
  }
  return patterns;
}

function cellChances(law: RowsLaw, { codes }: RowKind): readonly (readonly number[])[] {
  return Array.from({ length: law.columns }, (_, column) => {
    const chances = new Array<number>(law.symbolCount).fill(0);
    for (const code of codes) {
      const symbol = law.symbolAt(code, column);
      chances[symbol] = (chances[symbol] ?? 0) + 1 / codes.length;
    }
    return chances;
  });
}

function pairChances(law: RowsLaw): readonly (readonly number[])[] {
  const { codes } = law.plain;
  return Array.from({ length: law.columns - 1 }, (_, column) => {
    const chances = new Array<number>(law.symbolCount ** 2).fill(0);
    for (const code of codes) {
      const pair = law.symbolAt(code, column) * law.symbolCount + law.symbolAt(code, column + 1);
      chances[pair] = (chances[pair] ?? 0) + 1 / codes.length;
    }
    return chances;
  });
}

function nearRows(law: RowsLaw, { codes }: RowKind): NearRows {
  const symbols = codes.map((code) => {
    const counts = law.symbolsOf(code);
    return 1 + counts.findIndex((count, symbol) => count === (law.nearCounts[symbol] ?? -1));
  });
  return { chance: symbols.filter((symbol) => symbol > 0).length / codes.length, symbols };
}

function symbolMoments(law: RowsLaw): RowPatterns['filler'] {
  const size = law.symbolCount;
  const mean = new Array<number>(size).fill(0);
  const products = new Array<number>(size * size).fill(0);
  const { codes } = law.plain;
  for (const code of codes) {
    const counts = law.symbolsOf(code);
    counts.forEach((count, symbol) => {
      mean[symbol] = (mean[symbol] ?? 0) + count / codes.length;
      counts.forEach((other, second) => {
        const at = symbol * size + second;
        products[at] = (products[at] ?? 0) + (count * other) / codes.length;
      });
    });
  }
  const covariance = products.map(
    (product, at) => product - (mean[Math.floor(at / size)] ?? 0) * (mean[at % size] ?? 0),
  );
  return { mean, covariance };
}
