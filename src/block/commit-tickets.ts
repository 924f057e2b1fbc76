import { join } from 'node:path';
import { ALGORITHM_VERSION } from '../core/algorithm.js';
import { MerkleRoot } from '../core/merkle-tree.js';
import { programSha256 } from '../core/program-hash.js';
import { TOOL_VERSION } from '../core/tool-version.js';
import { saltKey, seedCommitment, seedKey, type BlockIdentity } from '../engine/stream-key.js';
import { encodeCommitment, makeCommitment, type Commitment } from '../formats/commitment.js';
import { blockName, COMMITMENT_FILE } from '../formats/manifest.js';
import { LeafFeed, TicketLeaves } from '../formats/ticket-leaves.js';
import { openBlockFile } from '../verify/block-file.js';
import type { ProveOptions } from '../verify/prove-tickets.js';
import { ticketsRoot } from '../verify/tickets-root.js';
import { kindOfEntry, syncFolder } from './block-folder.js';
import { writeNewFile } from './new-file.js';
import { clearUnfinished, placeBeside } from './place-beside.js';
import type { BlockRequest, PlannedBlock } from './plan-block.js';

/** What a commitment fixes beside the tickets themselves. */
interface CommittedBlock {
  readonly identity: BlockIdentity;
  readonly tickets: number;
  readonly seedKey: Uint8Array;
  readonly shareCommitments?: readonly string[] | undefined;
}

/** Makes the commitment of a block while its tickets are drawn. */
export class CommitmentMaker {
  /** Takes every ticket. */
  readonly leaves: LeafFeed;
  readonly saltKey: Uint8Array;
  readonly #root = new MerkleRoot();
  readonly #block: CommittedBlock;

  constructor(planned: PlannedBlock) {
    this.#block = { ...planned, tickets: planned.order.length };
    this.saltKey = saltKey(planned.seedKey, planned.identity);
    this.leaves = new LeafFeed(new TicketLeaves(this.saltKey, planned.name), this.#root);
  }

  /** The root of the tree over all tickets that have been taken, in lower-case hex. */
  root(): string {
    return Buffer.from(this.#root.root()).toString('hex');
  }

  /** Writes the commitment beside the manifest, once all tickets have been taken. */
  async write(folder: string): Promise<void> {
    const bytes = encodeCommitment(commitmentOf(this.#block, this.root()));
    await writeNewFile(join(folder, COMMITMENT_FILE), bytes);
  }
}

/** Whether something stands under the name of a block's commitment. */
export async function hasCommitment(folder: string): Promise<boolean> {
  return (await kindOfEntry(join(folder, COMMITMENT_FILE))) !== 'nothing';
}

/**
 * Gives a finished block, which has been compared with its seed, the commitment that it lacks.
 *
 * @returns Whether it lacked one.
 * @throws InputError where the tickets are not those of the manifest, or no identity opens them; MachineError; the signal's reason.
 */
export async function addCommitment(
  folder: string,
  request: BlockRequest,
  options: Pick<ProveOptions, 'identities' | 'signal'>,
): Promise<boolean> {
  await clearUnfinished(folder);
  if (await hasCommitment(folder)) return false;
  const block = committedBlock(request);
  const { identities, signal } = options;
  const file = await openBlockFile(folder, { game: request.game, identities, format: 'ndjson' });
  const root = await ticketsRoot(file, saltKey(block.seedKey, block.identity), { signal });
  const bytes = encodeCommitment(commitmentOf(block, root));
  await placeBeside(join(folder, COMMITMENT_FILE), bytes);
  await syncFolder(folder);
  return true;
}

/** Whether a commitment is one to this block, whichever version of the program has made it and whatever its root is. */
export function isCommitmentTo(request: BlockRequest, found: Commitment): boolean {
  const { program_sha256, tool_version, tickets_root } = found;
  const expected = commitmentOf(committedBlock(request), tickets_root);
  const bytes = encodeCommitment({ ...expected, program_sha256, tool_version });
  return Buffer.compare(bytes, encodeCommitment(found)) === 0;
}

function committedBlock(request: BlockRequest): CommittedBlock {
  const { game, engine, stakeCents, emission, block, shareCommitments } = request;
  const { id: gameId, definitionSha256, blockSize: tickets } = game;
  const identity = { gameId, definitionSha256, engine, stakeCents, emission, block };
  return { identity, tickets, seedKey: seedKey(request.seed), shareCommitments };
}

function commitmentOf(block: CommittedBlock, root: string): Commitment {
  const { identity, tickets, shareCommitments } = block;
  return makeCommitment({
    algorithm: ALGORITHM_VERSION,
    tool_version: TOOL_VERSION,
    program_sha256: programSha256(),
    block: blockName(identity),
    tickets,
    definition_sha256: identity.definitionSha256,
    engine: identity.engine,
    seed_commitment: seedCommitment(block.seedKey),
    ...(shareCommitments && { share_commitments: shareCommitments }),
    tickets_root: root,
  });
}
