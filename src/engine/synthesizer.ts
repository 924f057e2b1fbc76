import type { Game, Stake } from '../definitions/game.js';
import type { Outcome } from '../definitions/outcome-law.js';
import type { RandomStream } from './random-stream.js';

/** The drawing part of a mechanic: makes the symbols of tickets whose outcomes are decided. */
export interface Synthesizer {
  /**
   * Draws the grids of the tickets of one chunk, in order, out of the chunk's stream.
   *
   * @param outcomes - The outcome index of each ticket.
   * @param rows - Takes all rows of all grids, packed as `row-text.ts` says.
   * @returns How many rows were written.
   */
  draw(outcomes: Uint16Array, stream: RandomStream, rows: Float64Array): number;
}

/** What a synthesizer is made for: a game, a stake, and its outcomes by index. */
export interface SynthesizerInput {
  readonly game: Game;
  readonly stake: Stake;
  readonly outcomes: readonly Outcome[];
}
