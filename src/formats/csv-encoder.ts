import type { Game } from '../definitions/game.js';
import type { Outcome } from '../definitions/outcome-law.js';
import { RecordEncoder } from './record-encoder.js';

/** Writes `tickets.csv`: RFC 4180 with LF, a header, rows joined by `/` and grids by `|`. */
export function csvEncoder(grid: Game['grid'], outcomes: readonly Outcome[]): RecordEncoder {
  return new RecordEncoder(
    {
      header: 'ticket,prize_cents,combination,grids\n',
      beforeNumber: '',
      afterNumber: ({ prizeCents, combination }) => `,${prizeCents},${combination},`,
      betweenRows: '/',
      betweenGrids: '|',
      end: '\n',
    },
    grid,
    outcomes,
  );
}
