import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineError } from './errors.js';
import { ROUND_CONSTANTS } from './sha256-constants.js';
import { ShortHasher } from './short-hasher.js';

/** How many messages are hashed at once. */
export const LANES = 4;

/** Where the caller's part of the memory begins; `sha256-lanes.wat` says what stands before. */
export const KERNEL_BYTES = 1408;

/** Where a description of the lanes has what, and how much it takes: four bytes for each lane and thing. */
export const LANES_AT = { messages: 0, targets: 16, blocks: 32 } as const;
export const LANES_BYTES = 48;

/** Hashes four messages at once, in a memory of its own. */
export interface Sha256Kernel {
  /** All of it; another object after {@link grow}. Its numbers are little-endian. */
  readonly memory: Uint8Array;

  /** Makes the memory larger; what stands there is kept. */
  grow: (bytes: number) => void;

  /**
   * Hashes each lane's message, and writes each hash.
   *
   * @param lanes - Where their description stands: by {@link LANES_AT}, of each lane the address of its
   * message, which is padded; where its hash goes, which is in no other lane's message; and its number of
   * blocks. Every message has room for as many as the longest has.
   * @param start - Where the state stands that the lanes start from: eight words.
   */
  hash: (lanes: number, start: number) => void;
}

/** The part of WebAssembly that is used. Types of it come with those of browsers only. */
interface WebAssemblyApi {
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** What `sha256-lanes.wat` exports. */
interface LanesExports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly hash: (lanes: number, start: number) => void;
}

/** Resolves from `src/core`, `dist/core` and `dist/program` alike; the build writes it. */
const WASM_FILE = new URL('../../dist/program/sha256-lanes.wasm', import.meta.url);

const PAGE_BYTES = 65_536;

/** The fastest that there is here. */
export function newKernel(): Sha256Kernel {
  return newWasmKernel() ?? new PlainKernel();
}

/**
 * The kernel in WebAssembly.
 *
 * @returns `undefined` where Node.js runs without WebAssembly (`--jitless`), the processor has no vectors for
 * it, or the space of addresses is limited too much for a memory.
 * @throws MachineError where the package is not whole.
 */
export function newWasmKernel(): Sha256Kernel | undefined {
  const api = webAssembly();
  if (api === undefined) return undefined;
  compiled ??= { module: compile(api) };
  if (compiled.module === undefined) return undefined;
  try {
    return new WasmKernel(new api.Instance(compiled.module).exports as LanesExports);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What came of compiling, which is done once, and not before it is needed. */
let compiled: { readonly module: object | undefined } | undefined;

function webAssembly(): WebAssemblyApi | undefined {
  return (globalThis as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
}

function compile(api: WebAssemblyApi): object | undefined {
  const bytes = readWasm();
  return api.validate(bytes) ? new api.Module(bytes) : undefined;
}

function readWasm(): Uint8Array {
  try {
    return readFileSync(WASM_FILE);
  } catch (error) {
    throw machineError('read', fileURLToPath(WASM_FILE), error);
  }
}

class WasmKernel implements Sha256Kernel {
  memory: Uint8Array;
  readonly hash: LanesExports['hash'];
  readonly #memory: LanesExports['memory'];

  constructor({ memory, hash }: LanesExports) {
    this.#memory = memory;
    this.hash = hash;
    this.memory = new Uint8Array(memory.buffer);
    const view = new DataView(memory.buffer);
    for (const [index, value] of ROUND_CONSTANTS.entries()) view.setInt32(4 * index, value, true);
  }

  grow(bytes: number): void {
    const missing = bytes - this.memory.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.memory = new Uint8Array(this.#memory.buffer);
  }
}

/** The same in TypeScript, one lane after the other: what the kernel is held against. */
export class PlainKernel implements Sha256Kernel {
  memory: Uint8Array = new Uint8Array(PAGE_BYTES);
  readonly #hasher = new ShortHasher();
  readonly #start = new Int32Array(8);

  grow(bytes: number): void {
    if (bytes <= this.memory.length) return;
    const larger = new Uint8Array(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES);
    larger.set(this.memory);
    this.memory = larger;
  }

  hash(lanes: number, start: number): void {
    const view = new DataView(this.memory.buffer);
    for (let word = 0; word < 8; word += 1) {
      this.#start[word] = view.getInt32(start + 4 * word, true);
    }
    for (let lane = lanes; lane < lanes + 4 * LANES; lane += 4) {
      const message = view.getInt32(lane + LANES_AT.messages, true);
      const target = view.getInt32(lane + LANES_AT.targets, true);
      const blocks = view.getInt32(lane + LANES_AT.blocks, true);
      this.#hasher.start(this.#start);
      this.#hasher.addBlocks(this.memory, message, blocks);
      this.#hasher.write(this.memory, target);
    }
  }
}
