import { dirname } from 'node:path';
import { lstatSync } from 'node:fs';
import { isEngineId } from '../core/algorithm.js';
import { assert } from '../core/assert.js';
import type { Game } from '../definitions/game.js';
import { loadGame } from '../definitions/load-game.js';
import { saltKey, seedCommitment, seedKey } from '../engine/stream-key.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { FindingLog } from '../verify/finding.js';
import { withFindings, type BlockFacts, type VerifyReport } from '../verify/report.js';
import { NO_SEED } from '../verify/judge-block.js';
import { verifyBlock, type VerifyBlockOptions } from '../verify/verify-block.js';
import { compareWithSeed } from './compare-with-seed.js';
import { planBlock, type PlannedBlock } from './plan-block.js';

/**
 * Verifies a block and then makes it again from its seed: the commitment must be the seed's, and every
 * byte of every file the one that the seed makes. This alone can tell that nobody exchanged tickets.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @param seed - The seed's bytes as given.
 * @returns The report of {@link verifyBlock} with what the seed tells besides.
 * @throws As {@link verifyBlock}.
 * @example
 * ```ts
 * import { loadDefinitionFile, verifyBlockFromSeed } from 'gen-block';
 *
 * const game = loadDefinitionFile('my-game.json');
 * const seed = Buffer.from('for tests only: a real seed has 128 bits of chance');
 * const report = await verifyBlockFromSeed('blocks/collect-bare-100-e1-b1', seed, { game });
 * console.log(report.conforms, report.checked.includes('the commitment to the seed')); // → true true
 * ```
 * @group Verifying
 */
export async function verifyBlockFromSeed(
  path: string,
  seed: Uint8Array,
  options: VerifyBlockOptions = {},
): Promise<VerifyReport> {
  const log = options.log ?? new FindingLog();
  const report = await verifyBlock(path, { ...options, saltKeyOf: saltKeyFrom(seed), log });
  if (report.facts === undefined) return report;
  const { facts } = report;
  const game = options.game ?? loadGame(facts.gameId);
  const reason = reasonNotToCompare(facts, game, seed, log);
  const notChecked = report.notChecked.filter((item) => item !== NO_SEED);
  if (reason !== undefined) {
    return withFindings(report, log, { notChecked: [...notChecked, reason] });
  }
  const planned = await planAgain(facts, game, seed, options.signal);
  const folder = lstatSync(path).isDirectory() ? path : dirname(path);
  for (const file of report.files) {
    const { identities, signal } = options;
    await compareWithSeed(folder, file, planned, { log, identities, signal });
  }
  const checked = ['the commitment to the seed'];
  const names = report.files.map(({ name }) => name).join(' and ');
  if (names !== '') checked.push(`every byte of ${names} against the block that the seed makes`);
  return withFindings(report, log, { checked, notChecked });
}

/**
 * The key of a block's salts out of its seed; of a block that commits to another seed it is not known.
 *
 * @param seed - The seed's bytes as given.
 * @returns What `saltKeyOf` asks for, in {@link verifyBlock} and {@link TicketProver}.
 * @group Trust
 */
export function saltKeyFrom(seed: Uint8Array): (claims: ManifestClaims) => Uint8Array | undefined {
  const key = seedKey(seed);
  return (claims) => {
    if (claims.seed_commitment !== seedCommitment(key)) return undefined;
    return saltKey(key, {
      gameId: claims.game,
      definitionSha256: claims.definition_sha256,
      engine: claims.engine,
      stakeCents: claims.stake_cents,
      emission: claims.emission,
      block: claims.block,
    });
  };
}

/** A block of another seed or definition differs everywhere, which would tell nothing more. */
function reasonNotToCompare(
  facts: BlockFacts,
  game: Game,
  seed: Uint8Array,
  log: FindingLog,
): string | undefined {
  const commitment = seedCommitment(seedKey(seed));
  if (commitment !== facts.seedCommitment) {
    log.add({
      code: 'seed-commitment',
      place: { file: MANIFEST_FILE, pointer: '/seed_commitment' },
      expected: `${commitment}, the commitment to the seed that was given`,
      found: facts.seedCommitment ?? 'none',
    });
    return 'the bytes against the seed: the block commits to another seed';
  }
  if (facts.definitionSha256 === game.definitionSha256) return undefined;
  return 'the bytes against the seed: the block was made from another definition';
}

async function planAgain(
  facts: BlockFacts,
  game: Game,
  seed: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PlannedBlock> {
  const { engine, stakeCents, emission, block } = facts;
  assert(
    isEngineId(engine) && emission !== undefined && block !== undefined,
    'a verified manifest names its engine, emission and block',
  );
  return planBlock({ game, stakeCents, seed, engine, emission, block }, signal);
}
