import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { URL } from 'node:url';
import Sequencer from '@jest/test-sequencer';

const { uncounted, counted } = JSON.parse(
  readFileSync(new URL('long-suites.json', import.meta.url), 'utf8'),
);
const LONG_SUITES = [...uncounted, ...counted];
for (const path of LONG_SUITES) {
  if (existsSync(new URL(`../../${path}`, import.meta.url))) continue;
  throw new Error(`scripts/jest/long-suites.json: there is no ${path}`);
}

/**
 * Starts the long suites first, also on a fresh clone, where Jest knows no durations and goes by the
 * sizes of the files: at the end no processor shall wait for a long suite that has come last.
 */
export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const at = LONG_SUITES.indexOf(relative(context.config.rootDir, path));
      return at === -1 ? LONG_SUITES.length : at;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
