import { createHash } from 'node:crypto';
import { isEngineId, type EngineId } from '../core/algorithm.js';
import { InputError, printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { parseStrictJson } from '../core/strict-json.js';
import type { ManifestClaims } from './manifest-reader.js';
import { blockName } from './manifest.js';
import { TICKET_FORMATS, type TicketFormat } from './ticket-formats.js';

/** The version of an entry's form. */
const REGISTRY_FORMAT = 'gen-block-registry/1';

/** The name of the registry in an output folder. */
export const REGISTRY_FILE = 'registry.ndjson';

/** How long a registry can be; some hundred thousand entries. */
export const MOST_REGISTRY_BYTES = 128 * 1024 * 1024;

/** No entry is as long. */
const MOST_ENTRY_BYTES = 4096;

/** How every line begins that this program writes. */
const BEGINNING = `{"format":"${REGISTRY_FORMAT}","number":`;

/** What the first entry says of the one before it. */
const NO_PREVIOUS = '0'.repeat(64);

/** How a block has come into an output folder. */
const REGISTRY_EVENTS = ['made', 'adopted', 'replaced'] as const;

/**
 * A block was made there; it was found there, verified and kept, or joined out of another folder; or it
 * was made in the place of other content.
 */
export type RegistryEvent = (typeof REGISTRY_EVENTS)[number];

/** What decides a block's tickets, beside its name. */
export interface RegistryIdentity {
  readonly algorithm: number;
  readonly definition_sha256: string;
  readonly engine: EngineId;
  readonly seed_commitment: string;
}

/** A block as a registry knows it. */
export interface RegisteredBlock extends RegistryIdentity {
  /** The name of its folder, which says game, stake, emission and block number. */
  readonly name: string;
  /** SHA-256 of `manifest.json`, lower-case hex. */
  readonly manifest_sha256: string;
  /** SHA-256 of each tickets file, uncompressed, lower-case hex. */
  readonly files: readonly { readonly format: TicketFormat; readonly sha256: string }[];
}

/** What stood under a block's name, and does no more. */
interface ReplacedBlock {
  /** Its entry; `null` where it has none. */
  readonly number: number | null;
  /** SHA-256 of the `manifest.json` that lay in its folder; `null` where there was no folder or none in it. */
  readonly manifest_sha256: string | null;
}

/** One line of a registry (`schemas/registry.schema.json`); the keys are written in this order. */
export interface RegistryEntry extends RegisteredBlock {
  readonly format: typeof REGISTRY_FORMAT;
  /** From 1. */
  readonly number: number;
  /** SHA-256 of the line before this one without its LF, lower-case hex; 64 zeros in the first. */
  readonly previous: string;
  /** The machine's clock in UTC, to the second: for people, it proves nothing. Not there without a clock. */
  readonly time?: string;
  readonly event: RegistryEvent;
  /** Only where the event is `replaced`. */
  readonly replaced?: ReplacedBlock;
}

/** What is wrong with a registry, and in which of its lines. */
interface RegistryFault {
  /** From 1. */
  readonly line: number;
  readonly expected: string;
  readonly found: string;
}

/** A registry as far as it can be followed. */
export interface Registry {
  readonly entries: readonly RegistryEntry[];
  /** SHA-256 of the last line, by which the whole registry can be known; 64 zeros where it is empty. */
  readonly head: string;
  /** The bytes of the entries. What comes behind them is the beginning of one that was never confirmed. */
  readonly wholeBytes: number;
  /** The last entry is whole, but for its LF. */
  readonly lacksEnd?: true;
  readonly fault?: RegistryFault;
}

const LF = 0x0a;

/** Follows the chain of a registry from its first line to its last, or to the first that breaks it. */
export function parseRegistry(bytes: Uint8Array): Registry {
  const chain = new Chain();
  let from = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
    const wrong = chain.add(bytes.subarray(from, end));
    if (wrong !== undefined) return { ...chain.state, wholeBytes: from, fault: wrong };
    from = end + 1;
  }
  const rest = bytes.subarray(from);
  if (rest.length === 0) return { ...chain.state, wholeBytes: from };
  const wrong = chain.add(rest);
  if (wrong === undefined) return { ...chain.state, wholeBytes: bytes.length, lacksEnd: true };
  if (isBeginning(rest)) return { ...chain.state, wholeBytes: from };
  return { ...chain.state, wholeBytes: from, fault: wrong };
}

