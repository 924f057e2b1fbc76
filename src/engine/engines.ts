import type { EngineId } from '../core/algorithm.js';
import { chacha20Words } from './chacha20-words.js';
import { seedrandomWords } from './seedrandom-words.js';
import type { WordSource } from './word-source.js';

const ENGINES: Readonly<Record<EngineId, (key: Uint8Array) => WordSource>> = {
  seedrandom: seedrandomWords,
  chacha20: chacha20Words,
};

/** Starts an engine from a 32-byte stream key. */
export function wordSource(engine: EngineId, key: Uint8Array): WordSource {
  return ENGINES[engine](key);
}
