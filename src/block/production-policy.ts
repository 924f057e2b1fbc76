import { stat } from 'node:fs/promises';
import { STRONG_SEED_BITS } from '../core/algorithm.js';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { programBuild, type ProgramBuild } from '../core/program-hash.js';
import { isApprovedDefinition } from '../definitions/approved-definition.js';
import type { Game } from '../definitions/game.js';
import { mostSeedBits } from '../engine/seed-strength.js';
import type { BlockRequest } from './plan-block.js';
import type { SigningKey } from './signing-key.js';

/**
 * What a policy for production asks beside what a block itself says.
 *
 * @group Making blocks
 */
export interface ProductionPolicy {
  /** Hashes of definitions that were approved, beside those of the games that are shipped. */
  readonly approvedDefinitions?: readonly string[] | undefined;
  /** Whether the seed stood where others could see it. */
  readonly isSeedExposed?: boolean | undefined;
  /** The most bits that the seed can have, where its bytes do not tell: they are a combination of shares. */
  readonly seedBits?: number | undefined;
}

/** What is to be made, and where. */
export interface ProductionPlan {
  readonly requests: readonly Pick<BlockRequest, 'engine' | 'game'>[];
  readonly seed: Uint8Array;
  readonly outputFolder: string;
  readonly signWith?: SigningKey | undefined;
}

/** Read and write for the group and everybody, and to pass through. */
const OTHERS = 0o077;

/**
 * Makes sure that what is to be made is fit for being sold.
 *
 * @throws InputError `policy` with all that is not; MachineError.
 */
export async function checkProduction(
  policy: ProductionPolicy,
  plan: ProductionPlan,
): Promise<void> {
  const mode = await modeOf(plan.outputFolder);
  const faults = productionFaults(policy, { ...plan, mode, build: programBuild() });
  if (faults.length === 0) return;
  throw new InputError('policy', `the production policy refuses this: ${faults.join('; ')}`);
}

/** What is wrong by the policy, each with what to do. */
export function productionFaults(
  policy: ProductionPolicy,
  plan: ProductionPlan & {
    /** Of the output folder; `undefined` where it is not there yet. */
    readonly mode: number | undefined;
    readonly build: ProgramBuild;
  },
): readonly string[] {
  const { seed, requests, signWith, outputFolder, mode, build } = plan;
  const { seedBits: bits = mostSeedBits(seed), isSeedExposed, approvedDefinitions = [] } = policy;
  const games = new Map(requests.map(({ game }) => [game.definitionSha256, game]));
  const faults = [
    isSeedExposed === true &&
      'the seed stands on the command line, give it with --seed-file, on standard input or in the environment',
    bits < STRONG_SEED_BITS &&
      `the seed has at most ${bits} bits, take one of ${STRONG_SEED_BITS} or more (gen-block seed new makes one of 256)`,
    requests.some(({ engine }) => engine !== 'chacha20') &&
      'the engine is seedrandom, choose chacha20 (--engine, or "engine" in the job file)',
    signWith === undefined && 'nobody signs, add --sign-key <file> (gen-block key new makes one)',
    mode !== undefined &&
      (mode & OTHERS) !== 0 &&
      `others can reach ${printable(outputFolder)}, take that from them (chmod 700)`,
    ...[...games.values()].map((game) => definitionFault(game, approvedDefinitions)),
    BUILD_FAULTS[build.state],
  ];
  return faults.filter((fault) => typeof fault === 'string');
}

const BUILD_FAULTS: Readonly<Record<ProgramBuild['state'], string | undefined>> = {
  clean: undefined,
  dirty: 'the program was built from changed sources, build it from a commit as it is',
  unknown:
    'nobody knows what the program was built from, take a released package or build it in its repository',
  altered: 'the program is not what was built, install it again',
};

function definitionFault(game: Game, approved: readonly string[]): string | undefined {
  if (isApprovedDefinition(game, approved)) return undefined;
  return `the definition of ${game.id} is not one that is shipped, state the hash that was approved (--definition-sha256, or "definition_sha256" in the job file); it has ${game.definitionSha256}`;
}

async function modeOf(folder: string): Promise<number | undefined> {
  try {
    return (await stat(folder)).mode;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('read', folder, error);
  }
}
