/** Text as one word of a shell, in which nothing is special: bash, zsh and the Bourne shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Text as one word of fish, which knows a backslash within quotes. */
export function fishQuote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
