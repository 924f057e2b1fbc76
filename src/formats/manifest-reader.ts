import { isEngineId } from '../core/algorithm.js';
import type { Manifest, ManifestFile } from './manifest.js';
import { isCompression, isEncryption, TICKET_FORMATS, ticketsFileName } from './ticket-formats.js';

/**
 * A manifest as far as it can be relied on before the tickets have been counted: what it says of its
 * block and its files has the right types. Its tables are only claims, to be held against the count.
 *
 * @group Trust
 */
export type ManifestClaims = Pick<
  Manifest,
  | 'algorithm'
  | 'tool_version'
  | 'game'
  | 'definition_sha256'
  | 'stake_cents'
  | 'emission'
  | 'block'
  | 'engine'
  | 'seed_commitment'
  | 'files'
>;

type Guard = (value: unknown) => boolean;

/** Counted as the schema counts: in characters, of which some take two units of a string. */
const isText: Guard = (value) => typeof value === 'string' && Array.from(value).length <= 100;
const isSha256: Guard = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive: Guard = (value) => isCount(value) && value !== 0;

const CLAIM_GUARDS: Readonly<Record<keyof ManifestClaims, Guard>> = {
  algorithm: isPositive,
  tool_version: isText,
  game: isText,
  definition_sha256: isSha256,
  stake_cents: isPositive,
  emission: isPositive,
  block: isPositive,
  engine: isEngineId,
  seed_commitment: isSha256,
  files: (value) => Array.isArray(value) && isFileList(value),
};

/**
 * Each format once, in their order, under its own name: so no entry can name a foreign path. All are
 * compressed alike, or none is; and so with encryption.
 */
function isFileList(files: readonly unknown[]): boolean {
  if (files.length === 0 || !files.every(isFile)) return false;
  const formats = files.map(({ format }) => format);
  const known = TICKET_FORMATS.filter((format) => formats.includes(format));
  const isAlike = files.every(
    ({ compression, encryption }) =>
      compression === files[0]?.compression && encryption === files[0]?.encryption,
  );
  return isAlike && formats.join() === known.join();
}

function isFile(value: unknown): value is ManifestFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = new Map<string, unknown>(Object.entries(value));
  const format = TICKET_FORMATS.find((candidate) => candidate === file.get('format'));
  const compression = file.get('compression');
  const encryption = file.get('encryption');
  return (
    format !== undefined &&
    (compression === undefined || isCompression(compression)) &&
    (encryption === undefined || isEncryption(encryption)) &&
    file.get('name') === ticketsFileName({ format, compression, encryption }) &&
    isCount(file.get('bytes')) &&
    isCount(file.get('records')) &&
    isSha256(file.get('sha256'))
  );
}

/** The claims of a parsed manifest; `undefined` where it does not have the form of one. */
export function manifestClaims(value: unknown): ManifestClaims | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const isRight = Object.entries(CLAIM_GUARDS).every(([key, guard]) => guard(fields.get(key)));
  return isRight ? (value as ManifestClaims) : undefined;
}
