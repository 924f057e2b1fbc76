/*
 * The ratios that are watched. `of` is divided by `by`, each a command's median; the reach is what has
 * to be met, the stretch what would be better still. A ratio without a reach is only shown.
 */

/** What is compared, by its name in the results, and how it is called in tables. */
export const QUANTITIES = {
  cpuSeconds: 'CPU',
  wallSeconds: 'wall',
  peakBytes: 'peak memory',
};

const CPU = { quantity: 'cpuSeconds', bound: 'at most' };
const LESS_CPU = { quantity: 'cpuSeconds', bound: 'at least' };
const WALL = { quantity: 'wallSeconds', bound: 'at most' };
const MEMORY = { quantity: 'peakBytes', bound: 'at most' };

const RATIOS = [
  { of: 'generate-both', by: 'openssl-both', ...CPU, reach: 4, stretch: 3 },
  { of: 'generate-ndjson', by: 'openssl-ndjson', ...CPU },
  { of: 'generate-csv', by: 'openssl-csv', ...CPU },
  { of: 'verify-ndjson', by: 'openssl-ndjson', ...CPU, reach: 3, stretch: 2.3 },
  { of: 'verify-block', by: 'openssl-both', ...CPU },
  { of: 'default-job', by: 'openssl-both', ...CPU, reach: 9, stretch: 6 },
  { of: 'audit', by: 'openssl-both', ...CPU },
  { of: 'generate-both', by: 'cp-both', ...CPU },
  { of: 'generate-both', by: 'limit', ...CPU, reach: 4, stretch: 3 },
  { of: 'idiomatic', by: 'default-job', ...LESS_CPU, reach: 10, stretch: 15 },
  { of: 'python', by: 'default-job', ...LESS_CPU, reach: 12, stretch: 15 },
  { of: 'generate-ten', by: 'generate-both', ...CPU, reach: 8 },
  { of: 'generate-ten', by: 'generate-both', ...MEMORY, reach: 1.3 },
  { of: 'default-job', ...MEMORY, reach: 120, stretch: 90 },
  { of: 'version', by: 'node-0', ...WALL, reach: 1.5 },
  { of: 'help', by: 'node-0', ...WALL, reach: 1.5 },
];

const BYTES_PER_MEGABYTE = 1e6;

/** The middle value, or the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/**
 * Every ratio with its value and how far it moved from round to round.
 *
 * @param costs - For each command that was measured, its costs round by round.
 */
export function computeRatios(costs) {
  return RATIOS.map((ratio) => ({ ...ratio, ...valueOf(ratio, costs) }));
}

/** Without a `by`, the value is no ratio but an amount of megabytes. */
function valueOf({ of, by, quantity, bound, reach, stretch }, costs) {
  const above = costs.get(of)?.map((cost) => cost[quantity]);
  const below =
    by === undefined
      ? above?.map(() => BYTES_PER_MEGABYTE)
      : costs.get(by)?.map((cost) => cost[quantity]);
  if (above === undefined || below === undefined) return {};
  const byRound = above.map((value, round) => value / below[round]);
  const value = median(above) / median(below);
  const meets = (target) => (bound === 'at most' ? value <= target : value >= target);
  return {
    value,
    range: [Math.min(...byRound), Math.max(...byRound)],
    ...(reach === undefined ? {} : { reached: meets(reach) }),
    ...(stretch === undefined ? {} : { stretched: meets(stretch) }),
  };
}
