import { html, type Html } from './html.js';
import { lengthsPlot, rarePrizesPlot, slicesPlot } from './plots.js';
import type { ReportedBlock } from './report-data.js';

/** Where winning tickets are: never for publication. */
export function orderSection({ game, figures }: ReportedBlock): Html {
  return html`<section>
    <h2>Order</h2>
    <h3>Along the block</h3>
    ${slicesPlot(figures)}
    ${figures.rarePrizes.length === 0 ? undefined : rarePrizesPlot(figures, game.blockSize)}
    <h3>Gaps and runs</h3>
    ${lengthsPlot(figures.gaps, {
      first: 0,
      label: 'losing tickets between winning ones',
      caption: 'How many losing tickets lie between one winning ticket and the next.',
    })}
    ${lengthsPlot(figures.runs, {
      first: 1,
      label: 'winning tickets in a row',
      caption: 'How many winning tickets come in a row.',
    })}
  </section>`;
}
