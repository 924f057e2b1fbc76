import { formatCount, formatEuros } from '../../core/money.js';
import { FEATURES, type FeatureName } from '../../definitions/features.js';
import { shareText } from '../language.js';
import { html, type Html } from './html.js';
import type { ReportData, ReportedBlock } from './report-data.js';
import { table, type Cell } from './table.js';

/** The prize table as it is stated and as it was found. */
export function prizesSection({ verification }: ReportData): Html | undefined {
  const { facts, tiers, tickets, winningTickets, prizesCents, salesCents } = verification;
  if (facts === undefined) return undefined;
  const rows = tiers.map(({ prizeCents, expectedCount, foundCount }, index): readonly Cell[] => [
    { text: formatEuros(prizeCents), figure: `tiers.${index}.prizeCents` },
    { text: formatCount(expectedCount), figure: `tiers.${index}.expectedCount` },
    { text: formatCount(foundCount), figure: `tiers.${index}.foundCount` },
    formatEuros(prizeCents * foundCount),
    foundCount === expectedCount ? 'as stated' : 'differs',
  ]);
  const stated = tiers.reduce((sum, { expectedCount }) => sum + expectedCount, 0);
  const statedCents = tiers.reduce((sum, tier) => sum + tier.expectedCount * tier.prizeCents, 0);
  const sum: readonly Cell[] = [
    'all',
    formatCount(stated),
    { text: formatCount(winningTickets), figure: 'winningTickets' },
    { text: formatEuros(prizesCents), figure: 'prizesCents' },
    stated === winningTickets && statedCents === prizesCents ? 'as stated' : 'differs',
  ];
  return html`<section>
    <h2>Prizes</h2>
    ${table({
      caption: 'The prize table of the regulation, and the tickets that were found',
      columns: [
        { title: 'prize (EUR)' },
        { title: 'stated' },
        { title: 'found' },
        { title: 'total (EUR)' },
        { title: 'verdict', isText: true },
      ],
      rows: [...rows, sum],
      hasSum: true,
    })}
    <p>
      <span data-figure="tickets">${formatCount(tickets)}</span> tickets,
      ${shareText(winningTickets, tickets)} of them winning. Prizes of ${formatEuros(prizesCents)}
      EUR out of sales of <span data-figure="salesCents">${formatEuros(salesCents)}</span> EUR:
      pay-out ${shareText(prizesCents, salesCents)}.
    </p>
  </section>`;
}

/** How many tickets of each prize have each number of EXTRA stages or chosen symbols, where that differs. */
export function quotasSection({ figures }: ReportedBlock): Html | undefined {
  const { quotas, featureName } = figures;
  const split = quotas.filter(({ features }) => features.length > 1);
  if (split.length === 0) return undefined;
  const values = [
    ...new Set(split.flatMap(({ features }) => features.map(({ feature }) => feature))),
  ];
  const rows = split.map(({ prizeCents, features }) => [
    prizeCents === 0 ? 'losing' : formatEuros(prizeCents),
    ...values.map((value) => {
      const cell = features.find(({ feature }) => feature === value);
      return cell === undefined ? '' : `${formatCount(cell.found)} (${decimal(cell.expected)})`;
    }),
  ]);
  return html`<section>
    <h2>Quotas</h2>
    ${table({
      caption: `Tickets of each prize by ${FEATURES[featureName].many}: found, and in brackets what the law asks for; each is the whole number below or above`,
      columns: [{ title: 'prize (EUR)' }, ...values.map((value) => ({ title: String(value) }))],
      rows,
    })}
  </section>`;
}

/** How the tickets by their features are introduced. */
const STAGES_SECTION: Readonly<
  Record<FeatureName, { readonly heading: string; readonly caption: string }>
> = {
  extra_stages: {
    heading: 'EXTRA stages',
    caption: 'Tickets by EXTRA stages: the chance of a win must not depend on them',
  },
  chosen: {
    heading: 'Chosen symbols',
    caption: 'Tickets by the number of chosen symbols in each of their grids',
  },
};

/** Tickets with each number of EXTRA stages or chosen symbols, and how many of them win. */
export function stagesSection({ verification }: ReportData): Html | undefined {
  const { features, featureName, facts, tickets } = verification;
  if (facts === undefined) return undefined;
  return html`<section>
    <h2>${STAGES_SECTION[featureName].heading}</h2>
    ${table({
      caption: STAGES_SECTION[featureName].caption,
      columns: [
        { title: FEATURES[featureName].many },
        { title: 'tickets' },
        { title: 'of all' },
        { title: 'winning' },
        { title: 'P(win)' },
      ],
      rows: features.map(({ feature, tickets: having, winningTickets }, index) => [
        { text: String(feature), figure: `features.${index}.feature` },
        { text: formatCount(having), figure: `features.${index}.tickets` },
        shareText(having, tickets),
        { text: formatCount(winningTickets), figure: `features.${index}.winningTickets` },
        shareText(winningTickets, having),
      ]),
    })}
  </section>`;
}

function decimal(value: number): string {
  const [whole = '', rest = ''] = value.toFixed(2).split('.');
  return Number.isInteger(value) ? formatCount(value) : `${formatCount(Number(whole))}.${rest}`;
}
