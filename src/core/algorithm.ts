/** Version of the algorithm: same version, same inputs, same bytes. */
export const ALGORITHM_VERSION = 1;

/** The least entropy that a seed should be able to have, in bits. */
export const STRONG_SEED_BITS = 128;

/**
 * The engines: seedrandom's ARC4 (default), and ChaCha20 for regulated production.
 *
 * @group Making blocks
 */
export type EngineId = 'seedrandom' | 'chacha20';

/**
 * The names of all engines, the default first.
 *
 * @group Making blocks
 */
export const ENGINE_IDS: readonly EngineId[] = ['seedrandom', 'chacha20'];

/** Whether a text names an engine. */
export function isEngineId(text: unknown): text is EngineId {
  return (ENGINE_IDS as readonly unknown[]).includes(text);
}
