/** What a character of a seed is at most worth, by the smallest alphabet that has all of them. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[01]*$/, 1],
  [/^\d*$/, Math.log2(10)],
  [/^(?:[\da-f]*|[\dA-F]*)$/, 4],
  [/^(?:[\da-z]*|[\dA-Z]*)$/, Math.log2(36)],
  [/^[\dA-Za-z+/_=-]*$/, 6],
];

const OTHER_BITS = 8;

/**
 * The most bits of entropy that a seed can have, by its length and its characters. It may have far fewer:
 * "password" repeated has none to speak of.
 */
export function mostSeedBits(seed: Uint8Array): number {
  const text = Buffer.from(seed).toString('latin1');
  const [, bits] = ALPHABETS.find(([letters]) => letters.test(text)) ?? [undefined, OTHER_BITS];
  return Math.floor(text.length * bits);
}
