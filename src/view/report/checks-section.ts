import { formatCount } from '../../core/money.js';
import { blockName, type ManifestFile } from '../../formats/manifest.js';
import type { AuditReport } from '../../verify/audit/audit-report.js';
import { placeText, type Finding } from '../../verify/finding.js';
import { NO_SEED } from '../../verify/judge-block.js';
import { html, type Html } from './html.js';
import type { ReportData } from './report-data.js';
import { table } from './table.js';

/** All kinds of findings, with examples where they may be seen; nothing where there are none. */
export function findingsSection({ verification }: ReportData, isPublic: boolean): Html | undefined {
  const { findings, findingCounts } = verification;
  if (findingCounts.length === 0) return undefined;
  return html`<section>
    <h2>Findings</h2>
    ${table({
      caption: 'How many of each kind',
      columns: [{ title: 'code', isText: true }, { title: 'findings' }],
      rows: findingCounts.map(({ code, count }, index) => [
        code,
        { text: formatCount(count), figure: `findingCounts.${index}.count` },
      ]),
    })}
    ${
      isPublic
        ? html`<p>Which tickets they are about is not shown: it would tell where prizes are.</p>`
        : examplesTable(findings)
    }
  </section>`;
}

function examplesTable(findings: readonly Finding[]): Html {
  return table({
    caption: 'The first of each kind',
    columns: ['code', 'where', 'expected', 'found'].map((title) => ({ title, isText: true })),
    rows: findings.map((finding) => [
      finding.code,
      placeText(finding.place),
      finding.expected,
      finding.found,
    ]),
  });
}

/** How anybody who has the block can check all of this again. */
export function checkAgainSection({ verification, audit, isOwnGame }: ReportData): Html {
  const { facts, files } = verification;
  const definition = isOwnGame ? ' --definition <definition>' : '';
  const name =
    facts?.emission === undefined || facts.block === undefined
      ? '<block>'
      : blockName({ ...facts, emission: facts.emission, block: facts.block });
  const identity = files.some((file) => file.encryption) ? ' --identity <identity>' : '';
  const options = `${definition}${identity}`;
  const hashes = files.map((file) => hashCommand(`${name}/${file.name}`, file));
  const commands = [
    `gen-block verify ${name}${options}`,
    `gen-block verify ${name}${options} --seed-file <seed>   # also the order, from the committed seed`,
    `gen-block audit ${name}${options}`,
    ...hashes,
    `gen-block report ${name}${options} -o report.html`,
  ];
  // An audit says that too, and more of it.
  const notChecked = verification.notChecked.filter((item) => item !== NO_SEED);
  const items = (texts: readonly string[]): readonly Html[] =>
    texts.map((text) => html`<li>${text.replaceAll('`', '')}</li>`);
  return html`<section>
    <h2>Check it again</h2>
    <pre>${commands.join('\n')}</pre>
    <h3>What was checked</h3>
    <ul>
      ${items([...verification.checked, ...statisticsOf(audit)])}
    </ul>
    <h3>What was not checked</h3>
    <ul>
      ${items([...notChecked, ...withoutPaths(audit)])}
    </ul>
  </section>`;
}

/** The command that shows the hash of a file's content. */
function hashCommand(path: string, { compression, encryption }: ManifestFile): string {
  if (encryption === undefined) {
    return compression === undefined ? `sha256sum ${path}` : `gzip -dc ${path} | sha256sum`;
  }
  const unpacked = compression === undefined ? '' : ' | gzip -dc';
  return `age -d -i <identity> ${path}${unpacked} | sha256sum`;
}

/** What an audit checks beyond a verification, which it names first. */
function statisticsOf({ checked }: AuditReport): readonly string[] {
  return checked.slice(1);
}

/** Where the block lies is nobody's business but its owner's. */
function withoutPaths({ notChecked, blocks }: AuditReport): readonly string[] {
  return blocks.reduce(
    (texts, { path }) =>
      texts.map((text) => text.replace(`statistics of ${path}:`, 'statistics of the block:')),
    notChecked,
  );
}

/** Lines to sign on paper. */
export function signatureSection(): Html {
  return html`<section>
    <h2>Signed</h2>
    <p class="sign">Name and date</p>
    <p class="sign">Signature</p>
  </section>`;
}
