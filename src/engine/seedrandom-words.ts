import seedrandom from 'seedrandom';
import type { WordSource } from './word-source.js';

/** Words drawn at a time: enough to keep the calls cheap, few enough to waste little at the end. */
const WORDS = 256;

/**
 * The `seedrandom` engine: the ARC4 generator of the seedrandom package, keyed with the stream key
 * as 64 lower-case hex digits (the package folds long, periodic and non-Latin strings together; hex
 * of a fixed length is safe from all three). A word is one `int32()`, taken as unsigned.
 */
export function seedrandomWords(key: Uint8Array): WordSource {
  const generator = seedrandom(Buffer.from(key).toString('hex'));
  const words = new Uint32Array(WORDS);
  return {
    nextWords() {
      for (let index = 0; index < WORDS; index += 1) words[index] = generator.int32();
      return words;
    },
  };
}
