import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ALGORITHM_VERSION, type EngineId } from '../core/algorithm.js';
import { findStake } from '../definitions/load-game.js';
import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes, rulesOf, type OutcomePlan } from '../definitions/mechanics.js';
import { drawQuotas, expandOutcomes } from '../engine/quotas.js';
import { randomStream } from '../engine/random-stream.js';
import { shuffle } from '../engine/shuffle.js';
import { seedCommitment, seedKey, streamKey, type BlockIdentity } from '../engine/stream-key.js';
import {
  blockName,
  MANIFEST_FORMAT,
  manifestOutcome,
  manifestSymbols,
  type Manifest,
  type ManifestFile,
} from '../formats/manifest.js';
import { checkRequest } from './check-request.js';
import { TOOL_VERSION } from '../core/tool-version.js';

/**
 * All that decides a block's bytes.
 *
 * @group Making blocks
 */
export interface BlockRequest {
  /** What decides the tables, the symbols and the rules. */
  readonly game: Game;
  /** The price of a ticket, one of those of the game. */
  readonly stakeCents: number;
  /** The seed's bytes as given; never empty. */
  readonly seed: Uint8Array;
  /** The commitments to the shares that the seed was combined from, if it was. */
  readonly shareCommitments?: readonly string[] | undefined;
  /** The generator of random numbers; `chacha20` for blocks that are sold. */
  readonly engine: EngineId;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
}

/**
 * A block whose every outcome is decided, and whose symbols can be drawn chunk by chunk.
 *
 * @group Making blocks
 */
export interface PlannedBlock {
  /** What decides the tables, the symbols and the rules. */
  readonly game: Game;
  /** What is sold at its price. */
  readonly stake: Stake;
  /** What it is, without the seed. */
  readonly identity: BlockIdentity;
  /** The name of the block's folder. */
  readonly name: string;
  /**
   * What all streams are derived from: a secret like the seed.
   *
   * @internal
   */
  readonly seedKey: Uint8Array;
  /** The commitments to the shares that the seed was combined from, if it was. */
  readonly shareCommitments?: readonly string[] | undefined;
  /**
   * The law of the outcomes.
   *
   * @internal
   */
  readonly plan: OutcomePlan;
  /**
   * Tickets of each outcome.
   *
   * @internal
   */
  readonly quotas: readonly number[];
  /**
   * The outcome index of each ticket, in the secret order.
   *
   * @internal
   */
  readonly order: Uint16Array;
}

/** Items shuffled before signals and timers get their turn. */
const SHUFFLE_SLICE = 1 << 20;

/**
 * Fixes the quotas of a block and shuffles its outcomes: as many tickets as article 2 of the regulation says,
 * and of each prize as many as its table says (articles 3.1 to 3.3), in a secret order.
 *
 * @param request - All that decides the bytes.
 * @param signal - Stops it between slices of the shuffle, with its reason.
 * @returns The plan, out of which tickets can be made in any order. It holds the order in memory, two bytes a ticket; like the
 * seed, it is a secret.
 * @throws InputError `unknown-stake`; `bad-seed`, `bad-number`, `usage` where the request has no seed, no such numbers or no such engine.
 * @example
 * ```ts
 * import { drawTicket, loadDefinitionFile, planBlock } from 'gen-block';
 *
 * const seed = Buffer.from('for tests only');
 * const game = loadDefinitionFile('my-game.json');
 * const planned = await planBlock({
 *   ...{ game, stakeCents: 100, seed },
 *   ...{ engine: 'chacha20', emission: 2, block: 1 },
 * });
 * console.log(planned.name, drawTicket(planned, 600).ticket); // → collect-bare-100-e2-b1 600
 * ```
 * @group Making blocks
 */
export async function planBlock(
  request: BlockRequest,
  signal?: AbortSignal,
): Promise<PlannedBlock> {
  const { game, engine, stakeCents, emission, block } = request;
  const { id: gameId, definitionSha256 } = game;
  const { shareCommitments } = request;
  checkRequest(request);
  const stake = findStake(game, stakeCents);
  const identity = { gameId, definitionSha256, engine, stakeCents, emission, block };
  const key = seedKey(request.seed);
  const plan = planOutcomes(game, stake);
  const quotas = drawQuotas(plan.law, randomStream(engine, streamKey(key, identity, 'quotas', 0)));
  const order = expandOutcomes(quotas);
  const stream = randomStream(engine, streamKey(key, identity, 'shuffle', 0));
  for (let from = order.length - 1; from > 0; from -= SHUFFLE_SLICE) {
    shuffle(order, stream, from, Math.max(0, from - SHUFFLE_SLICE));
    await setImmediate();
    signal?.throwIfAborted();
  }
  const name = blockName(identity);
  const planned = {
    game,
    stake,
    identity,
    name,
    seedKey: key,
    shareCommitments,
    plan,
    quotas,
    order,
  };
  return withoutSecretsInLogs(planned);
}

/** Whoever logs a plan by mistake logs neither the key nor the order. */
function withoutSecretsInLogs(planned: PlannedBlock): PlannedBlock {
  const { name, identity } = planned;
  const shown = { value: () => ({ name, identity }) };
  return Object.defineProperties(planned, { toJSON: shown, [inspect.custom]: shown });
}

/** The manifest of a planned block whose tickets have been written to these files. */
export function manifestOf(planned: PlannedBlock, files: readonly ManifestFile[]): Manifest {
  const { game, stake, identity, plan, quotas } = planned;
  const { featureName } = rulesOf(game);
  return {
    format: MANIFEST_FORMAT,
    algorithm: ALGORITHM_VERSION,
    tool_version: TOOL_VERSION,
    game: game.id,
    definition_sha256: game.definitionSha256,
    stake_cents: stake.stakeCents,
    emission: identity.emission,
    block: identity.block,
    tickets: game.blockSize,
    engine: identity.engine,
    seed_commitment: seedCommitment(planned.seedKey),
    symbols: manifestSymbols(game),
    tiers: stake.tiers.map(({ prizeCents, count }) => ({ prize_cents: prizeCents, count })),
    outcomes: plan.outcomes
      .map((outcome, index) => ({ ...outcome, count: quotas[index] ?? 0 }))
      .filter(({ count }) => count > 0)
      .map((outcome) => manifestOutcome(featureName, outcome)),
    files,
  };
}
