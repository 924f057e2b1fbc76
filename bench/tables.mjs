import { median, QUANTITIES } from './ratios.mjs';

/** Lays out a table in Markdown, its columns of equal width; all but the first are set right. */
export function markdownTable(header, rows) {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column].length), 3),
  );
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [header.map(pad), rule, ...rows.map((row) => row.map(pad))].map(line).join('');
}

/**
 * What every command cost: medians.
 *
 * @param commands - What there is to measure, `missing` saying why something cannot be.
 * @param costs - For each command that was measured, its costs round by round.
 */
export function costTable(commands, costs) {
  const shown = commands.filter(({ name, missing }) => costs.has(name) || missing !== undefined);
  const rows = shown.map(({ name, what, missing }) => {
    const rounds = costs.get(name);
    if (rounds === undefined) return [what, missing, '', ''];
    const middle = (quantity) => median(rounds.map((cost) => cost[quantity]));
    const seconds = [middle('cpuSeconds'), middle('wallSeconds')].map((value) => value.toFixed(3));
    return [what, ...seconds, (middle('peakBytes') / 1e6).toFixed(0)];
  });
  return markdownTable(['command', 'CPU (s)', 'wall (s)', 'peak (MB)'], rows);
}

/** Every ratio with the range of its rounds, and its targets. */
export function ratioTable(commands, ratios) {
  const whats = new Map(commands.map(({ name, what }) => [name, what]));
  const rows = ratios.map((ratio) => {
    const { of, by, quantity, value, range } = ratio;
    const divisor = by === undefined ? ' (MB)' : ` / ${whats.get(by)}`;
    const [least, most] = (range ?? []).map((bound) => bound.toFixed(by === undefined ? 0 : 2));
    return [
      `${whats.get(of)}${divisor}`,
      QUANTITIES[quantity],
      value === undefined ? 'not measured' : value.toFixed(by === undefined ? 0 : 2),
      value === undefined ? '' : `${least} to ${most}`,
      targetText(ratio),
      verdictText(ratio),
    ];
  });
  return markdownTable(['ratio', 'of', 'value', 'range', 'reach, stretch', 'met'], rows);
}

function targetText({ bound, reach, stretch }) {
  if (reach === undefined) return '';
  return `${bound} ${reach}${stretch === undefined ? '' : `, ${stretch}`}`;
}

function verdictText({ reached, stretched }) {
  if (reached === undefined) return '';
  if (!reached) return 'no';
  return stretched === true ? 'stretch' : 'reach';
}
