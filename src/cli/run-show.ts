import { drawTicket, type TicketRecord } from '../block/draw-ticket.js';
import { planBlock } from '../block/plan-block.js';
import type { EngineId } from '../core/algorithm.js';
import { InputError } from '../core/errors.js';
import { formatEuros } from '../core/money.js';
import { chosenGame } from './chosen-game.js';
import { findSeed } from './seed-input.js';
import { processTerminal } from './terminal.js';

/** The options of `show`. */
export interface ShowFlags {
  readonly game?: string;
  readonly definition?: string;
  readonly stake?: number;
  readonly seed?: string;
  readonly seedFile?: string;
  readonly emission: number;
  readonly block: number;
  readonly engine: EngineId;
  readonly ticket: number;
  readonly json?: boolean;
}

/** Makes one ticket again and shows it. */
export async function runShow(flags: ShowFlags): Promise<void> {
  const terminal = processTerminal({});
  const game = chosenGame(flags);
  const { stake: stakeCents, engine, emission, block } = flags;
  if (stakeCents === undefined) {
    throw new InputError('usage', 'no stake is given; add --stake <euros>');
  }
  const seed = await findSeed(flags, process.env, terminal.note);
  if (seed === undefined) {
    throw new InputError('usage', 'no seed is given; add --seed-file <file>');
  }
  const planned = await planBlock({ game, stakeCents, seed, engine, emission, block });
  const ticket = drawTicket(planned, flags.ticket);
  terminal.write(flags.json === true ? `${JSON.stringify(ticket)}\n` : ticketText(ticket));
}

function ticketText({ ticket, prize_cents, combination, grids }: TicketRecord): string {
  const result = prize_cents === 0 ? 'loses' : `wins ${formatEuros(prize_cents)} EUR`;
  const by = combination === '' ? '' : ` by ${combination}`;
  const drawn = grids.map((rows) => rows.map((row) => `  ${row.split('').join(' ')}`).join('\n'));
  return `ticket ${ticket} ${result}${by}\n\n${drawn.join('\n\n')}\n`;
}
