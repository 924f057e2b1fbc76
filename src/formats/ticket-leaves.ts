import { LEAF_PREFIX } from '../core/merkle-tree.js';
import { HASH_BYTES, ShortHasher, type HashState } from '../core/short-hasher.js';

const HMAC_BLOCK_BYTES = 64;
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
 */
export class TicketLeaves {
  readonly #salts: TicketSalts;
  readonly #hasher: ShortHasher;
  readonly #recordStart: number;

  /**
   * @param saltKey - 32 bytes.
   * @param blockName - The name of the block's folder.
   */
  constructor(saltKey: Uint8Array, blockName: string) {
    const name = Buffer.from(`${blockName}\n`, 'utf8');
    this.#salts = new TicketSalts(saltKey);
    this.#recordStart = 1 + SALT_BYTES + name.length;
    this.#hasher = new ShortHasher(this.#recordStart + USUAL_RECORD_BYTES);
    this.#hasher.message.set(name, 1 + SALT_BYTES);
  }

  /**
   * Hashes the leaf of a ticket.
   *
   * @param ticket - Its number, from 1.
   * @param bytes - Its NDJSON record stands in them, from `start` to `end`, without its LF.
   * @param target - Takes the hash, 32 bytes from `at` on.
   */
  hash(
    ticket: number,
    record: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
    target: Uint8Array,
    at: number,
  ): void {
    const { bytes, start, end } = record;
    const length = this.#recordStart + end - start;
    this.#hasher.makeRoom(length);
    const { message } = this.#hasher;
    message[0] = LEAF_PREFIX;
    this.#salts.write(ticket, message, 1);
    let to = this.#recordStart;
    for (let from = start; from < end; from += 1) {
      message[to] = bytes[from] ?? 0;
      to += 1;
    }
    this.#hasher.hash(length, target, at);
  }

  /** The salt of a ticket. */
  salt(ticket: number): Uint8Array {
    const salt = new Uint8Array(SALT_BYTES);
    this.#salts.write(ticket, salt, 0);
    return salt;
  }
}

/** HMAC-SHA-256 under one key of very many numbers. */
class TicketSalts {
  readonly #hasher = new ShortHasher(HMAC_BLOCK_BYTES);
  readonly #afterInner: HashState;
  readonly #afterOuter: HashState;

  constructor(key: Uint8Array) {
    this.#afterInner = this.#stateAfterKey(key, INNER_PAD);
    this.#afterOuter = this.#stateAfterKey(key, OUTER_PAD);
  }

  /** Writes the salt of a ticket, 32 bytes from `at` on. */
  write(ticket: number, target: Uint8Array, at: number): void {
    const hasher = this.#hasher;
    const length = writeDecimal(ticket, hasher.message);
    hasher.hash(length, hasher.message, 0, this.#afterInner, 1);
    hasher.hash(HASH_BYTES, target, at, this.#afterOuter, 1);
  }

  #stateAfterKey(key: Uint8Array, pad: number): HashState {
    const { message } = this.#hasher;
    for (let at = 0; at < HMAC_BLOCK_BYTES; at += 1) message[at] = (key[at] ?? 0) ^ pad;
    return this.#hasher.stateAfterBlock();
  }
}

/** Returns the number of digits. */
function writeDecimal(value: number, target: Uint8Array): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits += 1;
  let rest = value;
  for (let at = digits - 1; at >= 0; at -= 1) {
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
  readonly #hash = new Uint8Array(HASH_BYTES);
  #ticket = 0;

  constructor(leaves: TicketLeaves, taker: LeafTaker) {
    this.#leaves = leaves;
    this.#taker = taker;
  }

  /** Adds the next tickets: whole lines of `tickets.ndjson`, each with its LF. */
  push(lines: Uint8Array): void {
    let start = 0;
    while (start < lines.length) {
      const end = lines.indexOf(LINE_FEED, start);
      this.#ticket += 1;
      this.#leaves.hash(this.#ticket, { bytes: lines, start, end }, this.#hash, 0);
      this.#taker.push(this.#hash, 0);
      start = end + 1;
    }
  }
}
