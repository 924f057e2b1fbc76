import type { Definition } from './definition.js';
import { findRepeats } from './list-checks.js';
import { describeValue, type Problem } from './problem.js';

/** Symbols must be told apart, by their codes in the files and by their names on a screen. */
export function checkSymbols({ name, symbols }: Definition): readonly Problem[] {
  return [
    ...checkNormalForm(name, '/name'),
    ...symbols.flatMap(({ id }, index) => checkNormalForm(id, `/symbols/${index}/id`)),
    ...findRepeats(
      symbols.map(({ code }) => code),
      (index) => `/symbols/${index}/code`,
    ),
    ...findRepeats(
      // Names that differ in nothing but case or width look alike.
      symbols.map(({ id }) => id.normalize('NFKC').toLowerCase()),
      (index) => `/symbols/${index}/id`,
    ),
  ];
}

/** The same letters could be coded in two ways, and then compare as different. */
function checkNormalForm(text: string, pointer: string): readonly Problem[] {
  const normal = text.normalize('NFC');
  if (text === normal) return [];
  const expected = `${describeValue(normal)} in Unicode's normal form C`;
  return [{ pointer, found: describeValue(text), expected }];
}
