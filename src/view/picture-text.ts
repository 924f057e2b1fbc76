import { printable } from '../core/errors.js';
import type { PayLine } from '../definitions/game.js';
import type { CellPicture, GridPicture } from './grid-picture.js';
import { numberStyle, type LanguageId, type NumberStyle } from './language.js';
import { textTable } from './page-text.js';
import { padText, textWidth } from './text-width.js';
import type { TicketPicture } from './ticket-picture.js';
import { ticketWords, type TicketWords } from './ticket-words.js';

/** How a terminal shows what matters. Without colours these leave text as it is. */
interface PictureStyle {
  readonly title: (text: string) => string;
  readonly win: (text: string) => string;
  readonly trigger: (text: string) => string;
}

/** How pictures are drawn as text. */
export interface PictureOptions {
  readonly language: LanguageId;
  readonly style: PictureStyle;
  /** Columns of the terminal: where the symbols' names do not fit, their letters are drawn. */
  readonly width: number;
  /** What the block is called. */
  readonly blockName: string;
}

interface Drawing {
  readonly numbers: NumberStyle;
  readonly words: TicketWords;
  readonly style: PictureStyle;
  readonly textOf: (cell: CellPicture) => string;
  /** Whether the grids of choices stand beside one another. */
  readonly isSideBySide: boolean;
}

/** The most letters of a symbol's name that are shown. */
const MOST_NAME_LETTERS = 40;

