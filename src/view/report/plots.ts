import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { formatEuros } from '../../core/money.js';
import type { BlockFigures, HeatMap } from './block-figures.js';
import { html, Html } from './html.js';

/** Told apart by everyone, and by their lightness in print. */
const COLORS = { found: '#0072b2', expected: '#555555', band: '#d9d9d9', mark: '#d55e00' };

const WIDTH = 920;

/** Room for numbers of five digits. */
const MARGIN_LEFT = 64;

/** So many standard deviations hold nearly all counts of a right block. */
const BAND = 3;

type Count = BlockFigures['slices'][number];

/** A picture, and what it shows in words for those who do not see it. */
interface Picture {
  readonly caption: string;
  readonly plot: Plot.PlotOptions;
}

interface Drawing {
  readonly outerHTML: string;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<Drawing>;
}

/** The types of browsers are not known here: of a drawing only this is used. */
function toDrawing(value: unknown): Drawing {
  return value as Drawing;
}

function figure({ caption, plot }: Picture): Html {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const options = { width: WIDTH, marginLeft: MARGIN_LEFT, style: { background: 'none' }, ...plot };
  const drawn = toDrawing(Plot.plot({ ...options, document }));
  // As a whole it is one image: no part of it is named apart.
  for (const part of drawn.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  drawn.setAttribute('role', 'img');
  drawn.setAttribute('aria-label', caption);
  return html`<figure tabindex="0">
    ${new Html(drawn.outerHTML)}
    <figcaption>${caption}</figcaption>
  </figure>`;
}

interface Point extends Count {
  readonly x: number;
}

function points(counts: readonly Count[], first: number): readonly Point[] {
  return counts.map((count, index) => ({ ...count, x: index + first }));
}

/** Winning tickets part by part, with the band in which nearly all of them should be. */
export function slicesPlot({ slices }: BlockFigures): Html {
  const data = points(slices, 1);
  return figure({
    caption: `Winning tickets in each of ${slices.length} equal parts of the block, from its start to its end; grey: expected, and ${BAND} standard deviations around it.`,
    plot: {
      height: 220,
      x: { label: 'part of the block', tickFormat: 'd' },
      y: { label: 'winning tickets', grid: true },
      marks: [
        Plot.areaY(data, { x: 'x', y1: low, y2: high, fill: COLORS.band }),
        Plot.line(data, { x: 'x', y: 'expected', stroke: COLORS.expected }),
        Plot.dot(data, { x: 'x', y: 'found', fill: COLORS.found, r: 3 }),
      ],
    },
  });
}

function low({ expected, deviation }: Count): number {
  return expected - BAND * deviation;
}

function high({ expected, deviation }: Count): number {
  return expected + BAND * deviation;
}

/** Where the rarest prizes are. */
export function rarePrizesPlot({ rarePrizes }: BlockFigures, blockTickets: number): Html {
  const data = rarePrizes.flatMap(({ prizeCents, tickets }) =>
    tickets.map((ticket) => ({ ticket, prize: `${formatEuros(prizeCents)} EUR` })),
  );
  return figure({
    caption: 'Every ticket of the rarest prizes, by its number.',
    plot: {
      height: 60 + 28 * rarePrizes.length,
      marginLeft: 110,
      x: { label: 'ticket', domain: [1, blockTickets], tickFormat: 's' },
      y: { label: null, domain: rarePrizes.map((prize) => `${formatEuros(prize.prizeCents)} EUR`) },
      marks: [Plot.tickX(data, { x: 'ticket', y: 'prize', stroke: COLORS.found })],
    },
  });
}

/** Gaps between winning tickets, or runs of them, against expectation. */
export function lengthsPlot(
  counts: readonly Count[],
  options: {
    readonly first: number;
    readonly label: string;
    readonly caption: string;
  },
): Html {
  const data = points(counts, options.first);
  const last = data.at(-1)?.x;
  return figure({
    caption: `${options.caption} Bars: found; lines: expected. The last bar is that length or longer.`,
    plot: {
      height: 220,
      x: { label: options.label, tickFormat: (x: number) => (x === last ? `${x}+` : String(x)) },
      y: { label: 'times', grid: true, tickFormat: 's' },
      marks: [
        Plot.barY(data, { x: 'x', y: 'found', fill: COLORS.found, fillOpacity: 0.6 }),
        Plot.tickY(data, { x: 'x', y: 'expected', stroke: COLORS.mark, strokeWidth: 3 }),
        Plot.ruleY([0]),
      ],
    },
  });
}

/** Part of winning tickets by what a player could see. */
export function winRatesPlot({ by, groups }: BlockFigures['winRates'][number], part: number): Html {
  const data = groups.map((group) => ({
    ...group,
    rate: (100 * group.winning) / group.tickets,
    low: 100 * (part - BAND * group.deviation),
    high: 100 * (part + BAND * group.deviation),
  }));
  return figure({
    caption: `Part of winning tickets by ${by}; line: ${(100 * part).toFixed(2)} % of the whole block.`,
    plot: {
      height: 200,
      x: { label: by, type: 'band', domain: groups.map(({ name }) => name) },
      y: { label: 'winning (%)', grid: true, zero: false, nice: true },
      marks: [
        Plot.ruleY([100 * part], { stroke: COLORS.expected }),
        Plot.ruleX(data, { x: 'name', y1: 'low', y2: 'high', stroke: COLORS.band, strokeWidth: 8 }),
        Plot.dot(data, { x: 'name', y: 'rate', fill: COLORS.found, r: 5 }),
      ],
    },
  });
}

/** From this distance on a cell has the full colour. */
const FULL_COLOR = 4;

/** Colours from here on are dark. */
const DARK = 3;

/** Where each symbol stands, in standard deviations from its expectation. */
export function heatMapPlot({ grids, rows, columns, symbols }: HeatMap): Html {
  const data = symbols.flatMap(({ name, cells }) =>
    cells.map(({ found, expected, deviation }, cell) => ({
      name,
      row: Math.floor(cell / columns) + 1,
      column: (cell % columns) + 1,
      distance: deviation > 0 ? (found - expected) / deviation : 0,
    })),
  );
  return figure({
    caption: `Symbols by cell, ${grids}: standard deviations above (violet) or below (orange) the exact expectation.`,
    plot: {
      width: Math.max(WIDTH, 70 + symbols.length * (columns * 20 + 12)),
      height: 60 + rows * 22,
      marginLeft: 40,
      padding: 0.05,
      x: { label: null, type: 'band', tickFormat: 'd' },
      y: { label: null, type: 'band', tickFormat: 'd' },
      fx: { label: null, domain: symbols.map(({ name }) => name) },
      color: {
        type: 'diverging',
        scheme: 'PuOr',
        reverse: true,
        domain: [-FULL_COLOR, FULL_COLOR],
        clamp: true,
      },
      marks: [
        Plot.cell(data, { x: 'column', y: 'row', fx: 'name', fill: 'distance', stroke: '#bbb' }),
        Plot.text(data, {
          x: 'column',
          y: 'row',
          fx: 'name',
          text: ({ distance }: { readonly distance: number }) => distance.toFixed(1),
          fontSize: 9,
          fill: ({ distance }: { readonly distance: number }) =>
            Math.abs(distance) > DARK ? 'white' : 'black',
        }),
      ],
    },
  });
}

const BINS = 20;

/** How the p-values of tests are spread: evenly, where all is right. */
export function pValuesPlot(pValues: readonly number[]): Html {
  const counts = new Array<number>(BINS).fill(0);
  for (const pValue of pValues) {
    const bin = Math.min(BINS - 1, Math.floor(pValue * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const data = counts.map((found, bin) => ({ found, from: bin / BINS, to: (bin + 1) / BINS }));
  return figure({
    caption: `The p-values of ${pValues.length} tests with a continuous law: spread evenly (line) where the block is right; tests look at the same tickets, so the bars are not independent.`,
    plot: {
      height: 180,
      x: { label: 'p-value', domain: [0, 1] },
      y: { label: 'tests', grid: true },
      marks: [
        Plot.rectY(data, { x1: 'from', x2: 'to', y: 'found', fill: COLORS.found, inset: 1 }),
        Plot.ruleY([pValues.length / BINS], { stroke: COLORS.mark, strokeWidth: 2 }),
        Plot.ruleY([0]),
      ],
    },
  });
}
