import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError, printable } from '../../core/errors.js';
import type { Game, Stake } from '../../definitions/game.js';
import { findStake, loadGame } from '../../definitions/load-game.js';
import { closedBlock, isClosed } from '../content-fault.js';
import type { Watch } from '../read-tickets-file.js';
import type { BlockFacts } from '../report.js';
import { verifyBlock } from '../verify-block.js';
import {
  makeAuditReport,
  type AuditedBlock,
  type AuditReport,
  type PooledBlocks,
} from './audit-report.js';
import { measureBetween } from './between-blocks.js';
import { loadDistributions, type Distributions } from './distributions.js';
import { EvidencePool } from './evidence-pool.js';
import type { Measurement } from './evidence.js';
import { judge, type TestResult } from './judge.js';
import { measureBlock, type MeasuredBlock } from './measure-block.js';
import type { Observations, SymbolAudit } from './observations.js';
import { observeFile } from './observe-file.js';
import { makeSymbolAudit } from './symbol-audits.js';

/** The chance of a false alarm, over all tests of an audit together. */
const DEFAULT_ALPHA = 1e-6;

/**
 * How blocks are audited.
 *
 * @group Reports
 */
export interface AuditOptions extends Watch {
  /** The game of blocks that were made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** The chance of any alarm where all blocks are right; one in a million by default. */
  readonly alpha?: number | undefined;
  /**
   * Takes what was counted in each block that conforms, for more than tests to be made of it.
   *
   * @internal
   */
  readonly onObserved?: ((block: ObservedBlock) => void) | undefined;
}

/** What was counted in a block, and the evidence for its tests. */
export interface ObservedBlock {
  readonly game: Game;
  readonly stake: Stake;
  readonly observations: Observations;
  readonly measurements: readonly Measurement[];
}

/** Blocks of one game and stake, as far as they have been measured. */
interface Series {
  readonly game: Game;
  readonly stake: Stake;
  readonly audit: SymbolAudit;
  readonly pool: EvidencePool;
  readonly blocks: {
    readonly path: string;
    readonly facts: BlockFacts;
    readonly measured: MeasuredBlock;
  }[];
}

/**
 * Audits blocks: verifies each, and puts those that conform to the tests of `docs/audit.md`, each by
 * itself and, where several are of one game and stake, together. All tests are one family.
 *
 * @param paths - The blocks' folders, or their manifests; each block once.
 * @returns The verification and the tests of each block, and all alarms.
 * @throws InputError `usage` where none or one is named twice, `bad-number`, `identity-needed`, and what {@link verifyBlock} throws.
 * @group Reports
 */
export async function auditBlocks(
  paths: readonly string[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { alpha = DEFAULT_ALPHA } = options;
  if (paths.length === 0) throw new InputError('usage', 'no block is named; name one or more');
  if (!(alpha > 0 && alpha < 1)) {
    const message = `alpha is ${alpha}, which is no chance between 0 and 1; give one such as 1e-6`;
    throw new InputError('bad-number', message, { place: 'alpha' });
  }
  const laws = await loadDistributions();
  const seriesByKey = new Map<string, Series>();
  const known = new Set<string>();
  const blocks: AuditedBlock[] = [];
  for (const path of paths) {
    refuseRepeated(await folderOf(path), known);
    blocks.push(await auditBlock(path, { seriesByKey, laws, options }));
  }
  const pooled = [...seriesByKey.values()]
    .filter((series) => series.blocks.length > 1)
    .map((series) => auditTogether(series, laws));
  return makeAuditReport(blocks, pooled, alpha);
}

interface AuditContext {
  readonly seriesByKey: Map<string, Series>;
  readonly laws: Distributions;
  readonly options: AuditOptions;
}

async function auditBlock(path: string, context: AuditContext): Promise<AuditedBlock> {
  const { options, laws } = context;
  const verification = await verifyBlock(path, options);
  if (isClosed(verification)) throw closedBlock(path);
  const { facts, conforms, files } = verification;
  const [file] = files;
  if (!conforms || facts === undefined || file === undefined) {
    return { path, verification, tests: [] };
  }
  const series = seriesOf(facts, context);
  const { identities } = options;
  const verified = { ...series, identities, file, path: join(await folderOf(path), file.name) };
  const observations = await observeFile(verified, options);
  const measured = measureBlock(observations);
  options.onObserved?.({ ...series, observations, measurements: measured.measurements });
  series.pool.add(measured.measurements);
  series.blocks.push({ path, facts, measured: { ...measured, measurements: [] } });
  return { path, verification, tests: judgeAll(measured.measurements, laws) };
}

function seriesOf(facts: BlockFacts, { seriesByKey, options }: AuditContext): Series {
  const key = `${facts.definitionSha256}/${facts.stakeCents}`;
  let series = seriesByKey.get(key);
  if (series === undefined) {
    const game = options.game ?? loadGame(facts.gameId);
    const stake = findStake(game, facts.stakeCents);
    const audit = makeSymbolAudit(game, stake);
    series = { game, stake, audit, pool: new EvidencePool(), blocks: [] };
    seriesByKey.set(key, series);
  }
  return series;
}

function auditTogether({ game, stake, pool, blocks }: Series, laws: Distributions): PooledBlocks {
  const inOrder = blocks.toSorted((a, b) => placeOf(a.facts) - placeOf(b.facts));
  const measured = inOrder.map((block) => block.measured);
  const measurements = [...pool.measurements(), ...measureBetween(measured, laws)];
  return {
    gameId: game.id,
    stakeCents: stake.stakeCents,
    paths: inOrder.map(({ path }) => path),
    tests: judgeAll(measurements, laws),
  };
}

/** Block numbers have at most nine digits. */
const MOST_BLOCKS = 1e9;

function placeOf({ emission = 0, block = 0 }: BlockFacts): number {
  return emission * MOST_BLOCKS + block;
}

/** Judges all measurements; those with too little to judge are left out. */
export function judgeAll(
  measurements: readonly Measurement[],
  laws: Distributions,
): readonly TestResult[] {
  return measurements
    .map((measurement) => judge(measurement, laws))
    .filter((result) => result !== undefined);
}

/** The folder of a block that is named by it or by its manifest. */
async function folderOf(path: string): Promise<string> {
  // Paths that lead nowhere are for the verification to report.
  const entry = await stat(path).catch(() => undefined);
  return resolve(entry?.isDirectory() === false ? dirname(path) : path);
}

/** A block that is named twice would have all its winning tickets in common with itself. */
function refuseRepeated(folder: string, known: Set<string>): void {
  if (known.has(folder)) {
    const message = `${printable(folder)} is named twice; name each block once`;
    throw new InputError('usage', message);
  }
  known.add(folder);
}
