/**
 * Writes the way to a value in a JSON document as a pointer (RFC 6901): `/stakes/0/tiers`; the
 * empty string is the whole document.
 */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
