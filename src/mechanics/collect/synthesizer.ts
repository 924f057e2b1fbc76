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
      for (const choice of choices) choice.drawInto(rows);
      let end = 0;
      // eslint-disable-next-line @typescript-eslint/prefer-for-of -- which makes objects for every ticket
      for (let ticket = 0; ticket < ticketOutcomes.length; ticket += 1) {
        const chosen = chosenOf[ticketOutcomes[ticket] ?? 0] ?? 0;
        for (const choice of choices) {
          choice.draw(chosen, stream, end);
          end += game.grid.rows;
        }
      }
      return end;
    },
  };
}

/**
 * Draws the grids of one choice, uniformly over all with exactly so many chosen symbols and all caps
 * kept. The free symbols are drawn for every cell first; then the chosen symbol, and after it each
 * capped symbol in the definition's order, takes a uniform subset of the open cells: those that no
 * symbol has taken yet.
 */
class ChoiceGrids {
  readonly #chosenLetter: number;
  readonly #cappedLetters: Uint8Array;
  readonly #freeCells: FreeCells;
  readonly #fillers: Fillers;
  readonly #ways: readonly (readonly bigint[])[];
  /** How many cells a capped symbol takes: by symbol, then by the number of open cells. */
  readonly #countChoices: (WeightedChoice | undefined)[][];
  readonly #subsets: SubsetTables;
  /** Where each cell stands among the bytes of its grid. */
  readonly #cellOffsets: Uint8Array;
  /** The grid in hand: where its bytes start, and how many of its cells no symbol has taken yet. */
  #base = 0;
  #openCount = 0;
  /** The subsets taken in the grid in hand, and where each one's left cells start in its order. */
  readonly #takenOrders: Uint8Array[] = [];
  readonly #leftStarts: number[] = [];
  #takenCount = 0;
  #rows: Float64Array = new Float64Array(0);
  #bytes: Uint8Array = new Uint8Array(0);

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
  }

  /** Says where the next grids are drawn: the rows of the chunk. */
  drawInto(rows: Float64Array): void {
    this.#rows = rows;
    this.#bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  }

  /** Draws one grid, from the row `firstRow` of the chunk on. */
  draw(chosen: number, stream: RandomStream, firstRow: number): void {
    this.#freeCells.draw(stream, this.#rows, firstRow);
    this.#base = firstRow * ROW_BYTES;
    this.#openCount = this.#cellOffsets.length;
    this.#takenCount = 0;
    if (chosen > 0) this.#takeCells(this.#chosenLetter, chosen, stream);
    const letters = this.#cappedLetters;
    for (let symbol = 0; symbol < letters.length; symbol += 1) {
      const count = this.#countChoice(symbol).pick(stream);
      if (count > 0) this.#takeCells(letters[symbol] ?? 0, count, stream);
    }
  }

  /** Writes a letter into a uniform subset of the open cells. */
  #takeCells(letter: number, count: number, stream: RandomStream): void {
    const subsets = this.#subsets.get(this.#openCount, count);
    const { order } = subsets;
    const start = subsets.locate(stream.uniform(subsets.count));
    const end = start + count;
    for (let index = start; index < end; index += 1) {
      const offset = this.#offsetOf(order[index] ?? 0);
      this.#bytes[this.#base + offset] = letter;
    }
    this.#openCount -= count;
    this.#takenOrders[this.#takenCount] = order;
    this.#leftStarts[this.#takenCount] = end;
    this.#takenCount += 1;
  }

  /** Where an open cell stands: its position leads back through the subsets taken before. */
  #offsetOf(openCell: number): number {
    let cell = openCell;
    for (let taken = this.#takenCount - 1; taken >= 0; taken -= 1) {
      cell = this.#takenOrders[taken]?.[(this.#leftStarts[taken] ?? 0) + cell] ?? 0;
    }
    return this.#cellOffsets[cell] ?? 0;
  }

  /** How many of the open cells a capped symbol takes: each number weighs the grids it allows. */
  #countChoice(symbol: number): WeightedChoice {
    const choices = this.#countChoices[symbol] ?? [];
    const openCount = this.#openCount;
    return (choices[openCount] ??= this.#makeCountChoice(symbol, openCount));
  }

  #makeCountChoice(symbol: number, openCount: number): WeightedChoice {
    const cap = Math.min(this.#fillers.capped[symbol]?.cap ?? 0, openCount);
    const waysAfter = this.#ways[symbol + 1] ?? [];
    const weights = Array.from(
      { length: cap + 1 },
      (_, count) => binomial(openCount, count) * (waysAfter[openCount - count] ?? 0n),
    );
    return new WeightedChoice(weights);
  }
}
