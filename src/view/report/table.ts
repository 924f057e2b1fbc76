import { html, type Html } from './html.js';

/** A column of a table: its title, and whether it has words, which stand to the left. */
export interface Column {
  readonly title: string;
  readonly isText?: boolean;
}

/** A cell: text, or text that a figure of `verify --json` can be compared with. */
export type Cell = string | { readonly text: string; readonly figure: string };

/** A table with a caption. */
export function table(input: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the last row sums up. */
  readonly hasSum?: boolean;
}): Html {
  const { caption, columns, rows, hasSum = false } = input;
  const head = columns.map(
    ({ title, isText }) =>
      html`<th scope="col" class="${isText === true ? 'text' : ''}">${title}</th>`,
  );
  const body = rows.map((row, index) => {
    const cells = row.map((cell, column) => cellOf(cell, columns[column]));
    return html`<tr class="${hasSum && index === rows.length - 1 ? 'sum' : ''}">
      ${cells}
    </tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

function cellOf(cell: Cell, column: Column | undefined): Html {
  const kind = column?.isText === true ? 'text' : '';
  if (typeof cell === 'string') return html`<td class="${kind}">${cell}</td>`;
  return html`<td class="${kind}" data-figure="${cell.figure}">${cell.text}</td>`;
}
