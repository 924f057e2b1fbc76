import { createHash } from 'node:crypto';
import type { EngineId } from '../core/algorithm.js';
import { randomStream, RandomStream } from '../engine/random-stream.js';
import type { WordSource } from '../engine/word-source.js';

/** A stream of a real engine whose key is a hash of a text: the same text, the same draws. */
export function seededStream(text: string, engine: EngineId = 'seedrandom'): RandomStream {
  return randomStream(engine, createHash('sha256').update(text).digest());
}

/** A source that hands out given words one by one, counts them, and fails when there are no more. */
export class GivenWords implements WordSource {
  /** How many words have been taken. */
  taken = 0;
  readonly #words: readonly number[];

  constructor(words: readonly number[]) {
    this.#words = words;
  }

  nextWords(): Uint32Array {
    const word = this.#words[this.taken];
    if (word === undefined) throw new Error(`a word was drawn after the ${this.taken} given ones`);
    this.taken += 1;
    return Uint32Array.of(word);
  }
}

/** One way in which all draws can come out. */
export interface EnumeratedRun<T> {
  readonly result: T;
  /** The bound of each draw. */
  readonly bounds: readonly number[];
  /** One over the probability of these draws: the product of their bounds. */
  readonly outOf: bigint;
}

/**
 * Runs a function once for every way in which its draws can come out.
 *
 * @param run - Takes draws from the stream, and nothing else that is random.
 * @param wordParts - Where the function takes words and not only bounded integers: a word stands for
 * one of so many equal parts of the interval from 0 to 1, by its first word.
 */
export function* enumerateDraws<T>(
  run: (stream: RandomStream) => T,
  wordParts = 1,
): Generator<EnumeratedRun<T>> {
  let script: readonly number[] | undefined = [];
  while (script !== undefined) {
    const stream = new ScriptedStream(script, wordParts);
    const result = run(stream);
    const { bounds, drawn } = stream;
    const outOf = bounds.reduce((product, bound) => product * BigInt(bound), 1n);
    yield { result, bounds, outOf };
    script = nextScript(drawn, bounds);
  }
}

/** Draws what a script says, then only zeros. */
class ScriptedStream extends RandomStream {
  readonly bounds: number[] = [];
  readonly drawn: number[] = [];
  readonly #script: readonly number[];
  readonly #wordParts: number;

  constructor(script: readonly number[], wordParts: number) {
    super(new GivenWords([]));
    this.#script = script;
    this.#wordParts = wordParts;
  }

  override uniform(bound: number): number {
    const value = this.#script[this.bounds.length] ?? 0;
    this.bounds.push(bound);
    this.drawn.push(value);
    return value;
  }

  override nextSigned(): number {
    return Math.ceil((this.uniform(this.#wordParts) * 2 ** 32) / this.#wordParts) | 0;
  }
}

/** Counts up: the last draw that has a next value takes it, and what comes after is open again. */
function nextScript(
  drawn: readonly number[],
  bounds: readonly number[],
): readonly number[] | undefined {
  const last = drawn.findLastIndex((value, index) => value + 1 < (bounds[index] ?? 0));
  return last < 0 ? undefined : [...drawn.slice(0, last), (drawn[last] ?? 0) + 1];
}
