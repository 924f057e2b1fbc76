import { readFileSync } from 'node:fs';

/** The version of this program, as its package states it. */
export const TOOL_VERSION = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
