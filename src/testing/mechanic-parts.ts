import { planBlock } from '../block/plan-block.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import type { Game, Stake } from '../definitions/game.js';
import { rulesOf } from '../definitions/mechanics.js';
import {
  lawOutcomes,
  type MechanicRules,
  type Outcome,
  type TierLaw,
} from '../definitions/outcome-law.js';
import { randomStream, type RandomStream } from '../engine/random-stream.js';
import type { Synthesizer } from '../engine/synthesizer.js';
import { makeSynthesizer } from '../engine/synthesizers.js';
import { ndjsonEncoder } from '../formats/ndjson-encoder.js';
import { byteWindow, READ_AHEAD_BYTES, RecordDecoder } from '../formats/record-decoder.js';
import type { ByteWindow, DecodedRecord } from '../formats/record-decoder.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import { RECORD_PATTERNS } from '../formats/ticket-formats.js';
import type { SymbolAudit } from '../verify/audit/observations.js';
import { makeSymbolAudit } from '../verify/audit/symbol-audits.js';
import type { Evaluator } from '../verify/evaluator.js';
import { makeEvaluator } from '../verify/evaluators.js';
import type { DrawGrids } from '../view/grid-picture.js';
import { mechanicPictures } from '../view/mechanic-pictures.js';

/** The parts of a mechanic, for one game and stake; a test can put a broken one in the place of each. */
export interface MechanicParts {
  readonly rules: MechanicRules;
  readonly makeSynthesizer: (outcomes: readonly Outcome[]) => Synthesizer;
  readonly makeEvaluator: () => Evaluator;
  readonly drawGrids: DrawGrids;
  readonly makeAudit: () => SymbolAudit;
}

/** The parts that the program uses. */
export function registeredParts(game: Game, stake: Stake): MechanicParts {
  return {
    rules: rulesOf(game),
    makeSynthesizer: (outcomes) => makeSynthesizer({ game, stake, outcomes }),
    makeEvaluator: () => makeEvaluator(game, stake),
    drawGrids: mechanicPictures(game.mechanic),
    makeAudit: () => makeSymbolAudit(game, stake),
  };
}

/** A record as it stands in `tickets.ndjson`. */
export interface DrawnRecord {
  readonly ticket: number;
  readonly prize_cents: number;
  readonly combination: string;
  readonly grids: readonly (readonly string[])[];
}

/** A record that was decoded in place, and where it stands. */
export interface DecodedLine {
  readonly window: ByteWindow;
  readonly bytes: Uint8Array;
  readonly record: DecodedRecord;
  /** Bytes of the line, its LF included; 0 where it is no record that is right to the byte. */
  readonly length: number;
}

/** A stream of one seed of a property test. */
export function streamOf(seed: number): RandomStream {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(seed);
  return randomStream('chacha20', key);
}

/** What stands in a chunk's rows before a synthesizer has written into them. */
const UNTOUCHED = -1;

/** Draws, writes and reads tickets of one game at one stake by the parts of its mechanic. */
export class MechanicLab {
  readonly game: Game;
  readonly stake: Stake;
  readonly parts: MechanicParts;
  readonly law: readonly TierLaw[];
  readonly outcomes: readonly Outcome[];
  readonly evaluator: Evaluator;
  readonly #synthesizer: Synthesizer;
  readonly #decoder: RecordDecoder;
  readonly #encoder: RecordEncoder;
  readonly #buffer: Uint8Array;
  readonly #mostGrids: number;

  constructor(game: Game, stake: Stake, parts = registeredParts(game, stake)) {
    this.game = game;
    this.stake = stake;
    this.parts = parts;
    this.law = parts.rules.outcomeLaw(game, stake);
    this.outcomes = lawOutcomes(this.law);
    this.evaluator = parts.makeEvaluator();
    this.#synthesizer = parts.makeSynthesizer(this.outcomes);
    this.#decoder = new RecordDecoder(RECORD_PATTERNS.ndjson, game.grid);
    this.#encoder = ndjsonEncoder(game.grid, this.outcomes);
    this.#buffer = new Uint8Array(this.#encoder.bufferBytes);
    this.#mostGrids = Math.max(...this.outcomes.map(({ gridCount }) => gridCount));
  }

  /** Draws tickets of the given outcomes. Returns them with the number of rows that were said to be written. */
  draw(
    ticketOutcomes: ArrayLike<number>,
    seed: number,
  ): { readonly chunk: TicketChunk; readonly rowCount: number; readonly touched: number } {
    const outcomes = Uint16Array.from(ticketOutcomes);
    const rows = new Float64Array(outcomes.length * this.#mostGrids * this.game.grid.rows);
    rows.fill(UNTOUCHED);
    const rowCount = this.#synthesizer.draw(outcomes, streamOf(seed), rows);
    const touched = rows.findLastIndex((row) => row !== UNTOUCHED) + 1;
    return { chunk: { firstTicket: 1, outcomes, rows }, rowCount, touched };
  }

  /** The lines of drawn tickets as in `tickets.ndjson`. */
  lines(ticketOutcomes: ArrayLike<number>, seed: number): Buffer {
    const { chunk } = this.draw(ticketOutcomes, seed);
    return Buffer.from(this.#buffer.slice(0, this.#encoder.encode(chunk, this.#buffer)));
  }

  /** Drawn tickets as records. */
  records(ticketOutcomes: ArrayLike<number>, seed: number): readonly DrawnRecord[] {
    const lines = this.lines(ticketOutcomes, seed).toString('ascii').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as DrawnRecord);
  }

  /** Reads a line in place, as the verification does. */
  decode(line: Uint8Array): DecodedLine {
    const bytes = new Uint8Array(line.length + READ_AHEAD_BYTES);
    bytes.set(line);
    const record = this.#decoder.newRecord();
    const window = byteWindow(bytes);
    const length = this.#decoder.decode(window, 0, record);
    return { window, bytes, record, length };
  }

  /** Reads the first tickets of a planned block in the way of an audit, and hands each to `take`. */
  async readPlanned(
    most: number,
    take: (line: DecodedLine, outcome: number) => void,
  ): Promise<void> {
    const { order } = await planBlock({
      game: this.game,
      stakeCents: this.stake.stakeCents,
      seed: Buffer.from('the contract of mechanics'),
      engine: 'chacha20',
      emission: 1,
      block: 1,
    });
    for (let start = 0; start < Math.min(most, order.length); start += CHUNK_TICKETS) {
      const outcomes = order.subarray(start, Math.min(start + CHUNK_TICKETS, most));
      const text = this.lines(outcomes, start);
      let at = 0;
      for (const outcome of outcomes) {
        const end = text.indexOf('\n', at) + 1;
        take(this.decode(text.subarray(at, end)), outcome);
        at = end;
      }
    }
  }
}

/** One thing that a mechanic must keep; it throws where the mechanic does not. */
export interface ContractCheck {
  readonly title: string;
  /** Whether it looks at nothing that differs between the stakes of a game, and takes long. */
  readonly isForOneStake?: boolean;
  readonly check: (lab: MechanicLab) => void | Promise<void>;
}
