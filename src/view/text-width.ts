import { stripVTControlCharacters } from 'node:util';

/** Letters of scripts whose characters take two columns, by the Unicode standard's annex 11. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b001}\u{20000}-\u{3fffd}]/u;

/** The columns of a terminal that a line takes, without its colours. */
export function textWidth(line: string): number {
  // Accents that stand by themselves take no column.
  const letters = Array.from(stripVTControlCharacters(line).replaceAll(/\p{Mn}/gu, ''));
  return letters.length + letters.filter((letter) => WIDE.test(letter)).length;
}

/** The line with spaces behind it, up to so many columns. */
export function padText(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - textWidth(line)));
}
