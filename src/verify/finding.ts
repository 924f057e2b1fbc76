/** Everything that verification can hold against a block. The list is closed. */
export const FINDING_CODES = [
  // The folder and its files.
  'folder-name',
  'file-missing',
  'file-unexpected',
  'file-compression',
  'file-encryption',
  'file-encrypted',
  'file-size',
  'file-hash',
  'file-records',
  'formats-differ',
  // The manifest.
  'manifest-syntax',
  'manifest-schema',
  'manifest-bytes',
  'manifest-definition',
  'manifest-claim',
  'manifest-outcomes',
  // The bytes of a record.
  'byte-order-mark',
  'encoding',
  'line-ending',
  'line-length',
  'blank-line',
  'final-newline',
  'csv-header',
  'record-syntax',
  'record-keys',
  'record-type',
  'record-bytes',
  // Ticket numbers.
  'ticket-order',
  'ticket-repeated',
  'ticket-missing',
  'ticket-range',
  // One ticket against the rules.
  'grid-count',
  'grid-shape',
  'symbol',
  'prize',
  'prize-tier',
  'combination',
  'stage-count',
  'stage-reachability',
  'extra-vector',
  'choices-differ',
  'chosen-count',
  'symbol-cap',
  'outcome-excluded',
  // The block as a whole.
  'ticket-count',
  'tier-count',
  'prize-total',
  'feature-quota',
  'composition-quota',
  // The registry beside the block.
  'registry-chain',
  'registry-entry',
] as const;

/** What only the seed can tell; these findings are made where a block can be made again. */
const SEED_FINDING_CODES = ['seed-commitment', 'seed-bytes'] as const;

/** What only the commitment beside a block can tell. */
const COMMITMENT_FINDING_CODES = [
  'commitment-form',
  'commitment-claim',
  'commitment-root',
] as const;

/** What only whoever trusts a key can tell: these findings are made where its public half is given. */
const SIGNATURE_FINDING_CODES = ['signature-missing', 'signature-invalid'] as const;

/** What only a policy asks for. */
const POLICY_FINDING_CODES = ['policy'] as const;

/** What only a database can tell, where a block's tickets are being sold. */
const SALE_FINDING_CODES = ['database-entry', 'sales'] as const;

/**
 * All codes, whatever it takes to tell them.
 *
 * @group Verifying
 */
export const ALL_FINDING_CODES = [
  ...FINDING_CODES,
  ...SEED_FINDING_CODES,
  ...COMMITMENT_FINDING_CODES,
  ...SIGNATURE_FINDING_CODES,
  ...POLICY_FINDING_CODES,
  ...SALE_FINDING_CODES,
] as const;

/**
 * The code of one such thing.
 *
 * @group Verifying
 */
export type FindingCode = (typeof ALL_FINDING_CODES)[number];

/**
 * Where a finding is: whatever is known of it. All counts start at 1, byte offsets at 0.
 *
 * @group Verifying
 */
export interface FindingPlace {
  /** Name of the file, or of an entry of the block's folder. */
  readonly file?: string;
  /** Line of the file. */
  readonly line?: number;
  /** Offset in the file, uncompressed. */
  readonly byteOffset?: number;
  /** Number of the ticket. */
  readonly ticket?: number;
  /** Grid of the ticket: 1 is the main grid or the first choice. */
  readonly grid?: number;
  /** Row of the grid. */
  readonly row?: number;
  /** JSON pointer into the manifest. */
  readonly pointer?: string;
}

/**
 * One thing that verification holds against a block.
 *
 * @group Verifying
 */
export interface Finding {
  /** What kind of thing it is; `docs/findings.md` says what each means. */
  readonly code: FindingCode;
  /** Where it is. */
  readonly place: FindingPlace;
  /** What should be there, in words for people. */
  readonly expected: string;
  /** What is there instead, safe to print. */
  readonly found: string;
}

/** Where a finding is, from the file down to the row. */
export function placeText(place: FindingPlace): string {
  const parts = [
    place.file,
    place.pointer,
    place.line === undefined ? undefined : `line ${place.line}`,
    place.byteOffset === undefined ? undefined : `byte ${place.byteOffset}`,
    place.ticket === undefined ? undefined : `ticket ${place.ticket}`,
    place.grid === undefined ? undefined : `grid ${place.grid}`,
    place.row === undefined ? undefined : `row ${place.row}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

/** How many findings of each code are kept whole; the rest is counted. */
const MOST_EXAMPLES = 5;

/** Collects findings to the end: counts them all and keeps the first of each code. */
export class FindingLog {
  readonly #counts = new Map<FindingCode, number>();
  readonly #examples: Finding[] = [];

  add(finding: Finding): void {
    const count = (this.#counts.get(finding.code) ?? 0) + 1;
    this.#counts.set(finding.code, count);
    if (count <= MOST_EXAMPLES) this.#examples.push(finding);
  }

  /** Takes over all that another log has collected. */
  addAll({ counts, examples }: Pick<FindingLog, 'counts' | 'examples'>): void {
    for (const finding of examples) this.add(finding);
    for (const [code, count] of counts) {
      const added = examples.filter((finding) => finding.code === code).length;
      this.#counts.set(code, (this.#counts.get(code) ?? 0) + count - added);
    }
  }

  /** The number of findings by code, in the order in which the codes first came up. */
  get counts(): ReadonlyMap<FindingCode, number> {
    return this.#counts;
  }

  /** The first findings of each code, in the order in which they were found. */
  get examples(): readonly Finding[] {
    return this.#examples;
  }

  /** All findings, kept or only counted. */
  get total(): number {
    let total = 0;
    for (const count of this.#counts.values()) total += count;
    return total;
  }
}
