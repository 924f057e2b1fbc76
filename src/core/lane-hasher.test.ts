import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from './assert.js';
import { LaneHasher } from './lane-hasher.js';
import {
  LANES,
  newKernel,
  newWasmKernel,
  PlainKernel,
  type Sha256Kernel,
} from './sha256-kernel.js';
import { BLOCK_BYTES, HASH_BYTES, paddedBytes, padMessage, ShortHasher } from './short-hasher.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function sha256(...parts: readonly Uint8Array[]): string {
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}

/** Four messages that are hashed again and again in the same places, whatever stood there before. */
class Messages {
  readonly #hasher: LaneHasher;
  readonly #lanes: number;
  readonly #hashes: number;

  constructor(kernel: Sha256Kernel) {
    this.#hasher = new LaneHasher(kernel);
    this.#lanes = this.#hasher.reserveLanes();
    this.#hashes = this.#hasher.reserve(LANES * HASH_BYTES);
  }

  /** The hashes of up to four messages. */
  hash(messages: readonly Uint8Array[]): readonly string[] {
    const room = Math.max(...messages.map(({ length }) => paddedBytes(length)));
    const start = this.#hasher.reserve(LANES * room);
    for (let lane = 0; lane < LANES; lane += 1) {
      const message = messages[lane];
      const at = start + lane * room;
      this.#hasher.setMessage(this.#lanes, lane, at);
      this.#hasher.setTarget(this.#lanes, lane, this.#target(lane));
      this.#hasher.setBlocks(this.#lanes, lane, 0);
      if (message === undefined) continue;
      this.#hasher.bytes.set(message, at);
      const blocks = padMessage(this.#hasher.bytes, at, message.length);
      this.#hasher.setBlocks(this.#lanes, lane, blocks);
    }
    this.#hasher.hash(this.#lanes);
    return messages.map((_, lane) => {
      const at = this.#target(lane);
      return hex(this.#hasher.bytes.subarray(at, at + HASH_BYTES));
    });
  }

  #target(lane: number): number {
    return this.#hashes + lane * HASH_BYTES;
  }
}

const message = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff);

const KERNELS: readonly [string, () => Sha256Kernel][] = [
  ['WebAssembly', () => defined(newWasmKernel(), 'WebAssembly with vectors')],
  ['TypeScript', () => new PlainKernel()],
];

describe.each(KERNELS)('four lanes in %s', (_, makeKernel) => {
  test('hash every length around the borders of blocks, beside any other', () => {
    const messages = new Messages(makeKernel());
    for (let length = 0; length <= 200; length += 1) {
      const group = [length, 200 - length, (length * 67) % 201, 55].map(message);
      expect(messages.hash(group)).toEqual(group.map((each) => sha256(each)));
    }
  });

  test('hash one to four messages of any lengths', () => {
    const messages = new Messages(makeKernel());
    const groups = fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: LANES });
    fc.assert(
      fc.property(groups, (group) => {
        expect(messages.hash(group)).toEqual(group.map((each) => sha256(each)));
      }),
    );
  });

  test('hash messages that are longer than the memory was', () => {
    const group = [1, 100_000, 64, 300_000].map(message);
    const messages = new Messages(makeKernel());
    expect(messages.hash(group)).toEqual(group.map((each) => sha256(each)));
    expect(messages.hash(group.slice(0, 1))).toEqual([sha256(message(1))]);
  });

  test('start from the state after blocks that were hashed before, in place', () => {
    const block = message(BLOCK_BYTES);
    const before = new ShortHasher();
    before.start();
    before.addBlocks(block, 0, 1);
    const hasher = new LaneHasher(makeKernel());
    const lanes = hasher.reserveLanes();
    const start = hasher.reserveState(before.state());
    const at = hasher.reserve(LANES * BLOCK_BYTES);
    for (let lane = 0; lane < LANES; lane += 1) {
      const address = at + lane * BLOCK_BYTES;
      hasher.setMessage(lanes, lane, address);
      hasher.setTarget(lanes, lane, address);
      hasher.bytes.set(message(lane), address);
      hasher.setBlocks(lanes, lane, padMessage(hasher.bytes, address, lane, 1));
    }
    hasher.hash(lanes, start);
    const found = Array.from({ length: LANES }, (__, lane) => {
      const address = at + lane * BLOCK_BYTES;
      return hex(hasher.bytes.subarray(address, address + HASH_BYTES));
    });
    expect(found).toEqual([0, 1, 2, 3].map((length) => sha256(block, message(length))));
  });

  test('leave a lane without blocks at the state that it starts from', () => {
    const hasher = new LaneHasher(makeKernel());
    const lanes = hasher.reserveLanes();
    const start = hasher.reserveState(Int32Array.of(1, 2, 3, 4, 5, 6, 7, -1));
    const at = hasher.reserve(BLOCK_BYTES + LANES * HASH_BYTES);
    for (let lane = 0; lane < LANES; lane += 1) {
      hasher.setMessage(lanes, lane, at);
      hasher.setTarget(lanes, lane, at + BLOCK_BYTES + lane * HASH_BYTES);
    }
    hasher.setBlocks(lanes, 2, 1);
    hasher.hash(lanes, start);
    const hashes = [0, 1, 2, 3].map((lane) => {
      const target = at + BLOCK_BYTES + lane * HASH_BYTES;
      return hex(hasher.bytes.subarray(target, target + HASH_BYTES));
    });
    const unchanged = '00000001000000020000000300000004000000050000000600000007ffffffff';
    expect(hashes.map((hash) => hash === unchanged)).toEqual([true, true, false, true]);
  });
});

describe('the kernel', () => {
  const found = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly');
  afterEach(() => {
    Object.defineProperty(globalThis, 'WebAssembly', defined(found, 'WebAssembly'));
  });

  function replaceWebAssembly(value: unknown): void {
    Object.defineProperty(globalThis, 'WebAssembly', { value, configurable: true, writable: true });
  }

  /** A WebAssembly whose modules, once compiled, cannot be used. */
  function failing(error: Error): object {
    return {
      Instance: function fail() {
        throw error;
      },
    };
  }

  test('is WebAssembly where there is one', () => {
    expect(newKernel()).not.toBeInstanceOf(PlainKernel);
  });

  test('is TypeScript where there is no WebAssembly', () => {
    replaceWebAssembly(undefined);
    expect(newKernel()).toBeInstanceOf(PlainKernel);
  });

  test('is TypeScript where there is no room for the memory of WebAssembly', () => {
    newKernel();
    replaceWebAssembly(failing(new RangeError('could not allocate memory')));
    expect(newKernel()).toBeInstanceOf(PlainKernel);
  });

  test('hides no other failure of WebAssembly', () => {
    newKernel();
    replaceWebAssembly(failing(new TypeError('another')));
    expect(() => newKernel()).toThrow('another');
  });
});
