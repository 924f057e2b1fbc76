import { assert, defined } from '../../core/assert.js';
import type { Game, PayLine, RowsGame, Stake } from '../../definitions/game.js';
import { EvaluationIndex } from '../../verify/evaluation-index.js';
import type {
  ByteWindow,
  DecodedRecord,
  Evaluation,
  Evaluator,
  Explanation,
} from '../../verify/evaluator.js';
import { LetterValues } from '../../verify/letter-values.js';
import { explainRows } from './evaluator-explain.js';

/** The judging part of the rows mechanic (Eldorado, articles 4.4 to 4.6). */
export function rowsEvaluator(game: Game, stake: Stake): Evaluator {
  assert(game.mechanic === 'rows', `the rows evaluator was given a ${game.mechanic} game`);
  return new RowsEvaluator(game, stake);
}

/** A letter that the game does not have makes any row's code negative. */
const UNKNOWN_LETTER = -(2 ** 26);

/**
 * An allowed vector has at most eleven grids of at most ten EXTRA symbols, so its key is exact and
 * below 2^44; the key of a longer one is larger, and that of a richer one has another EXTRA total.
 */
const VECTOR_BASE = 16;

/** No row of a ticket wins twice and a ticket has at most 64 grids of 8 rows. */
const MOST_WINS = 512;

/** With one more, the key of a ticket's wins would no longer be exact as a number. */
const MOST_WINS_OF_NUMBER = 5;

class RowsEvaluator implements Evaluator {
  readonly #game: RowsGame;
  readonly #payTable: readonly PayLine[];
  readonly #symbolCount: number;
  /** Reads a row as a number to the base of the symbol count: its code. */
  readonly #letters: LetterValues;
  /** By row code: the pay table index of the line that the row wins plus one, or 0. */
  readonly #lineOfRow: Uint8Array;
  /** By row code: its number of EXTRA symbols. */
  readonly #extraOfRow: Uint8Array;
  /** The definition's EXTRA vectors, joined by commas, and as numbers to the base 16. */
  readonly #allowedVectors: ReadonlySet<string>;
  readonly #allowedVectorKeys: ReadonlySet<number>;
  /** Whether tickets without EXTRA may occur: most are such, so the answer stands ready. */
  readonly #isPlainAllowed: boolean;
  readonly #index = new EvaluationIndex();
  readonly #wins = new Uint8Array(MOST_WINS);
  readonly evaluations = this.#index.evaluations;

