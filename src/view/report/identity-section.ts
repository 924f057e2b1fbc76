import { formatCount, formatEuros } from '../../core/money.js';
import { html, type Html } from './html.js';
import type { ReportData } from './report-data.js';
import { table } from './table.js';

/** What the block says it is, and the hashes by which it can be known. */
export function identitySection(
  { verification }: ReportData,
  { toolVersion }: { readonly toolVersion: string },
): Html {
  const { facts, files, registry } = verification;
  const rows: (readonly [string, string])[] = [
    ['game', facts?.gameId ?? 'unknown'],
    ['price of a ticket', facts === undefined ? 'unknown' : `${formatEuros(facts.stakeCents)} EUR`],
    ['emission', String(facts?.emission ?? 'unknown')],
    ['block', String(facts?.block ?? 'unknown')],
    ['definition, SHA-256', facts?.definitionSha256 ?? 'unknown'],
    ['random engine', facts?.engine ?? 'unknown'],
    ['seed commitment', facts?.seedCommitment ?? 'unknown'],
  ];
  // Its head and its length change with every block that is made: the page would not come out again.
  if (registry !== undefined) rows.push(['registry', `entry ${formatCount(registry.entry)}`]);
  rows.push(['report made by', `gen-block ${toolVersion}`]);
  return html`<section>
    <h2>Identity</h2>
    ${table({
      caption: 'What the block says it is',
      columns: [
        { title: 'what', isText: true },
        { title: 'value', isText: true },
      ],
      rows,
    })}
    ${table({
      caption: 'Its tickets files, byte by byte, uncompressed',
      columns: [
        { title: 'file', isText: true },
        { title: 'records' },
        { title: 'bytes' },
        { title: 'SHA-256', isText: true },
      ],
      rows: files.map(({ name, records, bytes, sha256 }, index) => [
        name,
        { text: formatCount(records), figure: `files.${index}.records` },
        { text: formatCount(bytes), figure: `files.${index}.bytes` },
        { text: sha256, figure: `files.${index}.sha256` },
      ]),
    })}
  </section>`;
}
