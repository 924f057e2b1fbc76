/*
 * How the default job grows with the number of tickets: `npm run bench:growth`. Blocks of a definition
 * with Eldorado's tables in larger and smaller numbers; time per ticket should stay, and memory should
 * grow by the list of outcomes alone, two bytes a ticket.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { definitionFile, genBlock, STAKE } from './commands.mjs';
import { findTools, measure } from './machine.mjs';
import { median } from './ratios.mjs';
import { markdownTable } from './tables.mjs';

const { values: options } = parseArgs({
  options: {
    tickets: { type: 'string', default: '100000,900000,9000000,50000000' },
    engine: { type: 'string', default: 'seedrandom' },
    runs: { type: 'string', default: '3' },
  },
});

/** Eldorado with this many tickets: every tier in proportion, at least one ticket. */
function scaledDefinition(tickets) {
  const game = JSON.parse(readFileSync(definitionFile('eldorado')));
  const scale = ({ tiers, ...stake }) => {
    const scaled = tiers.map(({ count, prize_cents }) => {
      const scaledCount = Math.max(1, Math.round((count * tickets) / game.block_size));
      return { count: scaledCount, prize_cents, total_cents: scaledCount * prize_cents };
    });
    const sum = (key) => scaled.reduce((total, tier) => total + tier[key], 0);
    const declared = { winning_tickets: sum('count'), prizes_cents: sum('total_cents') };
    return { ...stake, tiers: scaled, declared };
  };
  return { ...game, id: 'eldorado-scaled', block_size: tickets, stakes: game.stakes.map(scale) };
}

/** What a default job of this many tickets costs: medians. */
async function costOf(tickets, { folder, tools }) {
  const definition = join(folder, `${tickets}.json`);
  writeFileSync(definition, JSON.stringify(scaledDefinition(tickets)));
  const out = join(folder, 'out');
  const words = genBlock(
    '--definition',
    definition,
    '--stake',
    STAKE.euros,
    '--out',
    out,
    '--quiet',
  );
  const costs = [];
  for (let run = 0; run < Number(options.runs); run += 1) {
    mkdirSync(out);
    try {
      costs.push(await measure({ ...tools, words: [...words, '--engine', options.engine] }));
    } finally {
      rmSync(out, { recursive: true });
    }
  }
  const middle = (quantity) => median(costs.map((cost) => cost[quantity]));
  return {
    tickets,
    cpu: middle('cpuSeconds'),
    wall: middle('wallSeconds'),
    peak: middle('peakBytes'),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'gen-block-growth-'));
try {
  const tools = findTools(folder);
  const costs = [];
  for (const tickets of options.tickets.split(',').map(Number)) {
    costs.push(await costOf(tickets, { folder, tools }));
  }
  const rows = costs.map(({ tickets, cpu, wall, peak }, index) => {
    const before = costs[index - 1];
    const more = before === undefined ? undefined : tickets - before.tickets;
    const slope = (key) => (more === undefined ? NaN : (costs[index][key] - before[key]) / more);
    const figure = (value, digits) => (Number.isNaN(value) ? '' : value.toFixed(digits));
    return [
      tickets.toLocaleString('en'),
      cpu.toFixed(2),
      wall.toFixed(2),
      (peak / 1e6).toFixed(0),
      figure(slope('cpu') * 1e9, 0),
      figure(slope('peak'), 1),
    ];
  });
  const header = [
    'tickets',
    'CPU (s)',
    'wall (s)',
    'peak (MB)',
    'ns a further ticket',
    'bytes a further ticket',
  ];
  process.stdout.write(markdownTable(header, rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