  constructor(game: RowsGame, stake: Stake) {
    this.#game = game;
    this.#payTable = stake.payTable;
    this.#symbolCount = game.symbols.length;
    const digits = new Map(game.symbols.map(({ code }, value) => [code, value]));
    this.#letters = new LetterValues(digits, this.#symbolCount, UNKNOWN_LETTER);
    const rowCount = game.symbols.length ** game.grid.columns;
    this.#lineOfRow = new Uint8Array(rowCount);
    this.#extraOfRow = new Uint8Array(rowCount);
    this.#judgeAllRows();
    const vectors = game.policy.extraStages
      .filter(({ weight }) => weight > 0)
      .flatMap((law) => law.vectors.filter(({ weight }) => weight > 0))
      .map(({ extra }) => extra);
    this.#allowedVectors = new Set(vectors.map((extra) => extra.join()));
    this.#isPlainAllowed = this.#allowedVectors.has('0');
    this.#allowedVectorKeys = new Set(
      vectors.map((extra) => extra.reduce((key, count) => key * VECTOR_BASE + count, 0)),
    );
  }

  evaluate({ view }: ByteWindow, { rowStarts, gridCount }: DecodedRecord): number {
    const { rows, columns } = this.#game.grid;
    let extraCount = 0;
    let winCount = 0;
    let vectorKey = 0;
    for (let grid = 0; grid < gridCount; grid += 1) {
      // Stage `grid` opens only if the grids before it hold that many EXTRA symbols.
      if (extraCount < grid) return -1;
      const extraBefore = extraCount;
      for (let row = grid * rows; row < (grid + 1) * rows; row += 1) {
        const code = this.#letters.numberAt(view, rowStarts[row] ?? 0, columns);
        if (code < 0) return -1;
        extraCount += this.#extraOfRow[code] ?? 0;
        const line = this.#lineOfRow[code] ?? 0;
        if (line > 0) {
          this.#wins[winCount] = line;
          winCount += 1;
        }
      }
      vectorKey = vectorKey * VECTOR_BASE + extraCount - extraBefore;
    }
    if (extraCount !== gridCount - 1) return -1;
    if (extraCount === 0 ? !this.#isPlainAllowed : !this.#allowedVectorKeys.has(vectorKey))
      return -1;
    return this.#indexOf(winCount, extraCount);
  }

  explain(grids: readonly (readonly string[])[]): Explanation {
    return explainRows(grids, {
      game: this.#game,
      payTable: this.#payTable,
      allowedVectors: this.#allowedVectors,
    });
  }

  /** Judges every possible row of letters once, cell by cell. */
  #judgeAllRows(): void {
    const { columns } = this.#game.grid;
    const symbols = this.#symbolCount;
    const counts = new Uint8Array(symbols);
    const trigger = this.#game.symbols.findIndex(({ role }) => role === 'trigger');
    const payLines = this.#payLines();
    for (let code = 0; code < this.#lineOfRow.length; code += 1) {
      counts.fill(0);
      for (let rest = code, cell = 0; cell < columns; cell += 1) {
        const value = rest % symbols;
        counts[value] = (counts[value] ?? 0) + 1;
        rest = (rest - value) / symbols;
      }
      this.#extraOfRow[code] = counts[trigger] ?? 0;
      for (let value = 0; value < symbols; value += 1) {
        const line = payLines[value * (columns + 1) + (counts[value] ?? 0)] ?? 0;
        if (line > 0) this.#lineOfRow[code] = line;
      }
    }
  }

  /** By symbol, then by how often it stands in a row: the pay table index plus one, or 0. */
  #payLines(): Uint8Array {
    const { columns } = this.#game.grid;
    const payLines = new Uint8Array(this.#symbolCount * (columns + 1));
    this.#payTable.forEach(({ symbol, count }, index) => {
      const value = this.#game.symbols.findIndex(({ code }) => code === symbol);
      payLines[value * (columns + 1) + count] = index + 1;
    });
    return payLines;
  }

  #indexOf(winCount: number, extraCount: number): number {
    if (winCount > 1) this.#sortWins(winCount);
    const key = this.#keyOf(winCount, extraCount);
    const known = this.#index.find(key);
    return known >= 0 ? known : this.#index.add(key, this.#evaluation(winCount, extraCount));
  }

  /** Puts the ticket's wins in the order of the pay table. */
  #sortWins(winCount: number): void {
    const wins = this.#wins;
    for (let index = 1; index < winCount; index += 1) {
      const win = wins[index] ?? 0;
      let place = index;
      for (; place > 0 && (wins[place - 1] ?? 0) > win; place -= 1) {
        wins[place] = wins[place - 1] ?? 0;
      }
      wins[place] = win;
    }
  }

  /** The EXTRA symbols (63 at most) and each win (60 lines at most, from 1) are a byte of the key. */
  #keyOf(winCount: number, extraCount: number): number | string {
    const wins = this.#wins;
    if (winCount > MOST_WINS_OF_NUMBER) return `${extraCount}:${wins.subarray(0, winCount).join()}`;
    let key = 0;
    for (let index = winCount - 1; index >= 0; index -= 1) key = key * 256 + (wins[index] ?? 0);
    return key * 256 + extraCount;
  }

  #evaluation(winCount: number, extraCount: number): Evaluation {
    const lines = [...this.#wins.subarray(0, winCount)].map((line) =>
      defined(this.#payTable[line - 1], 'a line of the pay table'),
    );
    return {
      prizeCents: lines.reduce((sum, line) => sum + line.prizeCents, 0),
      combination: lines.map(({ count, symbol }) => `${count}${symbol ?? ''}`).join('+'),
      feature: extraCount,
    };
  }
}
