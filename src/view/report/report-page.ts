import { createHash } from 'node:crypto';
import { formatEuros } from '../../core/money.js';
import type { ReportAssets } from '../report-assets.js';
import { html, Html, jsonIn } from './html.js';
import { identitySection } from './identity-section.js';
import { orderSection } from './order-section.js';
import { prizesSection, quotasSection, stagesSection } from './prizes-section.js';
import { checkAgainSection, findingsSection, signatureSection } from './checks-section.js';
import type { ReportData } from './report-data.js';
import { statisticsSection } from './statistics-section.js';
import { pickOutSection, symbolsSection } from './symbols-section.js';

/** What a report is made for. */
export interface PageOptions {
  /** Whether it is for publication: then it shows nothing that tells where prizes are. */
  readonly isPublic: boolean;
  readonly toolVersion: string;
  readonly assets: ReportAssets;
}

/** The page of a report: one file that loads nothing from anywhere. */
export function reportPage(data: ReportData, options: PageOptions): string {
  const { isPublic, assets } = options;
  const title = titleOf(data);
  const { block } = data;
  const secret = isPublic || block === undefined ? undefined : block;
  const isPlayable = secret !== undefined && secret.sample.length > 0;
  const body = html`
    <main>
      <h1>${title}</h1>
      ${verdict(data, isPublic)} ${identitySection(data, options)}
      ${findingsSection(data, isPublic)} ${prizesSection(data)} ${signatureSection()}
      ${secret && quotasSection(secret)} ${stagesSection(data)} ${secret && orderSection(secret)}
      ${block && symbolsSection(block, isPublic)} ${secret && pickOutSection(secret)}
      ${statisticsSection(data, isPublic)} ${isPlayable ? playerSection(secret.sample) : undefined}
      ${checkAgainSection(data)}
    </main>
    ${isPlayable ? new Html(`<script>${assets.script}</script>`) : undefined}
  `;
  return `${documentOf(title, body, { assets, isPlayable })}\n`;
}

function documentOf(
  title: string,
  body: Html,
  { assets, isPlayable }: { readonly assets: ReportAssets; readonly isPlayable: boolean },
): string {
  const script = isPlayable ? `'sha256-${sha256(assets.script)}'` : "'none'";
  // The plots bring styles of their own, in elements and in attributes.
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${script}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${new Html(`<style>${assets.style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function titleOf({ verification, block }: ReportData): string {
  const { facts } = verification;
  if (facts === undefined) return 'Report on a block that cannot be identified';
  const name = block?.game.name ?? facts.gameId;
  const numbers =
    facts.emission === undefined ? '' : `, emission ${facts.emission}, block ${facts.block ?? '?'}`;
  return `${name} at ${formatEuros(facts.stakeCents)} EUR${numbers}`;
}

function verdict({ audit, verification }: ReportData, isPublic: boolean): Html {
  const whatFor = isPublic
    ? 'For publication: nothing here tells where prizes are.'
    : 'Confidential: this page shows tickets and where prizes are.';
  const note = html`<p>${whatFor}</p>`;
  if (!verification.conforms) {
    return html`<p class="verdict wrong" data-figure="conforms">The block does not conform.</p>
      ${note}`;
  }
  if (audit.alarms.length > 0) {
    return html`<p class="verdict wrong" data-figure="conforms">
        The block conforms, but its statistics alarm.
      </p>
      ${note}`;
  }
  return html`<p class="verdict right" data-figure="conforms">
      The block conforms: every ticket and every count is right, and no test alarms.
    </p>
    ${note}`;
}

function playerSection(sample: NonNullable<ReportData['block']>['sample']): Html {
  return html`<section class="screen-only">
    <h2>Play a ticket</h2>
    <p>
      One ticket of each prize with each number of EXTRA stages or chosen symbols. Cells open one by
      one; arrow keys go from cell to cell.
    </p>
    <div id="player" class="player"></div>
    <script type="application/json" id="tickets">
      ${jsonIn(sample)}
    </script>
  </section>`;
}
