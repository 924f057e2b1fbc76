import { Command } from 'commander';
import { drawTicket, type TicketRecord } from '../block/draw-ticket.js';
import { planBlock } from '../block/plan-block.js';
import type { EngineId } from '../core/algorithm.js';
import { InputError } from '../core/errors.js';
import { formatEuros } from '../core/money.js';
import {
  chosenGame,
  definitionOption,
  engineOption,
  gameOption,
  numberOption,
  stakeOption,
  textOption,
} from './options.js';
import { findSeed } from './seed-input.js';
import { processTerminal } from './terminal.js';

interface ShowFlags {
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

const EXAMPLES = `
Examples:
  gen-block show -g eldorado -s 1 --seed-file emission-1.seed --block 7 --ticket 1234
  gen-block show -g eldorado -s 1 --seed demo --ticket 1234 --json`;

/** `gen-block show`: makes one ticket again from the seed alone, without the block's files. */
export function showCommand(): Command {
  return new Command('show')
    .description('make one ticket again from the seed alone, and show it')
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(textOption('--seed <text>', 'seed, for tests: others can see the command line'))
    .addOption(textOption('--seed-file <file>', 'file with the seed; - for standard input'))
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(numberOption('--ticket <number>', 'number of the ticket within its block'))
    .addOption(engineOption())
    .addOption(definitionOption())
    .option('--json', 'print the record as it stands in tickets.ndjson')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ShowFlags) => {
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
    });
}

function ticketText({ ticket, prize_cents, combination, grids }: TicketRecord): string {
  const result = prize_cents === 0 ? 'loses' : `wins ${formatEuros(prize_cents)} EUR`;
  const by = combination === '' ? '' : ` by ${combination}`;
  const drawn = grids.map((rows) => rows.map((row) => `  ${row.split('').join(' ')}`).join('\n'));
  return `ticket ${ticket} ${result}${by}\n\n${drawn.join('\n\n')}\n`;
}
