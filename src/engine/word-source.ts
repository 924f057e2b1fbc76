/** An endless sequence of uniform 32-bit words out of one stream key. */
export interface WordSource {
  /**
   * The next words of the sequence, at least one. The array may be used again by the next call.
   * How many come at once changes no word, only the speed.
   */
  nextWords(): Uint32Array;
}
