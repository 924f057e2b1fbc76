import type { Page, Section, Table } from './page.js';

/** A page as GitHub-flavoured Markdown. */
export function pageMarkdown({ title, sections }: Page): string {
  const parts = sections.flatMap(sectionMarkdown);
  return `${[`# ${escape(title)}`, ...parts].join('\n\n')}\n`;
}

function sectionMarkdown({ heading, lines = [], table }: Section): readonly string[] {
  return [
    ...(heading === undefined ? [] : [`## ${escape(heading)}`]),
    ...lines.map(escape),
    ...(table === undefined ? [] : [tableMarkdown(table)]),
  ];
}

function tableMarkdown({ columns, rows }: Table): string {
  const head = columns.map(({ title }) => title);
  const rule = columns.map(({ align }) => (align === 'left' ? ':--' : '--:'));
  return [head.map(escape), rule, ...rows.map((row) => row.map(escape))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Names out of a definition may hold what Markdown or HTML would read as its own. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&|#~$]/g, (character) => `\\${character}`);
}
