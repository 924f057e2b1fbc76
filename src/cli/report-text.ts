import { formatCount, formatEuros } from '../core/money.js';
import { REGISTRY_FILE } from '../formats/registry.js';
import { isClosed } from '../verify/content-fault.js';
import { placeText, type Finding } from '../verify/finding.js';
import type { VerifyReport } from '../verify/report.js';
import { textTable } from '../view/page-text.js';
import { shareText } from '../view/language.js';
import { pc } from './colors.js';

const FEATURE_TITLES = { extra_stages: 'EXTRA stages', chosen: 'chosen symbols' } as const;

/** A report for people to read. */
export function reportText(report: VerifyReport): string {
  const hasTickets = report.facts !== undefined && (report.files.length > 0 || !isClosed(report));
  const sections = [
    titleText(report),
    hasTickets ? tiersText(report) : '',
    hasTickets ? featuresText(report) : '',
    filesText(report),
    findingsText(report),
    checksText(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function titleText({ facts }: VerifyReport): string {
  if (facts === undefined) return pc.bold('a block that cannot be identified');
  const { gameId, stakeCents, emission, block, engine } = facts;
  const numbers = emission === undefined ? '' : `, emission ${emission}, block ${block ?? '?'}`;
  const by = engine === undefined ? '' : `, engine ${engine}`;
  return pc.bold(`${gameId}, stake ${formatEuros(stakeCents)} EUR${numbers}${by}`);
}

function tiersText(report: VerifyReport): string {
  const rows = report.tiers.map(({ prizeCents, expectedCount, foundCount }) => [
    formatEuros(prizeCents),
    formatCount(foundCount),
    formatEuros(prizeCents * foundCount),
    foundCount === expectedCount ? '' : pc.red(`should be ${formatCount(expectedCount)}`),
  ]);
  const { tickets, winningTickets, prizesCents, salesCents } = report;
  const totals = [
    `${formatCount(tickets)} tickets, ${formatCount(winningTickets)} winning (${shareText(winningTickets, tickets)}).`,
    `Prizes ${formatEuros(prizesCents)} EUR out of sales of ${formatEuros(salesCents)} EUR: pay-out ${shareText(prizesCents, salesCents)}.`,
  ];
  return `${table(['prize (EUR)', 'tickets', 'total (EUR)', ''], rows)}\n${totals.join('\n')}`;
}

function featuresText({ featureName, features }: VerifyReport): string {
  const rows = features.map(({ feature, tickets, winningTickets }) => [
    String(feature),
    formatCount(tickets),
    formatCount(winningTickets),
    shareText(winningTickets, tickets),
  ]);
  return table([FEATURE_TITLES[featureName], 'tickets', 'winning', 'share'], rows);
}

function filesText({ files, registry }: VerifyReport): string {
  const lines = files.map(({ name, compression, encryption, bytes, records, sha256 }) => {
    const which = `${encryption ? ' decrypted' : ''}${compression ? ' uncompressed' : ''}`;
    const sizes = `${formatCount(records)} records, ${formatCount(bytes)} bytes${which}`;
    return `${name}: ${sizes}\n  sha256 ${sha256}`;
  });
  if (registry !== undefined) {
    const { entry, entries, head } = registry;
    lines.push(
      `${REGISTRY_FILE}: entry ${formatCount(entry)} of ${formatCount(entries)}\n  head ${head}`,
    );
  }
  return lines.join('\n');
}

function findingsText({ conforms, findingCounts, findings }: VerifyReport): string {
  if (conforms) return pc.green('No findings: the block conforms.');
  const total = findingCounts.reduce((sum, { count }) => sum + count, 0);
  const lines = findingCounts.map(({ code, count }) => {
    const examples = findings.filter((finding) => finding.code === code).map(findingText);
    return [`  ${formatCount(count)} x ${pc.bold(code)}`, ...examples].join('\n');
  });
  // What nobody could look at may be right.
  const isUnknown = findingCounts.every(({ code }) => code === 'file-encrypted');
  const verdict = isUnknown ? 'not known whether the block conforms' : 'the block does not conform';
  const title = `${formatCount(total)} finding${total === 1 ? '' : 's'}: ${verdict}.`;
  return `${pc.red(title)}\n${lines.join('\n')}`;
}

function findingText({ place, expected, found }: Finding): string {
  const where = placeText(place);
  return `    ${where === '' ? '' : `${where}: `}expected ${expected}; found ${found}`;
}

function checksText({ checked, notChecked }: VerifyReport): string {
  const lines = [
    ...checked.map((item) => `Checked: ${item}.`),
    ...notChecked.map((item) => `Not checked: ${item}.`),
  ];
  return lines.join('\n');
}

/** A table of numbers. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable({ columns: titles.map((title) => ({ title })), rows });
}
