import {
  byteWindow,
  READ_AHEAD_BYTES,
  RecordDecoder,
  type ByteWindow,
  type DecodedRecord,
} from './record-decoder.js';
import { HEADERS, RECORD_PATTERNS, type TicketFormat } from './ticket-formats.js';

/** A ticket as its bytes stand in a buffer: its fields, and where its record begins and ends. */
export interface ReadTicket {
  readonly window: ByteWindow;
  readonly record: DecodedRecord;
  readonly start: number;
  readonly end: number;
}

/** Bytes where a record that is right to the byte was expected. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  /** The number of the record, from 1. */
  readonly recordNumber: number;

  constructor(recordNumber: number) {
    super(`record ${recordNumber} is not right to the byte`);
    this.recordNumber = recordNumber;
  }
}

/** The bytes that are decoded at once; a record has at most a few thousand. */
const PIECE_BYTES = 262_144;

const MOST_RECORD_BYTES = 65_536;

/** Cuts the bytes of a tickets file into its records. */
export class RecordFeed {
  readonly #decoder: RecordDecoder;
  readonly #record: DecodedRecord;
  readonly #onTicket: (ticket: ReadTicket) => void;
  readonly #bytes = new Uint8Array(PIECE_BYTES + MOST_RECORD_BYTES + READ_AHEAD_BYTES);
  /** Bytes of a record whose end has not come yet. */
  #carried = 0;
  #count = 0;
  /** Bytes of the header that are still to come. */
  #headerLeft: number;

  constructor(input: {
    readonly format: TicketFormat;
    readonly grid: { readonly rows: number; readonly columns: number };
    readonly onTicket: (ticket: ReadTicket) => void;
  }) {
    this.#decoder = new RecordDecoder(RECORD_PATTERNS[input.format], input.grid);
    this.#record = this.#decoder.newRecord();
    this.#onTicket = input.onTicket;
    this.#headerLeft = HEADERS[input.format].length;
  }

  /** Takes the next bytes of the file. */
  push(bytes: Uint8Array): void {
    const header = Math.min(this.#headerLeft, bytes.length);
    this.#headerLeft -= header;
    for (let start = header; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      this.#bytes.set(piece, this.#carried);
      this.#decode(this.#carried + piece.length);
    }
  }

  /** Ends the file, which must end with its last record. */
  end(): void {
    // The last record could not be decoded before: there was nothing to read ahead behind it.
    this.#decode(this.#carried + READ_AHEAD_BYTES);
    if (this.#carried !== READ_AHEAD_BYTES) throw new RecordError(this.#count + 1);
  }

  #decode(length: number): void {
    const window = byteWindow(this.#bytes.subarray(0, length));
    let start = 0;
    for (;;) {
      const end = this.#decoder.decode(window, start, this.#record);
      if (end < 0) break;
      this.#count += 1;
      this.#onTicket({ window, record: this.#record, start, end });
      start = end;
    }
    this.#carried = length - start;
    if (this.#carried >= MOST_RECORD_BYTES) throw new RecordError(this.#count + 1);
    this.#bytes.copyWithin(0, start, length);
  }
}
