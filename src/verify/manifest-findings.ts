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
  const { parsed, bytes, log } = input;
  const expected = expectedManifest(input);
  if (Buffer.from(`${JSON.stringify(expected)}\n`).equals(bytes)) return;
  if (logSchemaFindings(parsed, log) > 0) return;
  const text = `${JSON.stringify(parsed)}\n`;
  if (text !== Buffer.from(bytes).toString('utf8')) {
    const found = 'other white space, escapes or line ends';
    add(log, 'manifest-bytes', '', 'one line of JSON without spaces, and LF', found);
  }
  const claims = new Map<string, unknown>(Object.entries(parsed));
  for (const [key, value] of Object.entries(expected)) {
    if (key === 'outcomes') compareOutcomes(expected.outcomes, claims.get(key), log);
    // The entries of the files have findings of their own.
    else if (key !== 'files') compareValues(`/${key}`, value, claims.get(key), log);
  }
}

/** Holds a manifest against its schema. Returns the number of findings. */
export function logSchemaFindings(parsed: unknown, log: FindingLog): number {
  const problems = schemaProblems('manifest', parsed);
  for (const { pointer, expected, found } of problems) {
    add(log, 'manifest-schema', pointer, expected, found);
  }
  return problems.length;
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

function compareValues(pointer: string, expected: unknown, found: unknown, log: FindingLog): void {
  const right = JSON.stringify(expected);
  const stated = JSON.stringify(found);
  if (right !== stated) add(log, 'manifest-claim', pointer, right, stated);
}

function compareOutcomes(expected: readonly unknown[], found: unknown, log: FindingLog): void {
  const stated = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const length = Math.max(expected.length, stated.length);
  for (let index = 0; index < length; index += 1) {
    const right = JSON.stringify(expected[index] ?? null);
    const claim = JSON.stringify(stated[index] ?? null);
    if (right !== claim) add(log, 'manifest-outcomes', `/outcomes/${index}`, right, claim);
  }
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
