/** The package's own types need those of a browser. */
declare module 'linkedom' {
  export function parseHTML(html: string): { readonly document: unknown };
}
