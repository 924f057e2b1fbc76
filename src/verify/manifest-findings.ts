import { ALGORITHM_VERSION } from '../core/algorithm.js';
import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes, rulesOf } from '../definitions/mechanics.js';
import { schemaProblems } from '../definitions/schema-problems.js';
import { printable } from '../core/errors.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  manifestOutcome,
  manifestSymbols,
  type Manifest,
  type ManifestFile,
} from '../formats/manifest.js';
import type { FindingCode, FindingLog } from './finding.js';
import { evaluationKey, type Tally } from './tickets-judge.js';

/** What a manifest is held against: what was found in the files, and the definition. */
export interface ManifestInput {
  readonly game: Game;
  readonly stake: Stake;
  readonly claims: ManifestClaims;
  /** The manifest as it was parsed, and its bytes. */
  readonly parsed: object;
  readonly bytes: Uint8Array;
  readonly tallies: readonly Tally[];
  readonly files: readonly ManifestFile[];
  readonly log: FindingLog;
}

/** Holds a manifest's form, tables and claims against what the definition and the files say. */
export function checkManifest(input: ManifestInput): void {
  const { parsed, bytes, files, log } = input;
  const expected = expectedManifest(input);
  if (Buffer.from(`${JSON.stringify(expected)}\n`).equals(bytes)) return;
  if (logSchemaFindings(parsed, log) > 0) return;
  const text = `${JSON.stringify(parsed)}\n`;
  if (text !== Buffer.from(bytes).toString('utf8')) {
    const found = 'other white space, escapes or line ends';
    add(log, 'manifest-bytes', '', 'one line of JSON without spaces, and LF', found);
  }
  const claims = new Map(Object.entries(arrange(parsed, expected, '', log) as object));
  for (const [key, value] of Object.entries(expected)) {
    // The entries of the files have findings of their own. Without files no outcome is known.
    if (key === 'files' || (key === 'outcomes' && files.length === 0)) continue;
    if (Array.isArray(value)) compareLists(key, value, claims.get(key), log);
    else compareValues({ code: 'manifest-claim', pointer: `/${key}` }, value, claims.get(key), log);
  }
}

/** Lists of a manifest that ajv walks through, and the most entries that it is given to walk. */
const LISTS = ['symbols', 'tiers', 'outcomes', 'files'];
const MOST_ENTRIES = 65_536;

/** Holds a manifest against its schema. Returns the number of findings. */
export function logSchemaFindings(parsed: unknown, log: FindingLog): number {
  const findingsBefore = log.total;
  for (const [key, value] of Object.entries(isRecord(parsed) ? parsed : {})) {
    if (!LISTS.includes(key) || !Array.isArray(value) || value.length <= MOST_ENTRIES) continue;
    const expected = `at most ${MOST_ENTRIES} in the list`;
    add(log, 'manifest-schema', `/${key}`, expected, `a list of ${value.length}`);
  }
  if (log.total > findingsBefore) return log.total - findingsBefore;
  for (const { pointer, expected, found } of schemaProblems('manifest', parsed)) {
    add(log, 'manifest-schema', pointer, expected, found);
  }
  return log.total - findingsBefore;
}

/** The manifest that the files should have; what only the manifest knows is taken from it. */
function expectedManifest({ game, stake, claims, tallies, files }: ManifestInput): Manifest {
  const counts = new Map(tallies.map((tally) => [evaluationKey(tally), tally.count]));
  const { featureName } = rulesOf(game);
  const lawful = planOutcomes(game, stake).outcomes.map((outcome) => ({
    ...outcome,
    count: counts.get(evaluationKey(outcome)) ?? 0,
  }));
  return {
    format: MANIFEST_FORMAT,
    algorithm: ALGORITHM_VERSION,
    tool_version: claims.tool_version,
    game: game.id,
    definition_sha256: claims.definition_sha256,
    stake_cents: stake.stakeCents,
    emission: claims.emission,
    block: claims.block,
    tickets: game.blockSize,
    engine: claims.engine,
    seed_commitment: claims.seed_commitment,
    symbols: manifestSymbols(game),
    tiers: stake.tiers.map(({ prizeCents, count }) => ({ prize_cents: prizeCents, count })),
    outcomes: lawful
      .filter(({ count }) => count > 0)
      .map((outcome) => manifestOutcome(featureName, outcome)),
    files,
  };
}

/**
 * A manifest without the keys that are not known, which readers ignore, and with the others in their
 * order. Objects whose known keys stand in another order are logged.
 *
 * @param shape - A right manifest: all entries of one of its lists have the same keys.
 */
function arrange(stated: unknown, shape: unknown, pointer: string, log: FindingLog): unknown {
  if (Array.isArray(stated) && Array.isArray(shape)) {
    return stated.map((entry, index) => arrange(entry, shape[0], `${pointer}/${index}`, log));
  }
  if (!isRecord(stated) || !isRecord(shape)) return stated;
  const keys = Object.keys(shape).filter((key) => Object.hasOwn(stated, key));
  const order = Object.keys(stated).filter((key) => Object.hasOwn(shape, key));
  if (keys.join() !== order.join()) {
    add(log, 'manifest-bytes', pointer, `the keys in the order ${keys.join()}`, order.join());
  }
  return Object.fromEntries(
    keys.map((key) => [key, arrange(stated[key], shape[key], `${pointer}/${key}`, log)]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compareLists(
  key: string,
  expected: readonly unknown[],
  found: unknown,
  log: FindingLog,
): void {
  const code = key === 'outcomes' ? 'manifest-outcomes' : 'manifest-claim';
  const stated = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const length = Math.max(expected.length, stated.length);
  for (let index = 0; index < length; index += 1) {
    compareValues({ code, pointer: `/${key}/${index}` }, expected[index], stated[index], log);
  }
}

function compareValues(
  { code, pointer }: { readonly code: FindingCode; readonly pointer: string },
  expected: unknown,
  found: unknown,
  log: FindingLog,
): void {
  const right = toText(expected);
  const stated = toText(found);
  if (right !== stated) add(log, code, pointer, right, stated);
}

function toText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function add(
  log: FindingLog,
  code: FindingCode,
  pointer: string,
  expected: string,
  found: string,
): void {
  const place = { file: MANIFEST_FILE, pointer };
  log.add({ code, place, expected: printable(expected), found: printable(found) });
}
