import { formatCount } from '../../core/money.js';
import { sumOf } from '../../core/sum-of.js';
import { html, type Html } from './html.js';
import { nearWinsCaption } from './near-wins.js';
import { heatMapPlot, winRatesPlot } from './plots.js';
import { isPublicGroup } from './public-group.js';
import type { ReportedBlock } from './report-data.js';
import { table } from './table.js';

/** Symbols against the exact law, and near wins. */
export function symbolsSection(block: ReportedBlock, isPublic: boolean): Html {
  const { game, stake, figures } = block;
  const heatMaps = figures.heatMaps.filter(({ group }) => !isPublic || isPublicGroup(group));
  return html`<section>
    <h2>Symbols</h2>
    ${heatMaps.map(heatMapPlot)}
    <h3>Near wins</h3>
    ${table({
      caption: nearWinsCaption(game, stake),
      columns: [
        { title: 'what', isText: true },
        { title: 'found' },
        { title: 'expected' },
        { title: 'standard deviations' },
      ],
      rows: figures.nearWins.map(({ name, found, expected, deviation }) => [
        name,
        formatCount(found),
        formatCount(Math.round(expected)),
        deviation > 0 ? ((found - expected) / deviation).toFixed(2) : '-',
      ]),
    })}
  </section>`;
}

/** What a player might pick tickets out by: never for publication, it tells of ticket numbers. */
export function pickOutSection({ game, stake, figures }: ReportedBlock): Html {
  const winners = sumOf(stake.tiers.map(({ count }) => count));
  return html`<section>
    <h2>Pick-out</h2>
    <p>
      Whether anything that can be seen before a ticket is played tells a win. The tests look at
      more: cells, neighbours, first rows, places of EXTRA symbols, the length of a record.
    </p>
    ${figures.winRates.map((rates) => winRatesPlot(rates, winners / game.blockSize))}
  </section>`;
}
