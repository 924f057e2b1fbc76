import { LaneHasher } from '../core/lane-hasher.js';
import { LEAF_PREFIX } from '../core/merkle-tree.js';
import { LANES, type Sha256Kernel } from '../core/sha256-kernel.js';
import {
  BLOCK_BYTES,
  HASH_BYTES,
  paddedBytes,
  padMessage,
  ShortHasher,
  type HashState,
} from '../core/short-hasher.js';

/** Of HMAC (RFC 2104). */
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

const LINE_FEED = 10;
const DIGIT_ZERO = 48;

/** Longer than nearly every record; longer ones make the room that they need. */
const USUAL_RECORD_BYTES = 1024;

/** Bytes of a salt key, and of the salt of a ticket. */
const SALT_BYTES = HASH_BYTES;

/**
 * The leaves of a block's Merkle tree, one for each ticket:
 * SHA-256(0x00, salt, block name, LF, the ticket's NDJSON record without its LF). The salt of ticket N is
 * HMAC-SHA-256 of N in decimal under the block's salt key. So the leaves that a proof shows of other tickets
 * tell nothing about them, though their grids could all be tried.
 *
 * Four tickets that follow each other are hashed at once, each in a lane.
 */
export class TicketLeaves {
  readonly #hasher: LaneHasher;
  readonly #salts: TicketSalts;
  readonly #name: Uint8Array;
  readonly #lanes: number;
  readonly #hashes: number;
  /** The message of each lane, one behind the other, and the bytes that there are for each. */
  #messages = 0;
  #room = 0;

  /**
   * @param saltKey - 32 bytes.
   * @param blockName - The name of the block's folder.
   * @param kernel - What hashes; the fastest where it is left out.
   */
  constructor(saltKey: Uint8Array, blockName: string, kernel?: Sha256Kernel) {
    this.#hasher = new LaneHasher(kernel);
    this.#salts = new TicketSalts(this.#hasher, saltKey);
    this.#name = Buffer.from(`${blockName}\n`, 'utf8');
    this.#lanes = this.#hasher.reserveLanes();
    this.#hashes = this.#hasher.reserve(LANES * HASH_BYTES);
    this.#makeRoom(this.#recordStart + USUAL_RECORD_BYTES);
  }

