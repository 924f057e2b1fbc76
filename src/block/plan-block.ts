import { setImmediate } from 'node:timers/promises';
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

/** All that decides a block's bytes. */
export interface BlockRequest {
  readonly game: Game;
  readonly stakeCents: number;
  /** The seed's bytes as given; never empty. */
  readonly seed: Uint8Array;
  /** The commitments to the shares that the seed was combined from, if it was. */
  readonly shareCommitments?: readonly string[] | undefined;
  readonly engine: EngineId;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
}

/** A block whose every outcome is decided, and whose symbols can be drawn chunk by chunk. */
export interface PlannedBlock {
  readonly game: Game;
  readonly stake: Stake;
  readonly identity: BlockIdentity;
  /** The name of the block's folder. */
  readonly name: string;
  readonly seedKey: Uint8Array;
  readonly shareCommitments?: readonly string[] | undefined;
  readonly plan: OutcomePlan;
  /** Tickets of each outcome. */
  readonly quotas: readonly number[];
  /** The outcome index of each ticket, in the secret order. */
  readonly order: Uint16Array;
}

/** Items shuffled before signals and timers get their turn. */
const SHUFFLE_SLICE = 1 << 20;

/**
 * Fixes the quotas of a block and shuffles its outcomes.
 *
 * @throws InputError `unknown-stake`, and what {@link checkRequest} throws.
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
  return { game, stake, identity, name, seedKey: key, shareCommitments, plan, quotas, order };
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
