import { assert } from '../../core/assert.js';
import type { CollectGame, Game, Stake } from '../../definitions/game.js';
import { EvaluationIndex } from '../../verify/evaluation-index.js';
import type { Evaluation, Evaluator } from '../../verify/evaluator.js';
import { explainCollect } from './evaluator-explain.js';

/** The judging part of the collect mechanic (Lagon Paradis, articles 4.3 and 4.4). */
export function collectEvaluator(game: Game, stake: Stake): Evaluator {
  assert(game.mechanic === 'collect', `the collect evaluator was given a ${game.mechanic} game`);
  return new CollectEvaluator(game, stake);
}

/** Class of a letter that the game does not have. */
const UNKNOWN = 255;

class CollectEvaluator implements Evaluator {
  readonly #game: CollectGame;
  readonly #stake: Stake;
  /** By letter: its place among the game's symbols. */
  readonly #symbolOfLetter = new Uint8Array(256).fill(UNKNOWN);
  /** The symbol that each choice stands for. */
  readonly #playSymbols: Uint8Array;
  /** By symbol: the most of it in a grid where it is not the chosen one. */
  readonly #caps: Uint8Array;
  /** How often each symbol stands in the grid in hand; the last entry counts unknown letters. */
  readonly #counts = new Uint8Array(256);
  readonly #allowedCounts: ReadonlySet<number>;
  readonly #index = new EvaluationIndex();
  readonly evaluations = this.#index.evaluations;

  constructor(game: CollectGame, stake: Stake) {
    this.#game = game;
    this.#stake = stake;
    const cells = game.grid.rows * game.grid.columns;
    const { unchosenCap, neutralCap } = game.policy;
    game.symbols.forEach(({ code }, symbol) => {
      this.#symbolOfLetter[code.charCodeAt(0)] = symbol;
    });
    const places = game.symbols.map((_, symbol) => symbol);
    const isPlay = (symbol: number): boolean => game.symbols[symbol]?.role === 'play';
    this.#playSymbols = Uint8Array.from(places.filter(isPlay));
    this.#caps = Uint8Array.from(places, (symbol) =>
      Math.min((isPlay(symbol) ? unchosenCap : neutralCap) ?? cells, cells),
    );
    this.#allowedCounts = new Set([
      ...stake.payTable.map(({ count }) => count),
      ...game.policy.losingCounts.filter(({ weight }) => weight > 0).map(({ chosen }) => chosen),
    ]);
  }

  readonly evaluate: Evaluator['evaluate'] = ({ bytes }, { rowStarts, gridCount }) => {
    const choices = this.#playSymbols.length;
    if (gridCount !== choices) return -1;
    let chosenCount = -1;
    for (let choice = 0; choice < choices; choice += 1) {
      this.#countSymbols(bytes, rowStarts, choice);
      const chosen = this.#playSymbols[choice] ?? 0;
      const count = this.#counts[chosen] ?? 0;
      if (!this.#keepsCaps(chosen) || (choice > 0 && count !== chosenCount)) return -1;
      chosenCount = count;
    }
    if (!this.#allowedCounts.has(chosenCount)) return -1;
    return this.#index.indexOf(chosenCount, () => this.#evaluation(chosenCount));
  };

  readonly explain: Evaluator['explain'] = (grids) =>
    explainCollect(grids, { game: this.#game, payTable: this.#stake.payTable });

  #countSymbols(bytes: Uint8Array, rowStarts: Int32Array, choice: number): void {
    const { rows, columns } = this.#game.grid;
    const counts = this.#counts;
    counts.fill(0, 0, this.#caps.length);
    counts[UNKNOWN] = 0;
    for (let row = choice * rows; row < (choice + 1) * rows; row += 1) {
      const start = rowStarts[row] ?? 0;
      for (let at = start; at < start + columns; at += 1) {
        const symbol = this.#symbolOfLetter[bytes[at] ?? 0] ?? UNKNOWN;
        counts[symbol] = (counts[symbol] ?? 0) + 1;
      }
    }
  }

  #keepsCaps(chosen: number): boolean {
    for (let symbol = 0; symbol < this.#caps.length; symbol += 1) {
      const isOverCap = (this.#counts[symbol] ?? 0) > (this.#caps[symbol] ?? 0);
      if (symbol !== chosen && isOverCap) return false;
    }
    return this.#counts[UNKNOWN] === 0;
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
