import type { Game } from '../definitions/game.js';
import type { Outcome } from '../definitions/outcome-law.js';
import { RecordEncoder } from './record-encoder.js';

/** Writes `tickets.ndjson`: one JSON object a line, keys in a fixed order, no spaces, LF. */
export function ndjsonEncoder(grid: Game['grid'], outcomes: readonly Outcome[]): RecordEncoder {
  return new RecordEncoder(
    {
      header: '',
      beforeNumber: '{"ticket":',
      afterNumber: ({ prizeCents, combination }) =>
        `,"prize_cents":${prizeCents},"combination":"${combination}","grids":[["`,
      betweenRows: '","',
      betweenGrids: '"],["',
      end: '"]]}\n',
    },
    grid,
    outcomes,
  );
}
