import type { VerifyReport } from '../report.js';
import { rejectByHolm } from './holm.js';
import type { TestResult } from './judge.js';

/**
 * A block's verification, and the tests that it was put to; none where it does not conform.
 *
 * @group Reports
 */
export interface AuditedBlock {
  /** As it was named. */
  readonly path: string;
  /** What was counted and found. */
  readonly verification: VerifyReport;
  /** All tests of this block. */
  readonly tests: readonly TestResult[];
}

/**
 * Blocks of one game and stake that were tested together.
 *
 * @group Reports
 */
export interface PooledBlocks {
  /** Such as `eldorado`. */
  readonly gameId: string;
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** The blocks as they were named, by emission and number. */
  readonly paths: readonly string[];
  /** All tests of these blocks together. */
  readonly tests: readonly TestResult[];
}

/**
 * A test that speaks against a block, or against several together.
 *
 * @group Reports
 */
export interface Alarm extends TestResult {
  /** The block as it was named; `null` for a pooled test. */
  readonly path: string | null;
  /** The p-value times the number of tests that it competed with (Holm). */
  readonly adjustedP: number;
}

/**
 * How many p-values are below a level that regulations name; this never decides anything.
 *
 * @group Reports
 */
export interface LevelCount {
  /** The level, such as 0.05. */
  readonly level: number;
  /** How many should be below it where all blocks are right. */
  readonly expected: number;
  /** How many are. */
  readonly found: number;
}

/**
 * The result of an audit.
 *
 * @group Reports
 */
export interface AuditReport {
  /** Every block conforms and no test alarms. */
  readonly passes: boolean;
  /** The chance of any alarm where all blocks are right, over all tests of the audit together. */
  readonly alpha: number;
  /** How many tests there were, of all blocks. */
  readonly testCount: number;
  /** Alpha over the number of tests: the smallest p-value alarms below it. */
  readonly threshold: number;
  /** By p-value, smallest first. */
  readonly alarms: readonly Alarm[];
  /** For whoever asks for levels of single tests. */
  readonly levels: readonly LevelCount[];
  /** As they were named, one after the other. */
  readonly blocks: readonly AuditedBlock[];
  /** Where several blocks are of one game and stake. */
  readonly pooled: readonly PooledBlocks[];
  /** In words for people. */
  readonly checked: readonly string[];
  /** What this audit could not tell, and what would; in words for people. */
  readonly notChecked: readonly string[];
}

const LEVELS = [0.05, 0.01];

const CHECKED = [
  'every block as `verify` does: hashes, format, every ticket against the rules, all counts',
  'order: where winning tickets, tiers and tickets with each feature are; runs, gaps, neighbours, drift, the longest losing streak',
  'symbols: rows, cells, near wins, places of wins and EXTRA symbols against the exact law of the definition',
  'pick-out: whether ticket number, stage count, EXTRA symbols, field length, first row, cells or neighbours tell a win',
  'duplicates: whole tickets against the birthday expectation',
];

const BETWEEN =
  'between blocks: all of this pooled, common places of winning tickets, their border, common tickets';

const NOT_CHECKED = [
  'that the order comes from the committed seed: only `verify` with the seed can tell',
  'that the random engine is strong: a weak one can pass every test of frequencies',
];

const SINGLE =
  'what one block cannot show, such as a top prize that never comes early or a very small bias: name several blocks';

/** Sums up an audit: all tests of all blocks, and the pooled ones, are one family. */
export function makeAuditReport(
  blocks: readonly AuditedBlock[],
  pooled: readonly PooledBlocks[],
  alpha: number,
): AuditReport {
  const tests = [
    ...blocks.flatMap((block) => block.tests.map((test) => ({ ...test, path: block.path }))),
    ...pooled.flatMap((pool) => pool.tests.map((test) => ({ ...test, path: null }))),
  ];
  const alarms = rejectByHolm(tests, alpha).map(({ test, adjustedP }) => ({ ...test, adjustedP }));
  const conforms = blocks.every(({ verification }) => verification.conforms);
  const untested = blocks.filter(({ tests: own }) => own.length === 0).map(({ path }) => path);
  return {
    passes: conforms && alarms.length === 0,
    alpha,
    testCount: tests.length,
    threshold: tests.length === 0 ? alpha : alpha / tests.length,
    alarms,
    levels: LEVELS.map((level) => ({
      level,
      expected: level * tests.length,
      found: tests.filter(({ pValue }) => pValue <= level).length,
    })),
    blocks,
    pooled,
    checked: untested.length === blocks.length ? CHECKED.slice(0, 1) : checkedItems(pooled),
    notChecked: [
      ...untested.map((path) => `the statistics of ${path}: it does not conform`),
      ...NOT_CHECKED,
      ...(pooled.length === 0 ? [SINGLE] : []),
    ],
  };
}

function checkedItems(pooled: readonly PooledBlocks[]): readonly string[] {
  return pooled.length === 0 ? CHECKED : [...CHECKED, BETWEEN];
}
