import type { RandomStream } from './random-stream.js';

/** What can be shuffled in place. */
export interface Shufflable {
  readonly length: number;
  [index: number]: number;
}

/**
 * Puts items in a uniformly random order, in place (Fisher and Yates, from the last item down): the
 * item at each position changes places with one at or before it.
 *
 * @param from - Position to start at, the last by default.
 * @param downTo - Position to stop before. A long shuffle can be done in slices, from the end down.
 */
export function shuffle(
  items: Shufflable,
  stream: RandomStream,
  from = items.length - 1,
  downTo = 0,
): void {
  for (let position = from; position > downTo; position -= 1) {
    const other = stream.uniform(position + 1);
    const moved = items[position] ?? 0;
    items[position] = items[other] ?? 0;
    items[other] = moved;
  }
}
