import { planBlock, type PlannedBlock } from '../block/plan-block.js';
import type { Game } from '../definitions/game.js';
import { findStake } from '../definitions/load-game.js';
import { judgeAll } from '../verify/audit/audit-blocks.js';
import { measureBetween } from '../verify/audit/between-blocks.js';
import { loadDistributions, type Distributions } from '../verify/audit/distributions.js';
import { EvidencePool } from '../verify/audit/evidence-pool.js';
import type { TestResult } from '../verify/audit/judge.js';
import { measureBlock, type MeasuredBlock } from '../verify/audit/measure-block.js';
import type { SymbolAudit } from '../verify/audit/observations.js';
import { makeSymbolAudit } from '../verify/audit/symbol-audits.js';
import { observePlanned } from './observe-planned.js';
import { plant, type PlantedDefect } from './planted-defects.js';

/** The chance of a false alarm that the audit is held to by default. */
const ALPHA = 1e-6;

/** Audits blocks of one game at a stake of one euro in memory, right ones and others. */
export class AuditLab {
  readonly #game: Game;
  readonly #seed: string;
  readonly #audit: SymbolAudit;
  readonly #laws: Distributions;

  private constructor(game: Game, seed: string, laws: Distributions) {
    this.#game = game;
    this.#seed = seed;
    this.#audit = makeSymbolAudit(game, findStake(game, 100));
    this.#laws = laws;
  }

  static async open(game: Game, seed: string): Promise<AuditLab> {
    return new AuditLab(game, seed, await loadDistributions());
  }

  /** Plans a block by its number. */
  async plan(block: number): Promise<PlannedBlock> {
    return planBlock({
      game: this.#game,
      stakeCents: 100,
      seed: Buffer.from(this.#seed),
      engine: 'seedrandom',
      emission: 1,
      block,
    });
  }

  /** Draws and measures a planned block, with a defect if one is given. */
  measure(right: PlannedBlock, defect: PlantedDefect = { name: 'none' }): MeasuredBlock {
    const { planned, faults } = plant(right, defect);
    return measureBlock(observePlanned(planned, this.#audit, faults));
  }

  /** The tests of one block. */
  judge({ measurements }: MeasuredBlock): readonly TestResult[] {
    return judgeAll(measurements, this.#laws);
  }

  /** The tests of several blocks together. */
  judgeTogether(blocks: readonly MeasuredBlock[]): readonly TestResult[] {
    const pool = new EvidencePool();
    for (const { measurements } of blocks) pool.add(measurements);
    const between = measureBetween(blocks, this.#laws);
    return judgeAll([...pool.measurements(), ...between], this.#laws);
  }
}

/** The test with the smallest p-value, and whether it alarms at the default rate. */
export function mostExtreme(
  tests: readonly TestResult[],
): TestResult & { readonly alarms: boolean } {
  const least = tests.reduce((best, test) => (test.pValue < best.pValue ? test : best));
  return { ...least, alarms: least.pValue <= ALPHA / tests.length };
}
