import {
  KERNEL_BYTES,
  LANES_AT,
  LANES_BYTES,
  newKernel,
  type Sha256Kernel,
} from './sha256-kernel.js';
import { START_STATE } from './sha256-constants.js';
import type { HashState } from './short-hasher.js';

/** For vectors. */
const ALIGNMENT = 16;

/**
 * SHA-256 of very many short messages, four at once. They are written into its memory, and their hashes come
 * out of it; an address is an index of {@link bytes}.
 */
export class LaneHasher {
  readonly #kernel: Sha256Kernel;
  readonly #usualStart: number;
  #view: DataView;
  #end = KERNEL_BYTES;

  constructor(kernel = newKernel()) {
    this.#kernel = kernel;
    this.#view = new DataView(kernel.memory.buffer);
    this.#usualStart = this.reserveState(START_STATE);
  }

  /** The memory; another object after anything was reserved. */
  get bytes(): Uint8Array {
    return this.#kernel.memory;
  }

  /** Reserves bytes, all zero, for good. Returns their address. */
  reserve(bytes: number): number {
    const address = this.#end;
    this.#end += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    this.#kernel.grow(this.#end);
    this.#view = new DataView(this.#kernel.memory.buffer);
    return address;
  }

  /** Reserves a state that messages can start from. */
  reserveState(state: HashState): number {
    const address = this.reserve(4 * state.length);
    for (const [index, word] of state.entries()) {
      this.#view.setInt32(address + 4 * index, word, true);
    }
    return address;
  }

  /** Reserves the description of four lanes, which have no message yet. */
  reserveLanes(): number {
    return this.reserve(LANES_BYTES);
  }

  /** Says where the message of a lane stands. It must have room for as many blocks as the longest has. */
  setMessage(lanes: number, lane: number, address: number): void {
    this.#view.setInt32(lanes + LANES_AT.messages + 4 * lane, address, true);
  }

  /** Says where the hash of a lane goes. */
  setTarget(lanes: number, lane: number, address: number): void {
    this.#view.setInt32(lanes + LANES_AT.targets + 4 * lane, address, true);
  }

  /** Says how many blocks the message of a lane has, with its padding. */
  setBlocks(lanes: number, lane: number, blocks: number): void {
    this.#view.setInt32(lanes + LANES_AT.blocks + 4 * lane, blocks, true);
  }

  /** Hashes the messages of four lanes. */
  hash(lanes: number, start = this.#usualStart): void {
    this.#kernel.hash(lanes, start);
  }
}
