import { assert } from '../../core/assert.js';
import type { CollectGame, Game, GameSymbol, Stake } from '../../definitions/game.js';
import { EvaluationIndex } from '../../verify/evaluation-index.js';
import type {
  ByteWindow,
  DecodedRecord,
  Evaluation,
  Evaluator,
  Explanation,
} from '../../verify/evaluator.js';
import { LetterValues } from '../../verify/letter-values.js';
import { explainCollect } from './evaluator-explain.js';

/** The judging part of the collect mechanic (Lagon Paradis, articles 4.3 and 4.4). */
export function collectEvaluator(game: Game, stake: Stake): Evaluator {
  assert(game.mechanic === 'collect', `the collect evaluator was given a ${game.mechanic} game`);
  return new CollectEvaluator(game, stake);
}

/** A letter that the game does not have makes any grid's counts negative. */
const UNKNOWN_LETTER = -(2 ** 31);

/** Bits of a word of counts; its sign tells of unknown letters. */
const WORD_BITS = 31;

class CollectEvaluator implements Evaluator {
  readonly #game: CollectGame;
  readonly #stake: Stake;
  /** How many choices a ticket has: the play symbols, which are the first ones counted. */
  readonly #choices: number;
  /** By counted symbol: the most of it in a grid where it is not the chosen one. */
  readonly #caps: Uint8Array;
  /** How often each counted symbol stands in the grid in hand. */
  readonly #counts: Uint8Array;
  /** Counts travel several to a word, each in so many bits. */
  readonly #bitsOfCount: number;
  readonly #countsOfWord: number;
  /** By word: what each letter adds to it. */
  readonly #words: readonly LetterValues[];
  readonly #allowedCounts: ReadonlySet<number>;
  readonly #index = new EvaluationIndex();
  readonly evaluations = this.#index.evaluations;

  constructor(game: CollectGame, stake: Stake) {
    this.#game = game;
    this.#stake = stake;
    const cells = game.grid.rows * game.grid.columns;
    const { unchosenCap, neutralCap } = game.policy;
    const play = game.symbols.filter(({ role }) => role === 'play');
    const neutral = game.symbols.filter(({ role }) => role !== 'play');
    // Symbols that may stand anywhere and pay nothing need no counting.
    const counted = neutralCap === null ? play : [...play, ...neutral];
    this.#choices = play.length;
    this.#caps = Uint8Array.from(counted, (symbol) =>
      Math.min((play.includes(symbol) ? unchosenCap : neutralCap) ?? cells, cells),
    );
    this.#counts = new Uint8Array(counted.length);
    this.#bitsOfCount = Math.ceil(Math.log2(cells + 1));
    this.#countsOfWord = Math.floor(WORD_BITS / this.#bitsOfCount);
    this.#words = this.#makeWords(counted);
    this.#allowedCounts = new Set([
      ...stake.payTable.map(({ count }) => count),
      ...game.policy.losingCounts.filter(({ weight }) => weight > 0).map(({ chosen }) => chosen),
    ]);
  }

  evaluate({ view }: ByteWindow, { rowStarts, gridCount }: DecodedRecord): number {
    const choices = this.#choices;
    if (gridCount !== choices) return -1;
    let chosenCount = -1;
    for (let choice = 0; choice < choices; choice += 1) {
      if (!this.#countSymbols(view, rowStarts, choice) || !this.#keepsCaps(choice)) return -1;
      const count = this.#counts[choice] ?? 0;
      if (choice > 0 && count !== chosenCount) return -1;
      chosenCount = count;
    }
    if (!this.#allowedCounts.has(chosenCount)) return -1;
    const known = this.#index.find(chosenCount);
    return known >= 0 ? known : this.#index.add(chosenCount, this.#evaluation(chosenCount));
  }

  explain(grids: readonly (readonly string[])[]): Explanation {
    return explainCollect(grids, { game: this.#game, payTable: this.#stake.payTable });
  }

  /** Counts the symbols of a choice's grid. Returns whether the game has all of them. */
  #countSymbols(view: DataView, rowStarts: Int32Array, choice: number): boolean {
    const { rows, columns } = this.#game.grid;
    const firstRow = choice * rows;
    for (let word = 0; word < this.#words.length; word += 1) {
      const letters = this.#words[word];
      let packed = 0;
      for (let row = firstRow; row < firstRow + rows; row += 1) {
        packed += letters?.numberAt(view, rowStarts[row] ?? 0, columns) ?? 0;
      }
      if (packed < 0) return false;
      this.#unpackCounts(packed, word * this.#countsOfWord);
    }
    return true;
  }

  #unpackCounts(packed: number, firstSymbol: number): void {
    const counts = this.#counts;
    const bits = this.#bitsOfCount;
    const end = Math.min(firstSymbol + this.#countsOfWord, counts.length);
    let rest = packed;
    for (let symbol = firstSymbol; symbol < end; symbol += 1) {
      counts[symbol] = rest & ((1 << bits) - 1);
      rest >>= bits;
    }
  }

  #makeWords(counted: readonly GameSymbol[]): readonly LetterValues[] {
    const perWord = this.#countsOfWord;
    return Array.from({ length: Math.ceil(counted.length / perWord) }, (_, word) => {
      const inWord = counted.slice(word * perWord, (word + 1) * perWord);
      const digits = this.#game.symbols.map((symbol) => {
        const place = inWord.indexOf(symbol);
        return [symbol.code, place < 0 ? 0 : 2 ** (this.#bitsOfCount * place)] as const;
      });
      return new LetterValues(new Map(digits), 1, UNKNOWN_LETTER);
    });
  }

  #keepsCaps(choice: number): boolean {
    for (let symbol = 0; symbol < this.#caps.length; symbol += 1) {
      const isOverCap = (this.#counts[symbol] ?? 0) > (this.#caps[symbol] ?? 0);
      if (isOverCap && symbol !== choice) return false;
    }
    return true;
  }

  #evaluation(chosenCount: number): Evaluation {
    const line = this.#stake.payTable.find(({ count }) => count === chosenCount);
    return {
      prizeCents: line?.prizeCents ?? 0,
      combination: line === undefined ? '' : String(line.count),
      feature: chosenCount,
    };
  }
}
