import type { PolicyId } from '../batch/job.js';
import type { BlockRequest } from '../block/plan-block.js';
import type { SigningKey } from '../block/signing-key.js';
import type { ProductionPolicy } from '../block/production-policy.js';
import type { EngineId } from '../core/algorithm.js';
import type { Compression, TicketFormat } from '../formats/ticket-formats.js';

/** The options of `generate`. */
export interface GenerateFlags {
  readonly game?: string;
  readonly definition?: string;
  readonly stake?: number;
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly emission: number;
  readonly block: number;
  readonly format: readonly TicketFormat[];
  readonly compress?: Compression;
  readonly encryptTo?: readonly string[];
  readonly identity?: readonly string[];
  readonly out: string;
  readonly engine: EngineId;
  readonly threads?: number;
  readonly commitTickets?: boolean;
  readonly policy?: PolicyId;
  readonly definitionSha256?: string;
  readonly signKey?: string;
  readonly passphraseFile?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly manifest?: string;
}

/** A block that is to be made, and how. */
export interface GenerateJob {
  readonly flags: GenerateFlags;
  readonly request: BlockRequest;
  /** What a policy is told, where one is asked for. */
  readonly policy?: ProductionPolicy | undefined;
  /** What encrypted files are opened with. */
  readonly identities?: readonly string[] | undefined;
  /** Where its seed was written, if it was made for this job. */
  readonly freshSeedPath?: string;
  /** What the block is signed with. */
  readonly signWith?: SigningKey | undefined;
}
