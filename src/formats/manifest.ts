import type { EngineId } from '../core/algorithm.js';
import type { Game, SymbolRole } from '../definitions/game.js';
import type { FeatureName } from '../definitions/features.js';
import {
  ticketsFileName,
  type Compression,
  type Encryption,
  type TicketFormat,
  type TicketsFileForm,
} from './ticket-formats.js';

/** The version of the manifest's form. */
export const MANIFEST_FORMAT = 'gen-block-manifest/1';

/** The name of the manifest in a block's folder. */
export const MANIFEST_FILE = 'manifest.json';

/** The name of the commitment to a block's tickets in its folder, where it has one. */
export const COMMITMENT_FILE = 'commitment.json';

/**
 * How many tickets have one outcome; the feature stands under its mechanic's name.
 *
 * @group Making blocks
 */
export interface ManifestOutcome extends Readonly<Partial<Record<FeatureName, number>>> {
  /** 0 where it loses. */
  readonly prize_cents: number;
  /** As in the records of tickets; empty where it loses. */
  readonly combination: string;
  /** How many EXTRA stages it has: rows mechanic only. */
  readonly extra_stages?: number;
  /** How many of the chosen symbol it has: collect mechanic only. */
  readonly chosen?: number;
  /** How many tickets have it. */
  readonly count: number;
}

/**
 * One tickets file: its exact bytes, before any compression or encryption.
 *
 * @group Making blocks
 */
export interface ManifestFile {
  /** Within the block's folder. */
  readonly name: string;
  /** How a ticket is written. */
  readonly format: TicketFormat;
  /** Not there where the file is not compressed. */
  readonly compression?: Compression;
  /** Not there where the file is not encrypted. */
  readonly encryption?: Encryption;
  /** Uncompressed. */
  readonly bytes: number;
  /** How many tickets it holds. */
  readonly records: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * `manifest.json`: everything needed to check a block, and nothing that reveals the order. Its keys
 * are listed here in the order in which they are written (`schemas/manifest.schema.json`).
 *
 * @group Making blocks
 */
export interface Manifest {
  /** The version of its form. */
  readonly format: typeof MANIFEST_FORMAT;
  /** The version of the algorithm: same version, same inputs, same bytes. */
  readonly algorithm: number;
  /** The version of the program that made the block. */
  readonly tool_version: string;
  /** The game's id, such as `eldorado`. */
  readonly game: string;
  /** SHA-256 of the definition's RFC 8785 form, in lower-case hex. */
  readonly definition_sha256: string;
  /** The price of a ticket. */
  readonly stake_cents: number;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
  /** How many tickets the block has. */
  readonly tickets: number;
  /** The generator of random numbers. */
  readonly engine: EngineId;
  /** By which a seed can be known, and which does not tell it: 64 hex digits. */
  readonly seed_commitment: string;
  /** In the definition's order. */
  readonly symbols: readonly {
    readonly code: string;
    readonly id: string;
    readonly role: SymbolRole;
  }[];
  /** The paying tiers, by prize descending. */
  readonly tiers: readonly { readonly prize_cents: number; readonly count: number }[];
  /** All outcomes that occur, by prize descending, then in the order of the definition's law. */
  readonly outcomes: readonly ManifestOutcome[];
  /** Its tickets files. */
  readonly files: readonly ManifestFile[];
}

/** The entry of a tickets file, with its keys in their order. */
export function manifestFile(
  { format, compression, encryption }: TicketsFileForm,
  content: Pick<ManifestFile, 'bytes' | 'records' | 'sha256'>,
): ManifestFile {
  const { bytes, records, sha256 } = content;
  const name = ticketsFileName({ format, compression, encryption });
  const form = { format, ...(compression && { compression }), ...(encryption && { encryption }) };
  return { name, ...form, bytes, records, sha256 };
}

/** An outcome's entry, with its feature under the name that the mechanic gives it. */
export function manifestOutcome(
  featureName: FeatureName,
  outcome: {
    readonly prizeCents: number;
    readonly combination: string;
    readonly feature: number;
    readonly count: number;
  },
): ManifestOutcome {
  const { prizeCents, combination, feature, count } = outcome;
  return { prize_cents: prizeCents, combination, [featureName]: feature, count };
}

/** The symbols of a game as the manifest lists them. */
export function manifestSymbols(game: Game): Manifest['symbols'] {
  return game.symbols.map(({ code, id, role }) => ({ code, id, role }));
}

/** The bytes of a manifest: one line of JSON and an LF. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest)}\n`, 'utf8');
}

const BESIDE_NAME =
  /^(?:commitment\.json|(?:manifest|commitment)\.json\.[0-9a-f]{16}\.sig)(?:\.new-[0-9a-z-]{1,120})?$/;

/**
 * Whether a file of this name may lie beside the manifest and the tickets of a finished block: its
 * commitment, and signatures by the id of their key. One that is being made has more behind its name, and a
 * run that was killed can leave it.
 */
export function isBesideName(name: string): boolean {
  return BESIDE_NAME.test(name);
}

/** The largest emission or block number: what any reader takes for an exact integer. */
export const MOST_BLOCK_NUMBER = 999_999_999;

/** What a block is called: the name of its folder. */
export function blockName(block: {
  readonly gameId: string;
  readonly stakeCents: number;
  readonly emission: number;
  readonly block: number;
}): string {
  return `${block.gameId}-${block.stakeCents}-e${block.emission}-b${block.block}`;
}

/** What a block is called by what its manifest says. */
export function manifestBlockName(
  claims: Pick<Manifest, 'game' | 'stake_cents' | 'emission' | 'block'>,
): string {
  const { game: gameId, stake_cents: stakeCents, emission, block } = claims;
  return blockName({ gameId, stakeCents, emission, block });
}
