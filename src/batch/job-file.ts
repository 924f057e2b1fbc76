import type { EngineId } from '../core/algorithm.js';
import type { PolicyId } from './job.js';
import type { Compression, TicketFormat } from '../formats/ticket-formats.js';

/** An entry of a job file as its JSON says it, after the schema check. */
export interface JobFileEntry {
  /** There where no definition is. */
  readonly game?: string;
  /** Relative to the job file. */
  readonly definition?: string;
  readonly definition_sha256?: string;
  readonly stake_cents: number;
  readonly blocks: { readonly first: number; readonly last: number };
  readonly formats?: readonly TicketFormat[];
  readonly compression?: Compression;
  readonly engine?: EngineId;
  readonly out?: string;
}

/** A job file as its JSON says it, after the schema check (`schemas/jobs.schema.json`). */
export interface JobFile {
  readonly format: 'gen-block-jobs/1';
  readonly emission: number;
  readonly commit_tickets?: boolean;
  readonly policy?: PolicyId;
  readonly jobs: readonly JobFileEntry[];
}
