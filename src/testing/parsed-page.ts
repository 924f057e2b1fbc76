import { parseHTML } from 'linkedom';

/** An element of a page, as far as tests look at it. */
interface PageElement {
  readonly textContent: string;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** A page, or a part of one, that can be asked what is in it. */
export interface ParsedPage {
  /** The texts of the elements that a selector finds, without the white space around them. */
  texts(selector: string): readonly string[];
  /** An attribute of these elements. */
  attributes(selector: string, name: string): readonly (string | null)[];
  /** The texts of the cells of each row of the tables whose caption begins so. */
  rows(caption: string): readonly (readonly string[])[];
}

/** Reads markup as a browser would. */
export function parsePage(markup: string): ParsedPage {
  const document = parseHTML(markup).document as PageElement;
  const all = (selector: string, within = document): readonly PageElement[] =>
    Array.from(within.querySelectorAll(selector));
  return {
    texts: (selector) => all(selector).map(textOf),
    attributes: (selector, name) => all(selector).map((element) => element.getAttribute(name)),
    rows(caption) {
      const tables = all('table').filter((table) =>
        all('caption', table).some((element) => textOf(element).startsWith(caption)),
      );
      const rows = tables.flatMap((table) => all('tbody tr', table));
      return rows.map((row) => all('td', row).map(textOf));
    },
  };
}

function textOf({ textContent }: PageElement): string {
  return textContent.trim();
}
