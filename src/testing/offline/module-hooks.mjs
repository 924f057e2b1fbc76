/* Writes down which modules are imported, also where there is none of that name. See recorder.mjs. */
import { appendFileSync } from 'node:fs';
import process from 'node:process';

const { OFFLINE_LOG = '' } = process.env;

export async function resolve(specifier, context, nextResolve) {
  appendFileSync(OFFLINE_LOG, `module ${specifier}\n`);
  return nextResolve(specifier, context);
}
