const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/**
 * Reads an amount in euros as integer cents: `0.5`, `0,5`, `1`, `2.00`.
 * No floating point takes part.
 *
 * @returns The amount in cents, or `undefined` where the text is no such amount.
 */
export function parseEuros(text: string): number | undefined {
  const match = AMOUNT.exec(text);
  if (match === null) return undefined;
  const [, euros = '', decimals = ''] = match;
  return Number(euros) * 100 + Number(decimals.padEnd(2, '0'));
}

/** Writes cents as euros with two decimals and thousands apart: 31500000 is `315,000.00`. */
export function formatEuros(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const magnitude = Math.abs(cents);
  const decimals = String(magnitude % 100).padStart(2, '0');
  return `${sign}${formatCount(Math.floor(magnitude / 100))}.${decimals}`;
}

/** Writes a whole number with its thousands apart: 900000 is `900,000`. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
