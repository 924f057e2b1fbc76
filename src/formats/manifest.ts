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

/** How many tickets have one outcome; the feature stands under its mechanic's name. */
export interface ManifestOutcome extends Readonly<Partial<Record<FeatureName, number>>> {
  readonly prize_cents: number;
  readonly combination: string;
  readonly count: number;
}

/** One tickets file: its exact bytes, before any compression or encryption. */
export interface ManifestFile {
  readonly name: string;
  readonly format: TicketFormat;
  /** Not there where the file is not compressed. */
  readonly compression?: Compression;
  /** Not there where the file is not encrypted. */
  readonly encryption?: Encryption;
  readonly bytes: number;
  readonly records: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * `manifest.json`: everything needed to check a block, and nothing that reveals the order. Its keys
 * are listed here in the order in which they are written (`schemas/manifest.schema.json`).
 */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly algorithm: number;
  readonly tool_version: string;
  readonly game: string;
  readonly definition_sha256: string;
  readonly stake_cents: number;
  readonly emission: number;
  readonly block: number;
  readonly tickets: number;
  readonly engine: EngineId;
  readonly seed_commitment: string;
  readonly symbols: readonly {
    readonly code: string;
    readonly id: string;
    readonly role: SymbolRole;
  }[];
  /** The paying tiers, by prize descending. */
  readonly tiers: readonly { readonly prize_cents: number; readonly count: number }[];
  /** All outcomes that occur, by prize descending, then in the order of the definition's law. */
  readonly outcomes: readonly ManifestOutcome[];
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