  /** Takes the record of a ticket, without its LF, into a lane. */
  set(lane: number, record: Uint8Array): void {
    const length = this.#recordStart + record.length;
    this.#makeRoom(length);
    const { bytes } = this.#hasher;
    const message = this.#messages + lane * this.#room;
    bytes.set(record, message + this.#recordStart);
    this.#hasher.setBlocks(this.#lanes, lane, padMessage(bytes, message, length));
  }

  /**
   * Hashes the leaves of the tickets whose records the first lanes have, and hands them over.
   *
   * @param ticket - The number of the first one, from 1.
   */
  hash(ticket: number, count: number, taker: LeafTaker): void {
    this.#salts.hash(ticket);
    this.#hasher.hash(this.#lanes);
    for (let lane = 0; lane < count; lane += 1) {
      taker.push(this.#hasher.bytes, this.#hashes + lane * HASH_BYTES);
    }
  }

  /** The salt of a ticket. */
  salt(ticket: number): Uint8Array {
    this.#salts.hash(ticket);
    const at = this.#messages + 1;
    return this.#hasher.bytes.slice(at, at + SALT_BYTES);
  }

  get #recordStart(): number {
    return 1 + SALT_BYTES + this.#name.length;
  }

  /** Makes room for messages of this length, and keeps those that are there. */
  #makeRoom(length: number): void {
    if (paddedBytes(length) <= this.#room) return;
    const [from, had] = [this.#messages, this.#room];
    this.#room = paddedBytes(2 * length);
    this.#messages = this.#hasher.reserve(LANES * this.#room);
    const { bytes } = this.#hasher;
    for (let lane = 0; lane < LANES; lane += 1) {
      const message = this.#messages + lane * this.#room;
      bytes.copyWithin(message, from + lane * had, from + (lane + 1) * had);
      bytes[message] = LEAF_PREFIX;
      bytes.set(this.#name, message + 1 + SALT_BYTES);
      this.#salts.setTarget(lane, message + 1);
      this.#hasher.setMessage(this.#lanes, lane, message);
      this.#hasher.setTarget(this.#lanes, lane, this.#hashes + lane * HASH_BYTES);
    }
  }
}

/** HMAC-SHA-256 under one key of very many numbers, four that follow each other at once. */
class TicketSalts {
  readonly #hasher: LaneHasher;
  readonly #afterInner: number;
  readonly #afterOuter: number;
  readonly #innerLanes: number;
  readonly #outerLanes: number;
  /** The numbers in decimal, a block for each lane, and how many digits each has. */
  readonly #numbers: number;
  readonly #digits = new Uint8Array(LANES);

  constructor(hasher: LaneHasher, key: Uint8Array) {
    this.#hasher = hasher;
    this.#afterInner = hasher.reserveState(stateAfterKey(key, INNER_PAD));
    this.#afterOuter = hasher.reserveState(stateAfterKey(key, OUTER_PAD));
    this.#innerLanes = hasher.reserveLanes();
    this.#outerLanes = hasher.reserveLanes();
    this.#numbers = hasher.reserve(LANES * BLOCK_BYTES);
    const hashes = hasher.reserve(LANES * BLOCK_BYTES);
    for (let lane = 0; lane < LANES; lane += 1) {
      const hash = hashes + lane * BLOCK_BYTES;
      hasher.setMessage(this.#innerLanes, lane, this.#numbers + lane * BLOCK_BYTES);
      hasher.setTarget(this.#innerLanes, lane, hash);
      hasher.setBlocks(this.#innerLanes, lane, 1);
      hasher.setMessage(this.#outerLanes, lane, hash);
      hasher.setBlocks(this.#outerLanes, lane, padMessage(hasher.bytes, hash, HASH_BYTES, 1));
    }
  }

  /** Says where the salt of a lane goes. */
  setTarget(lane: number, address: number): void {
    this.#hasher.setTarget(this.#outerLanes, lane, address);
  }

  /** Writes the salts of four tickets. */
  hash(first: number): void {
    for (let lane = 0; lane < LANES; lane += 1) this.#setNumber(lane, first + lane);
    this.#hasher.hash(this.#innerLanes, this.#afterInner);
    this.#hasher.hash(this.#outerLanes, this.#afterOuter);
  }

  #setNumber(lane: number, value: number): void {
    const { bytes } = this.#hasher;
    const at = this.#numbers + lane * BLOCK_BYTES;
    const digits = writeDecimal(value, bytes, at);
    // It ends as the number before did, nearly always.
    if (digits === this.#digits[lane]) return;
    padMessage(bytes, at, digits, 1);
    this.#digits[lane] = digits;
  }
}

function stateAfterKey(key: Uint8Array, pad: number): HashState {
  const hasher = new ShortHasher();
  hasher.start();
  const block = Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ pad);
  hasher.addBlocks(block, 0, 1);
  return hasher.state();
}

/** Writes a number from `start` on. Returns how many digits it has. */
function writeDecimal(value: number, target: Uint8Array, start: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits += 1;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at -= 1) {
    const tenth = Math.floor(rest / 10);
    target[at] = DIGIT_ZERO + (rest - 10 * tenth);
    rest = tenth;
  }
  return digits;
}

/** Takes the leaves of a block, in the order of its tickets. */
export interface LeafTaker {
  push: (bytes: Uint8Array, at: number) => void;
}

/** Hashes the tickets of a block, out of the bytes of its NDJSON file, into the leaves of its tree. */
export class LeafFeed {
  readonly #leaves: TicketLeaves;
  readonly #taker: LeafTaker;
  /** Tickets that have been hashed, and those that wait in lanes for others. */
  #tickets = 0;
  #waiting = 0;

  constructor(leaves: TicketLeaves, taker: LeafTaker) {
    this.#leaves = leaves;
    this.#taker = taker;
  }

  /** Adds the next tickets: whole lines of `tickets.ndjson`, each with its LF. */
  push(lines: Uint8Array): void {
    let start = 0;
    while (start < lines.length) {
      const end = lines.indexOf(LINE_FEED, start);
      this.add(lines.subarray(start, end));
      start = end + 1;
    }
    this.flush();
  }

  /** Adds the next ticket: its record, which is copied, without its LF. It may wait for others. */
  add(record: Uint8Array): void {
    this.#leaves.set(this.#waiting, record);
    this.#waiting += 1;
    if (this.#waiting === LANES) this.flush();
  }

  /** Hashes what waits. */
  flush(): void {
    if (this.#waiting === 0) return;
    this.#leaves.hash(this.#tickets + 1, this.#waiting, this.#taker);
    this.#tickets += this.#waiting;
    this.#waiting = 0;
  }
}
