import { describe, expect, jest, test } from '@jest/globals';
import { parsePage } from '../../testing/parsed-page.js';
import type { BlockFigures, HeatMap } from './block-figures.js';
import type { Html } from './html.js';
import {
  heatMapPlot,
  lengthsPlot,
  pValuesPlot,
  rarePrizesPlot,
  slicesPlot,
  winRatesPlot,
} from './plots.js';

/** A count so many standard deviations above its expectation. */
function countAt(distance: number): BlockFigures['slices'][number] {
  return { found: 1000 + 30 * distance, expected: 1000, deviation: 30 };
}

function heatMapOf(distances: readonly number[], name = 'vase'): HeatMap {
  const cells = distances.map(countAt);
  const grids = 'in the main grid';
  const symbols = [{ code: 'V', name, cells }];
  return { grids, group: 'symbols', rows: 1, columns: distances.length, symbols };
}

const FIGURES: BlockFigures = {
  featureName: 'extra_stages',
  quotas: [],
  slices: [0, 1, -2].map(countAt),
  rarePrizes: [
    { prizeCents: 1_000_000, tickets: [7] },
    { prizeCents: 500, tickets: [1, 50, 100] },
  ],
  gaps: [3, 0, 1].map(countAt),
  runs: [],
  winRates: [],
  heatMaps: [],
  nearWins: [],
};

const RATES: BlockFigures['winRates'][number] = {
  by: 'EXTRA stages',
  groups: [
    { name: '0', tickets: 100, winning: 20, deviation: 0.02 },
    { name: '1', tickets: 10, winning: 1, deviation: 0.1 },
  ],
};

const LENGTHS = { first: 0, label: 'gap', caption: 'Gaps.' };

const PLOTS: readonly (readonly [string, () => Html])[] = [
  ['slices', () => slicesPlot(FIGURES)],
  ['rare prizes', () => rarePrizesPlot(FIGURES, 100)],
  ['lengths', () => lengthsPlot(FIGURES.gaps, LENGTHS)],
  ['win rates', () => winRatesPlot(RATES, 0.2)],
  ['a heat map', () => heatMapPlot(heatMapOf([0, 1]))],
  ['p-values', () => pValuesPlot([0, 0.5, 1])],
  ['no p-values', () => pValuesPlot([])],
];

describe.each(PLOTS)('the picture of %s', (_, draw) => {
  test('is one image with the words of its caption, of which no part is named apart', () => {
    const page = parsePage(draw().markup);
    const captions = page.texts('figure figcaption');
    expect(captions).toEqual([expect.stringMatching(/^[A-Z].+\.$/)]);
    expect(page.attributes('figure svg', 'role')).toEqual(['img']);
    expect(page.attributes('figure svg', 'aria-label')).toEqual(captions);
    expect(page.attributes('figure svg *', 'aria-label').filter(Boolean)).toEqual([]);
    expect(page.attributes('figure', 'tabindex')).toEqual(['0']);
  });

  test('is the same each time, and drawn without a warning', () => {
    const warn = jest.spyOn(console, 'warn');
    const { markup } = draw();
    expect(markup).toBe(draw().markup);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    expect(markup).not.toMatch(/⚠|NaN|undefined|Infinity/);
  });
});

/** The parts of red, green and blue of the cells of a heat map. */
function coloursOf(distances: readonly number[]): readonly (readonly number[])[] {
  const page = parsePage(heatMapPlot(heatMapOf(distances)).markup);
  const fills = page.attributes('rect', 'fill');
  return fills.map((fill) => (/^rgb\((.+)\)$/.exec(fill ?? '')?.[1] ?? '').split(', ').map(Number));
}

describe('a heat map', () => {
  test('is violet above and orange below the expectation, as its caption says', () => {
    const [above = [], even = [], below = []] = coloursOf([4, 0, -4]);
    const [red = NaN, green = NaN, blue = NaN] = above;
    expect([blue > red, red > green]).toEqual([true, true]);
    const [otherRed = NaN, otherGreen = NaN, otherBlue = NaN] = below;
    expect([otherRed > otherGreen, otherGreen > otherBlue]).toEqual([true, true]);
    expect(Math.min(...even)).toBeGreaterThan(230);
    expect(heatMapPlot(heatMapOf([4])).markup).toContain('above (violet) or below (orange)');
  });

  test('has its full colour from four deviations on', () => {
    const [four, more, less, fourBelow, moreBelow] = coloursOf([4, 9, 3.9, -4, -100]);
    expect([more, moreBelow]).toEqual([four, fourBelow]);
    expect(less).not.toEqual(four);
  });

  test('writes the distance into each cell, in white where it is dark', () => {
    const page = parsePage(heatMapPlot(heatMapOf([4, 0.04, -3.1])).markup);
    expect(page.texts('text[fill]')).toEqual(['4.0', '0.0', '-3.1']);
    expect(page.attributes('text[fill]', 'fill')).toEqual(['white', 'black', 'white']);
  });

  test('is even where nothing can deviate', () => {
    const [cell] = heatMapOf([0]).symbols;
    const fixed = { found: 5, expected: 5, deviation: 0 };
    const symbols = [{ code: 'V', name: 'vase', ...cell, cells: [fixed] }];
    const page = parsePage(heatMapPlot({ ...heatMapOf([0]), symbols }).markup);
    expect(page.texts('text[fill]')).toEqual(['0.0']);
  });

  test('takes the name of a symbol for text', () => {
    const name = `</svg></script><img src=x onerror="x">&amp;'`;
    const page = parsePage(heatMapPlot(heatMapOf([0], name)).markup);
    expect(page.texts('svg text')).toContain(name);
    expect(page.texts('img, script')).toEqual([]);
  });
});

/** The numbers that an attribute of some elements of a picture has. */
function numbersIn({ markup }: Html, selector: string, name: string): readonly number[] {
  return parsePage(markup).attributes(selector, name).map(Number);
}

describe('a picture of counts', () => {
  test('has a point for each slice, higher where there are more', () => {
    const [even = NaN, more = NaN, less = NaN] = numbersIn(slicesPlot(FIGURES), 'circle', 'cy');
    expect([more < even, even < less]).toEqual([true, true]);
  });

  test('has a stroke for every ticket of a rare prize, from left to right', () => {
    const plot = rarePrizesPlot(FIGURES, 100);
    const strokes = numbersIn(plot, 'g[stroke="#0072b2"] line', 'x1');
    expect(strokes).toHaveLength(4);
    expect(strokes.slice(1)).toEqual(strokes.slice(1).toSorted((a, b) => a - b));
    expect(parsePage(plot.markup).texts('text')).toContain('10,000.00 EUR');
  });

  test('says of its last bar that it is that length or longer', () => {
    const texts = parsePage(lengthsPlot(FIGURES.gaps, LENGTHS).markup).texts('text');
    expect(texts).toEqual(expect.arrayContaining(['0', '1', '2+']));
    expect(texts).not.toContain('2');
  });

  test('puts every p-value into its part, both ends included', () => {
    const heights = numbersIn(pValuesPlot([0, 0.049, 0.05, 0.999, 1, 1]), 'rect', 'height');
    const unit = heights[1] ?? NaN;
    const counts = heights.map((height) => Math.round(height / (unit + 2)));
    expect(heights).toHaveLength(20);
    expect(counts[0]).toBe(2);
    expect([counts[1], counts.at(-1)]).toEqual([1, 3]);
  });
});
