import { InvariantError } from '../core/assert.js';
import { printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import {
  byteWindow,
  READ_AHEAD_BYTES,
  RecordDecoder,
  type ByteWindow,
  type DecodedRecord,
} from '../formats/record-decoder.js';
import { HEADERS, RECORD_PATTERNS, type TicketFormat } from '../formats/ticket-formats.js';
import { bareLine, readCarefully } from './careful-reader.js';
import type { FindingCode, FindingLog, FindingPlace } from './finding.js';
import { RowsDigest } from './rows-digest.js';
import { TicketsJudge, type Tally } from './tickets-judge.js';

/** Longer lines are passed over: no right record comes near it. */
const MOST_LINE_BYTES = 65_536;

const LINE_FEED = 10;

/** What was counted in a tickets file. */
export interface TicketsCount {
  readonly bytes: number;
  /** Lines that are records, right or wrong; blank lines are none. */
  readonly records: number;
  readonly tallies: readonly Tally[];
  /** SHA-256 over the letters of all rows; `undefined` where not every line was right. */
  readonly rowsSha256: string | undefined;
}

/** What a tickets file is held against. */
export interface TicketsVerifierInput {
  readonly game: Game;
  readonly stake: Stake;
  readonly format: TicketFormat;
  /** Names the file in findings. */
  readonly file: string;
  readonly log: FindingLog;
}

/**
 * Judges a tickets file as its bytes come in. Records that are right to the byte and follow the rules
 * go through tables; every other line goes to the careful path, which says what is wrong with it.
 */
export class TicketsVerifier {
  readonly #input: TicketsVerifierInput;
  readonly #judge: TicketsJudge;
  readonly #decoder: RecordDecoder;
  readonly #record: DecodedRecord;
  readonly #digest = new RowsDigest();
  #isDigestWhole = true;
  /** The text that must stand before the first record, while it has not been seen. */
  #header: string;
  /** The beginning of a line whose end has not come yet, with room to read ahead behind it. */
  readonly #carry = new Uint8Array(MOST_LINE_BYTES + READ_AHEAD_BYTES);
  #carried = 0;
  /** Bytes of the line in hand that were passed over because it is too long; 0 for other lines. */
  #skipped = 0;
  /** Bytes before the line in hand. */
  #byteOffset = 0;
  /** Lines before the line in hand. */
  #lines = 0;
  #records = 0;

  constructor(input: TicketsVerifierInput) {
    this.#input = input;
    this.#judge = new TicketsJudge(input);
    this.#decoder = new RecordDecoder(RECORD_PATTERNS[input.format], input.game.grid);
    this.#record = this.#decoder.newRecord();
    this.#header = HEADERS[input.format];
  }

  /** Takes the next bytes of the file. They are not kept once the promise is settled. */
  async push(bytes: Uint8Array): Promise<void> {
    let start = 0;
    if (this.#carried > 0 || this.#skipped > 0) {
      const end = lineEnd(bytes, 0);
      this.#carryOn(bytes.subarray(0, end));
      if (end === undefined) return;
      await this.#endCarriedLine();
      start = end;
    }
    const window = byteWindow(bytes);
    for (;;) {
      start = this.#header === '' ? this.#takeRightRecords(window, start) : start;
      const end = lineEnd(bytes, start);
      this.#carryOn(bytes.subarray(start, end));
      if (end === undefined) return;
      await this.#endCarriedLine();
      start = end;
    }
  }

  /** Ends the file: what is left is a line without its LF, and numbers that never came are missing. */
  async end(): Promise<TicketsCount> {
    const { file, log } = this.#input;
    const place = { file, line: this.#lines + 1, byteOffset: this.#byteOffset };
    if (this.#carried > 0 || this.#skipped > 0) {
      log.add({ code: 'final-newline', place, expected: 'LF at the end', found: 'none' });
      this.#isDigestWhole = false;
      this.#carryOn(Uint8Array.of(LINE_FEED));
      await this.#endCarriedLine();
      this.#byteOffset -= 1;
    }
    if (this.#header !== '') {
      log.add({ code: 'csv-header', place, expected: this.#header.trim(), found: 'none' });
    }
    this.#judge.finish(file);
    return {
      bytes: this.#byteOffset,
      records: this.#records,
      tallies: this.#judge.tallies,
      rowsSha256: this.#isDigestWhole ? this.#digest.digest() : undefined,
    };
  }

  /** Takes records by the fast path until one is not right. Returns where that one starts. */
  #takeRightRecords(window: ByteWindow, start: number): number {
    let at = start;
    for (;;) {
      const next = this.#decoder.decode(window, at, this.#record);
      if (next < 0 || !this.#judge.takeRight(window, this.#record)) break;
      const { rows, columns } = this.#input.game.grid;
      const { rowStarts, gridCount } = this.#record;
      this.#digest.add(window.view, rowStarts, gridCount * rows, columns);
      this.#lines += 1;
      this.#records += 1;
      at = next;
    }
    this.#byteOffset += at - start;
    return at;
  }

  /** Adds bytes to the line in hand; a line that grows too long is passed over to its end. */
  #carryOn(bytes: Uint8Array): void {
    if (this.#skipped > 0 || this.#carried + bytes.length > MOST_LINE_BYTES) {
      this.#skipped += this.#carried + bytes.length;
      this.#carried = 0;
      return;
    }
    this.#carry.set(bytes, this.#carried);
    this.#carried += bytes.length;
  }

  /** Takes the line in hand, which is whole now and ends with its LF. */
  async #endCarriedLine(): Promise<void> {
    const lineLength = this.#carried + this.#skipped;
    const bytes = this.#carry.subarray(0, this.#carried + READ_AHEAD_BYTES);
    this.#carried = 0;
    if (this.#skipped > 0) {
      this.#skipped = 0;
      const expected = `at most ${MOST_LINE_BYTES - 1} bytes before the LF`;
      this.#reject('line-length', expected, `${lineLength - 1} bytes`);
      this.#judge.takeUnreadable();
      if (this.#header === '') this.#records += 1;
      this.#header = '';
    } else if (this.#header !== '') {
      this.#takeHeader(bytes.subarray(0, lineLength));
    } else {
      bytes.fill(0, lineLength);
      const end = this.#takeRightRecords(byteWindow(bytes), 0);
      if (end === lineLength) return;
      await this.#explain(bytes.subarray(0, lineLength - 1));
    }
    this.#lines += 1;
    this.#byteOffset += lineLength;
  }

  #takeHeader(line: Uint8Array): void {
    const { faults, line: bare } = bareLine(line.subarray(0, -1));
    for (const { code, expected, found } of faults) this.#reject(code, expected, found);
    const header = this.#header.trimEnd();
    const found = Buffer.from(bare).toString('latin1');
    if (found !== header) {
      this.#reject('csv-header', header, printable(found, 120));
      // It may be the first ticket, of a file without a header.
      this.#judge.takeUnreadable();
    }
    this.#header = '';
  }

  async #explain(line: Uint8Array): Promise<void> {
    const { log, format } = this.#input;
    const findingsBefore = log.total;
    const place = this.#place();
    const { faults, record, ticket = record?.ticket } = await readCarefully(format, line);
    const at: FindingPlace = ticket === undefined ? place : { ...place, ticket };
    for (const fault of faults) log.add({ ...fault, place: at });
    if (record !== undefined) {
      this.#judge.takeLoose(record, place);
      this.#records += 1;
    } else {
      this.#judge.takeUnreadable();
      if (!faults.some(({ code }) => code === 'blank-line')) this.#records += 1;
    }
    if (log.total === findingsBefore) {
      throw new InvariantError(
        `line ${place.line ?? 0} was refused and nothing was found wrong with it`,
      );
    }
    this.#isDigestWhole = false;
  }

  #reject(code: FindingCode, expected: string, found: string): void {
    this.#input.log.add({ code, place: this.#place(), expected, found });
    this.#isDigestWhole = false;
  }

  #place(): FindingPlace {
    return { file: this.#input.file, line: this.#lines + 1, byteOffset: this.#byteOffset };
  }
}

/** Where the line that `start` is in ends, behind its LF; `undefined` where the bytes end before. */
function lineEnd(bytes: Uint8Array, start: number): number | undefined {
  const at = bytes.indexOf(LINE_FEED, start);
  return at < 0 ? undefined : at + 1;
}
