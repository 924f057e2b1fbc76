import { availableParallelism } from 'node:os';
import { Dice } from './dice.js';
import type { FaultCase, FaultKind, Struck, Trial } from './fault-kind.js';
import { judgeFault, judgeRerun, type Expected } from './judge.js';
import { judgeRegistries } from './judge-registry.js';
import { readTree, type Tree } from './read-tree.js';
import { Workbench } from './workbench.js';

/** Faults that may strike at once: more would only wait for each other on the disk. */
const MOST_LANES = 2;

/** Of so many faults at random instants, not all can come too late. */
const ENOUGH_TO_MEET = 10;

/** What a kind of fault has led to. */
export interface KindResult {
  readonly name: string;
  readonly what: string;
  /** Faults that were injected. */
  readonly injected: number;
  /** Those of them that met the program at work. */
  readonly met: number;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** What is missing for it; it counts as failed. */
  readonly missing: readonly string[];
  /** What went wrong, with what is needed to repeat it. */
  readonly problems: readonly string[];
}

/** Which faults a campaign lets strike. */
export interface CampaignOptions {
  /** The project's folder. */
  readonly root: string;
  readonly kinds: readonly FaultKind[];
  /** Decides every random instant, size and choice. */
  readonly seed: number;
  /** Where there are others than the small blocks: for all kinds that have no job file of their own. */
  readonly jobs?: ((root: string) => object) | undefined;
  /** How many of each kind. */
  readonly countOf: (kind: FaultKind) => number;
  readonly onResult?: (result: KindResult) => void;
}

/** Lets the faults of some kinds strike, one kind after the other. */
export async function runCampaign(options: CampaignOptions): Promise<readonly KindResult[]> {
  const { root, kinds, seed, countOf, onResult } = options;
  const shared = await Workbench.open(root, options.jobs?.(root));
  const results: KindResult[] = [];
  try {
    for (const kind of kinds) {
      const bench = kind.jobs === undefined ? shared : await Workbench.open(root, kind.jobs(root));
      try {
        const trial = { bench, dice: new Dice(seed, kind.name), count: countOf(kind) };
        const result = await tryKind(kind, trial);
        results.push(result);
        onResult?.(result);
      } finally {
        if (bench !== shared) bench.close();
      }
    }
  } finally {
    shared.close();
  }
  return results;
}

/** Whether nothing failed, nothing was missing, and no kind came to nothing. */
export function isGood(results: readonly KindResult[]): boolean {
  return results.every(
    ({ failed, missing, problems }) => failed + missing.length + problems.length === 0,
  );
}

/** Lets the faults of one kind strike, as many at once as its nature and the machine allow. */
async function tryKind(kind: FaultKind, trial: Trial): Promise<KindResult> {
  const startedAt = performance.now();
  const { name, what } = kind;
  const missing = kind.needs.filter((need) => !need.isThere()).map(({ advice }) => advice);
  const waiting = missing.length === 0 ? [...(await kind.cases(trial))] : [];
  const tried: Tried[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      tried.push(await tryCase(next, trial.bench, kind.out));
    }
  };
  const lanes = kind.isAlone === true ? 1 : Math.min(MOST_LANES, availableParallelism());
  await Promise.all(Array.from({ length: lanes }, work));
  const failed = tried.filter(({ problems }) => problems.length > 0).length;
  const met = tried.filter(({ isMet }) => isMet).length;
  const problems = tried.flatMap((one) => one.problems.map((text) => `${one.label}: ${text}`));
  const isEnough = tried.length === 0 || tried.length >= ENOUGH_TO_MEET;
  if (missing.length === 0 && met === 0 && isEnough)
    problems.push('no fault met the program at work');
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const counts = { injected: tried.length, met, passed: tried.length - failed, failed };
  return { name, what, ...counts, seconds, missing, problems };
}

interface Tried {
  readonly label: string;
  readonly isMet: boolean;
  readonly problems: readonly string[];
}

/** Lets one fault strike, judges, runs the same command again, and judges again. */
async function tryCase(fault: FaultCase, bench: Workbench, out?: string): Promise<Tried> {
  const { label, expected } = fault;
  const place = bench.newPlace(out);
  try {
    const struck = await fault.strike(place);
    const problems = [...judgeStruck(struck, readTree(place.out, bench.seed), bench, expected)];
    await fault.heal?.(place);
    const again = await bench.run(place);
    const tree = readTree(place.out, bench.seed);
    const after = [...judgeRerun(again, tree, bench), ...judgeRegistries(tree, 'after the rerun')];
    problems.push(...after.map((problem) => `rerun: ${problem}`));
    return { label, isMet: struck.isMet, problems };
  } catch (error) {
    return { label, isMet: false, problems: [`the campaign itself: ${String(error)}`] };
  } finally {
    await fault.cleanUp?.(place).catch(() => undefined);
    bench.removePlace(place);
  }
}

function judgeStruck(
  { ended, before, problems = [] }: Struck,
  tree: Tree,
  bench: Workbench,
  expected: Expected,
): readonly string[] {
  const known = before === undefined ? expected : { ...expected, before };
  return [
    ...problems,
    ...judgeFault(ended, tree, bench, known),
    ...judgeRegistries(tree, 'after the fault'),
  ];
}
