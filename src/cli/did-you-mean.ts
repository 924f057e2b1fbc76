/** Longer than any name that is asked for: it is none of them, but perhaps a secret. */
const MOST_LETTERS = 40;

/** As far as a typing error goes; what is short must have at least half of its letters right. */
const MOST_EDITS = 3;

/**
 * The name that was most likely meant: the first that begins with what was given, or else the one that
 * takes the fewest edits.
 *
 * @returns `undefined` where none is near.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const text = given.toLowerCase();
  if (text === '' || text.length > MOST_LETTERS) return undefined;
  const begun = names.find((name) => text.length > 1 && name.toLowerCase().startsWith(text));
  if (begun !== undefined) return begun;
  let nearest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editDistance(text, name.toLowerCase());
    const isNear = edits <= MOST_EDITS && edits * 2 <= Math.max(text.length, name.length);
    if (isNear && (nearest === undefined || edits < nearest.edits)) nearest = { name, edits };
  }
  return nearest?.name;
}

/**
 * How many letters must be added, left out, replaced, or swapped with their neighbour, no letter twice: the
 * distance of Damerau and Levenshtein, as optimal string alignment.
 */
export function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(above, column - 1) + (isSame ? 0 : 1);
      const oneLonger = Math.min(at(above, column), at(current, column - 1)) + 1;
      // Nothing stands before the first letters, and nothing is the swap of nothing.
      const swapped = isSwap && row > 1 && column > 1 ? at(before, column - 2) + 1 : replaced;
      current.push(Math.min(replaced, oneLonger, swapped));
    }
    before = above;
    above = current;
  }
  return at(above, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

/**
 * What stands behind the refusal of a name, where another one may have been meant. It repeats nothing of
 * what was given.
 *
 * @returns Empty where no name is near.
 */
export function didYouMean(given: string, names: readonly string[]): string {
  const name = nearestName(given, names);
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}
