import { formatCount } from '../core/money.js';
import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import { HEADERS, RECORD_PATTERNS, type TicketFormat } from '../formats/ticket-formats.js';

/** How far behind the longest block that could be right a compressed file is still read. */
const FAR_BEYOND = 2;

const LINE_FEED = 10;

/** A block of what, in which format. */
export interface SizeLimitInput {
  readonly game: Game;
  readonly stake: Stake;
  readonly format: TicketFormat;
}

/**
 * Says where to stop with a compressed file, which can be a thousand times as long as the disk would
 * hold: behind twice the tickets of the block, or twice the bytes that they could ever take.
 */
export class SizeLimit {
  readonly #mostBytes: number;
  readonly #mostLines: number;
  #bytes = 0;
  #lines = 0;

  constructor({ game, stake, format }: SizeLimitInput) {
    const { blockSize } = game;
    const longest = longestRecord({ game, stake, format });
    this.#mostBytes = FAR_BEYOND * (HEADERS[format].length + blockSize * longest);
    this.#mostLines = FAR_BEYOND * (1 + blockSize);
  }

  /** What a file must keep to. */
  get words(): string {
    return `at most ${formatCount(this.#mostLines)} lines and ${formatCount(this.#mostBytes)} bytes, uncompressed`;
  }

  /** Counts the next bytes of the file. Returns whether that is still within bounds. */
  admits(bytes: Uint8Array): boolean {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#mostBytes) return false;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
      this.#lines += 1;
      if (this.#lines > this.#mostLines) return false;
    }
    return true;
  }
}

/** No right record of the block is longer. */
function longestRecord({ game, stake, format }: SizeLimitInput): number {
  const pattern = RECORD_PATTERNS[format];
  const texts: readonly string[] = Object.values(pattern);
  const constant = texts.reduce((sum, text) => sum + text.length, 0);
  const { rows, columns } = game.grid;
  const rowLength = columns + pattern.betweenRows.length + pattern.betweenGrids.length;
  const { outcomes } = planOutcomes(game, stake);
  const longest = outcomes.reduce((most, { prizeCents, combination, gridCount }) => {
    const length = String(prizeCents).length + combination.length + gridCount * rows * rowLength;
    return Math.max(most, length);
  }, 0);
  return constant + String(game.blockSize).length + longest;
}
