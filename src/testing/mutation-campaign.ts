import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBlock } from '../block/generate-block.js';
import { defined } from '../core/assert.js';
import type { Game, Stake } from '../definitions/game.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import type { VerifyReport } from '../verify/report.js';
import { verifyBlock } from '../verify/verify-block.js';
import { verifyTicketsFile } from '../verify/verify-file.js';
import { mutateBytes, mutateTickets, mutationStream, type Mutation } from './mutations.js';
import { judgeNaively, memorize, type LineMemo, type NaiveVerdict } from './naive-judge.js';

/** What a campaign counted. */
export interface CampaignResult {
  readonly mutations: number;
  /** Mutations that changed nothing: the bytes came out as they were. */
  readonly unchanged: number;
  /** Mutations that left another valid block, by the naive judge. */
  readonly stillBlocks: number;
  readonly detected: number;
  /** Each mutation of which verification and the naive judge think differently, with its seed. */
  readonly disagreements: readonly string[];
}

/** A valid small block on the disk, to be broken again and again. */
export class CampaignBlock {
  readonly game: Game;
  readonly stake: Stake;
  readonly format: TicketFormat;
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly #outputFolder: string;
  readonly #memo: LineMemo;

  private constructor(made: {
    readonly game: Game;
    readonly stake: Stake;
    readonly format: TicketFormat;
    readonly folder: string;
    readonly bytes: Uint8Array;
    readonly outputFolder: string;
  }) {
    this.game = made.game;
    this.stake = made.stake;
    this.format = made.format;
    this.folder = made.folder;
    this.bytes = made.bytes;
    this.#outputFolder = made.outputFolder;
    this.#memo = memorize(made.bytes, made);
  }

  /** Makes a block of one of the sample definitions, as one file. */
  static async make(definition: string, format: TicketFormat): Promise<CampaignBlock> {
    const path = new URL(`../../fixtures/definitions/${definition}.json`, import.meta.url);
    const game = loadDefinitionFile(fileURLToPath(path));
    const stake = defined(
      game.stakes.find(({ stakeCents }) => stakeCents === 100),
      'a stake',
    );
    const seed = Buffer.from('campaign');
    const outputFolder = await mkdtemp(join(tmpdir(), 'campaign-'));
    const request = {
      game,
      stakeCents: 100,
      seed,
      engine: 'chacha20',
      emission: 1,
      block: 1,
    } as const;
    const { folder } = await generateBlock(request, { outputFolder, formats: [format] });
    const bytes = await readFile(join(folder, `tickets.${format}`));
    return new CampaignBlock({ game, stake, format, folder, bytes, outputFolder });
  }

  async remove(): Promise<void> {
    await rm(this.#outputFolder, { recursive: true });
  }

  /** Verifies broken bytes, with the block's manifest or as a bare file. */
  async verify(bytes: Uint8Array, withManifest: boolean): Promise<VerifyReport> {
    const { game, stake, format } = this;
    const path = join(this.folder, `tickets.${format}`);
    await writeFile(path, bytes);
    return withManifest
      ? verifyBlock(this.folder, { game })
      : verifyTicketsFile(path, { game, stake, format });
  }

  /** Whether the naive judge takes the bytes for a block, and which tickets it finds wrong. */
  judge(bytes: Uint8Array): NaiveVerdict {
    return judgeNaively(bytes, this, this.#memo);
  }
}

/** What is broken, and whether the manifest is there to tell. */
export type CampaignKind = 'bytes with manifest' | 'bytes alone' | 'tickets alone';

/**
 * Breaks a block in `count` random ways and holds the verification against the naive judge: it must
 * find something exactly where the result is no block any more (with the manifest: wherever a byte has
 * changed), and name a ticket that is at fault where one is.
 */
export async function runCampaign(
  block: CampaignBlock,
  kind: CampaignKind,
  seeds: { readonly first: number; readonly count: number },
): Promise<CampaignResult> {
  let [unchanged, stillBlocks, detected] = [0, 0, 0];
  const disagreements: string[] = [];
  for (let seed = seeds.first; seed < seeds.first + seeds.count; seed += 1) {
    const mutation = mutate(block, kind, seed);
    const isUnchanged = Buffer.compare(mutation.bytes, block.bytes) === 0;
    const withManifest = kind === 'bytes with manifest';
    const report = await block.verify(mutation.bytes, withManifest);
    const { isBlock, wrongTickets } = block.judge(mutation.bytes);
    const mustConform = withManifest ? isUnchanged : isBlock;
    unchanged += isUnchanged ? 1 : 0;
    stillBlocks += isBlock && !isUnchanged ? 1 : 0;
    detected += report.conforms ? 0 : 1;
    const named = report.findings.map(({ place }) => place.ticket);
    const misses = wrongTickets.size > 0 && !named.some((ticket) => wrongTickets.has(ticket ?? 0));
    if (report.conforms !== mustConform || misses) {
      disagreements.push(
        `${block.game.id}, ${block.format}, ${kind}, seed ${seed}: ${mutation.kind}`,
      );
    }
  }
  return { mutations: seeds.count, unchanged, stillBlocks, detected, disagreements };
}

function mutate(block: CampaignBlock, kind: CampaignKind, seed: number): Mutation {
  const stream = mutationStream(seed);
  return kind === 'tickets alone'
    ? mutateTickets(block.bytes, block, stream)
    : mutateBytes(block.bytes, stream);
}
