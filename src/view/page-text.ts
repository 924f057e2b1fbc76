import Table from 'cli-table3';
import { printable } from '../core/errors.js';
import type { Page, Section, Table as PageTable } from './page.js';

/** Lines of a table that needs no frame. */
const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/**
 * A page for a terminal.
 *
 * @param emphasize - Marks titles, where the terminal can.
 */
export function pageText({ title, sections }: Page, emphasize: (text: string) => string): string {
  const parts = sections.map((section) => sectionText(section, emphasize));
  return `${[emphasize(printable(title)), ...parts].join('\n\n')}\n`;
}

function sectionText(
  { heading, lines = [], table }: Section,
  emphasize: (text: string) => string,
): string {
  return [
    ...(heading === undefined ? [] : [emphasize(printable(heading, MOST_LETTERS))]),
    ...lines.map((line) => printable(line, MOST_LETTERS)),
    ...(table === undefined ? [] : [textTable(table)]),
  ].join('\n');
}

/** A line of a game with all the symbols that a definition may have is longer than a message. */
const MOST_LETTERS = 4000;

/** A table of words and numbers, without a frame; widths are those that a terminal shows. */
export function textTable({ columns, rows }: PageTable): string {
  const made = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align = 'right' }) => align),
    chars: NO_FRAME,
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1 },
  });
  made.push(...rows.map((row) => [...row]));
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
