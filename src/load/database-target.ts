/**
 * Where a database is.
 *
 * @group Sales databases
 */
export type DatabaseTarget =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgresql'; readonly url: string; readonly hasPassword: boolean };

const SQLITE = 'sqlite:';

/**
 * Reads where a database is: `sqlite:path` or `postgres://…`.
 *
 * @param text - As `load --to` takes it. The path of an SQLite file is relative to the working folder.
 * @returns `undefined` where the text is neither.
 * @group Sales databases
 */
export function parseDatabaseTarget(text: string): DatabaseTarget | undefined {
  if (text.startsWith(SQLITE)) {
    const path = text.slice(SQLITE.length);
    return path === '' ? undefined : { kind: 'sqlite', path };
  }
  if (!/^postgres(?:ql)?:\/\//.test(text)) return undefined;
  const hasPassword = /^[^:]+:\/\/[^/?#]*:[^/?#]*@/.test(text) || /[?&]password=/.test(text);
  return { kind: 'postgresql', url: text, hasPassword };
}
