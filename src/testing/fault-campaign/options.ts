import { parseArgs } from 'node:util';
import type { FaultKind } from './fault-kind.js';

/** What the command line of the campaign asks for. */
export interface CampaignFlags {
  readonly kinds: readonly FaultKind[];
  readonly countOf: (kind: FaultKind) => number;
  readonly seed: number;
  readonly isJson: boolean;
  readonly isSmall: boolean;
}

export const USAGE = `npm run faults -- [--only <kinds>] [--count <n>] [--seed <n>] [--small] [--json]

  --only   kinds of faults, joined by commas; all where it is left out
  --count  how many of each kind; as many as the whole campaign has where it is left out
  --seed   decides every random instant and size (1)
  --small  the part that runs within npm test
  --json   print the results as JSON
`;

/** Reads the command line. Throws an Error with one line where it is wrong. */
export function parseFlags(argv: readonly string[], all: readonly FaultKind[]): CampaignFlags {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      count: { type: 'string' },
      seed: { type: 'string', default: '1' },
      small: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { only, count, small, json } = values;
  const wanted = only?.split(',') ?? all.map(({ name }) => name);
  const unknown = wanted.find((name) => !all.some((kind) => kind.name === name));
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name).join(', ');
    throw new Error(`there is no kind of fault "${unknown}"; choose ${names}`);
  }
  const given = count === undefined ? undefined : wholeNumber('--count', count);
  const countOf = (kind: FaultKind): number => given ?? (small ? kind.smallCount : kind.wholeCount);
  const kinds = all.filter((kind) => wanted.includes(kind.name) && countOf(kind) > 0);
  return { kinds, countOf, seed: wholeNumber('--seed', values.seed), isJson: json, isSmall: small };
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${name} takes a whole number from 1 on, not "${text}"`);
}
