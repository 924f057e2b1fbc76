import { csvEncoder } from '../formats/csv-encoder.js';
import { ndjsonEncoder } from '../formats/ndjson-encoder.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import type { PlannedBlock } from './plan-block.js';

/** Makes the encoder of a format for a block's tickets. */
export function makeEncoder(format: TicketFormat, { game, plan }: PlannedBlock): RecordEncoder {
  const make = format === 'ndjson' ? ndjsonEncoder : csvEncoder;
  return make(game.grid, plan.outcomes);
}