/** Whether bytes can be what a run that was killed, or lost its power, has left of a line. */
function isBeginning(bytes: Uint8Array): boolean {
  const written = Buffer.from(bytes).toString('latin1').replace(/\0+$/, '');
  if (bytes.length > MOST_ENTRY_BYTES) return false;
  return BEGINNING.startsWith(written) || written.startsWith(BEGINNING);
}

/** The entries of a registry, as long as each is the next one. */
class Chain {
  readonly #entries: RegistryEntry[] = [];
  readonly #contents = new Map<string, RegisteredContent>();
  #head = NO_PREVIOUS;

  get state(): Pick<Registry, 'entries' | 'head'> {
    return { entries: this.#entries, head: this.#head };
  }

  /** Takes the next line, without its LF; or says what is wrong with it. */
  add(text: Uint8Array): RegistryFault | undefined {
    const line = this.#entries.length + 1;
    const read = readEntry(text, { number: line, previous: this.#head });
    if ('found' in read) return { line, ...read };
    const known = read.event === 'replaced' ? undefined : this.#contents.get(read.name);
    const difference = known && contentDifference(known, read);
    if (known && difference !== undefined) {
      const expected = `the tickets of entry ${known.number}, or the event "replaced"`;
      return { line, expected, found: `${read.name}, ${difference}` };
    }
    this.#contents.set(read.name, addContent(known, read));
    this.#entries.push(read);
    this.#head = sha256(text);
    return undefined;
  }
}

/** What a block's tickets are, by all its entries since the last that replaced what was before. */
export interface RegisteredContent extends RegistryIdentity {
  /** The last of these entries. */
  readonly number: number;
  readonly manifest_sha256: string;
  readonly files: RegisteredBlock['files'];
}

/** The content of a block; `undefined` where it has no entry. */
export function contentOf({ entries }: Registry, name: string): RegisteredContent | undefined {
  let content: RegisteredContent | undefined;
  for (const entry of entries) {
    if (entry.name !== name) continue;
    content = addContent(entry.event === 'replaced' ? undefined : content, entry);
  }
  return content;
}

function addContent(known: RegisteredContent | undefined, entry: RegistryEntry): RegisteredContent {
  const files = known?.files.filter(({ format }) => entry.files.every((f) => f.format !== format));
  return { ...entry, files: [...(files ?? []), ...entry.files] };
}

/** In what the tickets of a block differ from those of another; other formats are no other tickets. */
export function contentDifference(
  known: RegistryIdentity & Pick<RegisteredBlock, 'files'>,
  block: RegistryIdentity & Pick<RegisteredBlock, 'files'>,
): string | undefined {
  const difference = identityDifference(known, block);
  if (difference !== undefined) return `made from ${difference}`;
  const isOther = known.files.some(({ format, sha256: hash }) =>
    block.files.some((file) => file.format === format && file.sha256 !== hash),
  );
  return isOther ? 'registered with other tickets' : undefined;
}

/** What a block was made from that another was not; `undefined` where they are of the same. */
export function identityDifference(
  found: RegistryIdentity,
  asked: RegistryIdentity,
): string | undefined {
  if (found.algorithm !== asked.algorithm) return 'another version of the algorithm';
  if (found.definition_sha256 !== asked.definition_sha256) return 'another definition';
  if (found.engine !== asked.engine) return 'another engine';
  return found.seed_commitment === asked.seed_commitment ? undefined : 'another seed';
}

/** The last entry of a block: what stands there, as far as the registry knows. */
export function lastEntryOf({ entries }: Registry, name: string): RegistryEntry | undefined {
  return entries.findLast((entry) => entry.name === name);
}

/** A new entry at the end of a registry, and its line, behind the LF that the one before may lack. */
export function nextEntry(
  { entries, head, lacksEnd }: Registry,
  what: RegisteredBlock & Pick<RegistryEntry, 'event' | 'replaced' | 'time'>,
): { readonly entry: RegistryEntry; readonly line: Uint8Array } {
  const entry = orderedEntry({
    ...what,
    format: REGISTRY_FORMAT,
    number: entries.length + 1,
    previous: head,
  });
  return { entry, line: Buffer.from(`${lacksEnd === true ? '\n' : ''}${JSON.stringify(entry)}\n`) };
}

/** A block as its manifest describes it. */
export function registeredBlock(
  claims: ManifestClaims,
  manifestBytes: Uint8Array,
): RegisteredBlock {
  const { game: gameId, stake_cents: stakeCents, emission, block } = claims;
  return {
    name: blockName({ gameId, stakeCents, emission, block }),
    algorithm: claims.algorithm,
    definition_sha256: claims.definition_sha256,
    engine: claims.engine,
    seed_commitment: claims.seed_commitment,
    manifest_sha256: sha256(manifestBytes),
    files: claims.files.map((file) => ({ format: file.format, sha256: file.sha256 })),
  };
}

function orderedEntry(entry: RegistryEntry): RegistryEntry {
  const { format, number, previous, time, event, name, ...rest } = entry;
  const { algorithm, definition_sha256, engine, seed_commitment } = rest;
  const { manifest_sha256, files, replaced } = rest;
  return {
    ...{ format, number, previous, ...(time !== undefined && { time }), event, name },
    ...{ algorithm, definition_sha256, engine, seed_commitment, manifest_sha256 },
    files: files.map(({ format: form, sha256: hash }) => ({ format: form, sha256: hash })),
    ...(replaced && {
      replaced: { number: replaced.number, manifest_sha256: replaced.manifest_sha256 },
    }),
  };
}

type Misread = Pick<RegistryFault, 'expected' | 'found'>;

/** The entry of a line, or why it is not the next one of its registry. */
function readEntry(
  text: Uint8Array,
  next: Pick<RegistryEntry, 'number' | 'previous'>,
): RegistryEntry | Misread {
  if (text.length > MOST_ENTRY_BYTES) {
    const expected = `an entry of at most ${formatCount(MOST_ENTRY_BYTES)} bytes`;
    return { expected, found: `${formatCount(text.length)} bytes` };
  }
  const entry = exactEntry(text) ?? carefulEntry(text);
  if ('found' in entry) return entry;
  if (entry.number !== next.number) {
    return { expected: `entry ${next.number}`, found: `entry ${entry.number}` };
  }
  if (entry.previous === next.previous) return entry;
  const expected = `${next.previous}, the hash of the line before it`;
  return { expected, found: entry.previous };
}

/** The entry of a line that is what this program would write; `undefined` where it is anything else. */
function exactEntry(text: Uint8Array): RegistryEntry | undefined {
  try {
    const value = JSON.parse(Buffer.from(text).toString()) as unknown;
    if (wrongField(value) !== undefined) return undefined;
    const entry = value as RegistryEntry;
    return Buffer.from(JSON.stringify(orderedEntry(entry))).equals(text) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** The entry of a line that another version of this program may have written, or what is wrong with it. */
function carefulEntry(text: Uint8Array): RegistryEntry | Misread {
  let value: unknown;
  try {
    value = parseStrictJson(text, { place: REGISTRY_FILE });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { expected: 'strict JSON', found: error.message };
  }
  const found = wrongField(value);
  if (found === undefined) return value as RegistryEntry;
  return { expected: `an entry of form ${REGISTRY_FORMAT}`, found };
}

type Guard = (value: unknown) => boolean;

const isSha256: Guard = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isPositive: Guard = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const isOptional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);

const GUARDS: Readonly<Record<keyof RegistryEntry, Guard>> = {
  format: (value) => value === REGISTRY_FORMAT,
  number: isPositive,
  previous: isSha256,
  time: isOptional(
    (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
  ),
  event: (value) => REGISTRY_EVENTS.some((event) => event === value),
  name: (value) =>
    typeof value === 'string' && /^[a-z0-9]+(?:-[a-z0-9]+)*-\d+-e\d+-b\d+$/.test(value),
  algorithm: isPositive,
  definition_sha256: isSha256,
  engine: isEngineId,
  seed_commitment: isSha256,
  manifest_sha256: isSha256,
  files: (value) => Array.isArray(value) && value.length > 0 && value.every(isFile),
  replaced: isOptional(isReplaced),
};

/** The first field that is missing or wrong. */
function wrongField(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no object';
  const fields = new Map<string, unknown>(Object.entries(value));
  const wrong = Object.entries(GUARDS).find(([key, guard]) => !guard(fields.get(key)));
  if (wrong !== undefined) return `another ${wrong[0]}`;
  const isRight = (fields.get('event') === 'replaced') === fields.has('replaced');
  return isRight
    ? undefined
    : `the event ${printable(String(fields.get('event')), 20)} ${fields.has('replaced') ? 'with' : 'without'} what was replaced`;
}

function isFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const file = new Map<string, unknown>(Object.entries(value));
  return (
    TICKET_FORMATS.some((format) => format === file.get('format')) && isSha256(file.get('sha256'))
  );
}

function isReplaced(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const replaced = new Map<string, unknown>(Object.entries(value));
  const [number, hash] = [replaced.get('number'), replaced.get('manifest_sha256')];
  return (number === null || isPositive(number)) && (hash === null || isSha256(hash));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