/** A ticket for a terminal: what wins is marked without colours too. */
export function pictureText(picture: TicketPicture, options: PictureOptions): string {
  const { language, style } = options;
  const writing = { numbers: numberStyle(language), words: ticketWords(language), style };
  const sections = [
    titleText(picture, options, writing),
    fittingGrids(picture.grids, options, writing),
    sumText(picture, writing),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** With names where they fit, else with letters and a legend; one below the other if need be. */
function fittingGrids(
  grids: readonly GridPicture[],
  { width }: PictureOptions,
  writing: Writing,
): string {
  const textOf = ({ name }: CellPicture): string => nameText(name);
  const named = gridsText(grids, { ...writing, textOf, isSideBySide: true });
  if (fits(named, width)) return named;
  const letters = { ...writing, textOf: ({ code }: CellPicture) => printable(code) };
  const beside = gridsText(grids, { ...letters, isSideBySide: true });
  const drawn = fits(beside, width)
    ? beside
    : gridsText(grids, { ...letters, isSideBySide: false });
  return [drawn, writing.words.legend(legendOf(grids))].join('\n\n');
}

function fits(text: string, width: number): boolean {
  return text.split('\n').every((line) => textWidth(line) <= width);
}

/** A symbol's name, safe on a terminal. */
function nameText(name: string): string {
  return printable(name, MOST_NAME_LETTERS);
}

type Writing = Omit<Drawing, 'textOf' | 'isSideBySide'>;

function titleText(
  { ticket, prizeCents, combination }: TicketPicture,
  { blockName }: PictureOptions,
  { numbers, words, style }: Writing,
): string {
  const result = prizeCents === 0 ? words.loses : words.wins(numbers.euros(prizeCents));
  const by = combination === '' ? '' : ` (${printable(combination)})`;
  return style.title(words.ticket(numbers.count(ticket), blockName, `${result}${by}`));
}

/** A choice's grids stand side by side; stages follow one another, as they are played. */
function gridsText(grids: readonly GridPicture[], drawing: Drawing): string {
  const drawn = grids.map((grid) => gridLines(grid, drawing));
  const isChoice = grids.every(({ role }) => role.kind === 'choice');
  if (isChoice && drawing.isSideBySide) return besideOneAnother(drawn).join('\n');
  return drawn.map((lines) => lines.join('\n')).join('\n\n');
}

/** Texts of several lines, one beside the other. */
function besideOneAnother(texts: readonly (readonly string[])[]): readonly string[] {
  const widths = texts.map((lines) => Math.max(...lines.map(textWidth)));
  const height = Math.max(0, ...texts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    ` ${texts.map((lines, index) => padText(lines[line] ?? '', widths[index] ?? 0)).join('  ')}`.trimEnd(),
  );
}

function gridLines(grid: GridPicture, drawing: Drawing): readonly string[] {
  const { numbers, words, style } = drawing;
  const cells = grid.rows.map((row) => row.map((cell) => cellText(cell, drawing)));
  const lines = framed(cells).map((line, index) => {
    const win = grid.rowWins[index - 1];
    return win === undefined ? line : `${line} ${style.win(`= ${numbers.euros(win.prizeCents)}`)}`;
  });
  const under = grid.chosenCount === undefined ? [] : [choiceText(grid, drawing)];
  return [roleText(grid, numbers, words), ...lines, ...under];
}

/** Rows of cells in a frame, all as wide as the widest. The tables' library takes 0.1 s for a ticket. */
function framed(rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(...rows.flat().map(textWidth));
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${(rows[0] ?? []).map(() => '─'.repeat(width)).join(middle)}${right}`;
  return [
    rule('┌', '┬', '┐'),
    ...rows.map((row) => `│${row.map((cell) => padText(cell, width)).join('│')}│`),
    rule('└', '┴', '┘'),
  ];
}

function cellText(cell: CellPicture, { style, textOf }: Drawing): string {
  const text = textOf(cell);
  if (cell.isWinning) return style.win(`[${text}]`);
  return cell.isTrigger ? style.trigger(`*${text}*`) : ` ${text} `;
}

function roleText({ role }: GridPicture, numbers: NumberStyle, words: TicketWords): string {
  if (role.kind === 'main') return words.mainGrid;
  if (role.kind === 'extra') return words.extraStage(numbers.count(role.stage));
  return words.choice(nameText(role.name));
}

/** Under a choice's grid: how many were collected, and what for. */
function choiceText(grid: GridPicture, { numbers, style }: Drawing): string {
  const [win] = grid.wins;
  const name = grid.role.kind === 'choice' ? nameText(grid.role.name) : '';
  const collected = `${numbers.count(grid.chosenCount ?? 0)} ${name}`;
  if (win === undefined) return collected;
  return style.win(`${collected} = ${numbers.euros(win.prizeCents)}`);
}

function combinationName({ symbol, count }: PayLine, { role, rows }: GridPicture): string {
  const code = symbol ?? (role.kind === 'choice' ? role.code : '');
  const name = rows.flat().find((cell) => cell.code === code)?.name ?? code;
  return `${count} ${nameText(name)}`;
}

/** The sum worked out; of a ticket with choices each is a sum of its own. */
function sumText(picture: TicketPicture, { numbers, words }: Writing): string {
  const { grids, prizeCents, symbolsCents, faults } = picture;
  const isPlayedThrough = grids.every(({ role }) => role.kind !== 'choice');
  const wins = isPlayedThrough
    ? grids.flatMap((grid) => grid.wins.map((win) => [combinationName(win, grid), win] as const))
    : [];
  const rows = wins.map(([name, win]) => [name, numbers.euros(win.prizeCents)]);
  const columns = [{ title: '', align: 'left' as const }, { title: '' }];
  const total = [words.prize, numbers.euros(symbolsCents)];
  const sum = textTable({ columns, rows: [...rows, total] });
  return [
    ...(symbolsCents === 0 ? [words.nothing] : [sum.split('\n').slice(1).join('\n')]),
    ...(prizeCents === symbolsCents
      ? []
      : [words.disagrees(numbers.euros(prizeCents), numbers.euros(symbolsCents))]),
    ...faults.map((fault) => printable(words.fault(fault), 400)),
  ].join('\n');
}

/** `B bracelet, D pendentif`: the symbols that the grids show. */
function legendOf(grids: readonly GridPicture[]): string {
  const names = new Map(
    grids.flatMap(({ rows }) => rows.flat()).map(({ code, name }) => [code, name]),
  );
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, name]) => `${printable(code)} ${nameText(name)}`)
    .join(', ');
}
