import { assert } from '../../core/assert.js';
import { ROW_BYTES } from '../../core/row-text.js';
import type { CollectGame } from '../../definitions/game.js';
import type { RandomStream } from '../../engine/random-stream.js';
import { SubsetTables } from '../../engine/subsets.js';
import type { Synthesizer, SynthesizerInput } from '../../engine/synthesizer.js';
import { WeightedChoice } from '../../engine/weighted-choice.js';
import { binomial, fillersOf, fillingWays, playCodes, type Fillers } from './rules-counting.js';
import { FreeCells } from './synthesizer-free-cells.js';

/** The drawing part of the collect mechanic: one grid for each choice, in the order of choices. */
export function collectSynthesizer({ game, outcomes }: SynthesizerInput): Synthesizer {
  assert(game.mechanic === 'collect', `the collect synthesizer was given a ${game.mechanic} game`);
  const subsets = new SubsetTables();
  const choices = playCodes(game).map((code) => new ChoiceGrids(game, code, subsets));
  const chosenOf = Uint8Array.from(outcomes, ({ feature }) => feature);
  return {
    draw(ticketOutcomes, stream, rows) {
      const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
      let end = 0;
      for (const outcome of ticketOutcomes) {
        const chosen = chosenOf[outcome] ?? 0;
        for (const choice of choices) {
          choice.draw(chosen, stream, { rows, bytes, firstRow: end });
          end += game.grid.rows;
        }
      }
      return end;
    },
  };
}

/** Where a grid is drawn: the rows of the chunk, the same memory as bytes, and its first row. */
interface Place {
  readonly rows: Float64Array;
  readonly bytes: Uint8Array;
  readonly firstRow: number;
}

/**
 * Draws the grids of one choice, uniformly over all with exactly so many chosen symbols and all caps
 * kept. The free symbols are drawn for every cell first; then the chosen symbol, and after it each
 * capped symbol in the definition's order, takes a uniform subset of the cells not yet taken.
 */
class ChoiceGrids {
  readonly #chosenLetter: number;
  readonly #cappedLetters: Uint8Array;
  readonly #freeCells: FreeCells;
  readonly #fillers: Fillers;
  readonly #ways: readonly (readonly bigint[])[];
  /** How many cells a capped symbol takes: by symbol, then by the number of cells left. */
  readonly #countChoices: (WeightedChoice | undefined)[][];
  readonly #subsets: SubsetTables;
  /** Where each cell stands among the bytes of its grid. */
  readonly #cellOffsets: Uint8Array;
  /** The offsets of the cells not yet taken, ascending, and how many they are. */
  readonly #left: Uint8Array;
  #leftCount = 0;

  constructor(game: CollectGame, code: string, subsets: SubsetTables) {
    const { rows, columns } = game.grid;
    this.#chosenLetter = code.charCodeAt(0);
    this.#fillers = fillersOf(game, code);
    this.#cappedLetters = Uint8Array.from(this.#fillers.capped, (item) => item.code.charCodeAt(0));
    this.#freeCells = new FreeCells(this.#fillers.free, game.grid);
    this.#ways = fillingWays(this.#fillers, rows * columns);
    this.#countChoices = this.#fillers.capped.map(() => []);
    this.#subsets = subsets;
    this.#cellOffsets = Uint8Array.from(
      { length: rows * columns },
      (_, cell) => Math.floor(cell / columns) * ROW_BYTES + (cell % columns),
    );
    this.#left = new Uint8Array(rows * columns);
  }

  draw(chosen: number, stream: RandomStream, place: Place): void {
    this.#freeCells.draw(stream, place.rows, place.firstRow);
    this.#left.set(this.#cellOffsets);
    this.#leftCount = this.#cellOffsets.length;
    this.#takeCells(this.#chosenLetter, chosen, stream, place);
    for (let symbol = 0; symbol < this.#cappedLetters.length; symbol += 1) {
      const count = this.#countChoice(symbol).pick(stream);
      this.#takeCells(this.#cappedLetters[symbol] ?? 0, count, stream, place);
    }
  }

  /** Writes a letter into a uniform subset of the cells left, and leaves the others. */
  #takeCells(letter: number, count: number, stream: RandomStream, place: Place): void {
    if (count === 0) return;
    const left = this.#left;
    const subsets = this.#subsets.get(this.#leftCount, count);
    const { order } = subsets;
    const start = subsets.locate(stream.uniform(subsets.count));
    const base = place.firstRow * ROW_BYTES;
    for (let index = 0; index < count; index += 1) {
      place.bytes[base + (left[order[start + index] ?? 0] ?? 0)] = letter;
    }
    this.#leftCount -= count;
    // The n-th cell left never stands before position n, so the list can close up in place.
    for (let index = 0; index < this.#leftCount; index += 1) {
      left[index] = left[order[start + count + index] ?? 0] ?? 0;
    }
  }

  /** How many of the cells left a capped symbol takes: each number weighs the grids it allows. */
  #countChoice(symbol: number): WeightedChoice {
    const choices = this.#countChoices[symbol] ?? [];
    const cells = this.#leftCount;
    let choice = choices[cells];
    if (choice === undefined) {
      const cap = Math.min(this.#fillers.capped[symbol]?.cap ?? 0, cells);
      const waysAfter = this.#ways[symbol + 1] ?? [];
      choice = new WeightedChoice(
        Array.from(
          { length: cap + 1 },
          (_, count) => binomial(cells, count) * (waysAfter[cells - count] ?? 0n),
        ),
      );
      choices[cells] = choice;
    }
    return choice;
  }
}
