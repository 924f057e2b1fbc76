/**
 * gen-block as a library: make blocks, verify them, load games, go through tickets.
 *
 * Nothing here sets an exit code, hears signals, or writes to a terminal; what is slow to load
 * (statistics, pictures, databases, encryption) is loaded when it is called. Amounts are integer cents, numbers of
 * tickets, emissions and blocks count from 1, and seeds are bytes that no message and no file repeats.
 *
 * @packageDocumentation
 */

// Making blocks
export { ENGINE_IDS, type EngineId } from './core/algorithm.js';
export {
  COMPRESSIONS,
  TICKET_FORMATS,
  type Compression,
  type Encryption,
  type TicketFormat,
  type TicketsFileForm,
} from './formats/ticket-formats.js';
export {
  generateBlock,
  type GeneratedBlock,
  type GenerateOptions,
  type Progress,
} from './block/generate-block.js';
export { planBlock, type BlockRequest, type PlannedBlock } from './block/plan-block.js';
export type { BlockIdentity } from './engine/stream-key.js';
export type { ProductionPolicy } from './block/production-policy.js';
export { combineShares } from './engine/seed-shares.js';
export { streamBlock, type StreamedBlock, type StreamOptions } from './block/stream-block.js';
export type { Manifest, ManifestFile, ManifestOutcome } from './formats/manifest.js';

// Verifying
export { verifyBlock, type VerifyBlockOptions } from './verify/verify-block.js';
export { verifyBlockFromSeed } from './block/verify-from-seed.js';
export { verifyTicketsFile, type BareFile } from './verify/verify-file.js';
export type { Watch } from './verify/read-tickets-file.js';
export type { BlockPolicy } from './verify/policy-findings.js';
export type { ProgramBuild } from './core/program-hash.js';
export {
  ALL_FINDING_CODES,
  type Finding,
  type FindingCode,
  type FindingPlace,
} from './verify/finding.js';
export type {
  BlockFacts,
  Checks,
  FeatureFacts,
  RegistryFacts,
  TierFacts,
  VerifyReport,
} from './verify/report.js';
export type { FeatureName } from './definitions/features.js';

// Games and definitions
export {
  findStake,
  gameIds,
  loadDefinedGame,
  loadDefinitionFile,
  loadGame,
  parseDefinition,
  readDefinedGame,
  type DefinedGame,
} from './definitions/load-game.js';
export type {
  CollectGame,
  ExtraStageLaw,
  ExtraVector,
  Game,
  GameSymbol,
  PayLine,
  RowsGame,
  Stake,
  SymbolRole,
  Tier,
} from './definitions/game.js';
export type {
  CollectDefinition,
  Definition,
  DefinitionSource,
  DefinitionStake,
  DefinitionSymbol,
  RowsDefinition,
} from './definitions/definition.js';
export {
  gameFacts,
  type CompositionFacts,
  type FeatureShare,
  type GameFacts,
  type PrizeFacts,
  type StakeFacts,
} from './view/game-facts.js';

// Tickets
export type { TicketRecord } from './formats/ticket-record.js';
export { drawTicket, drawTickets } from './block/draw-ticket.js';
export { streamTickets, type StreamTicketsOptions } from './block/stream-tickets.js';
export { readTickets, type ReadTicketsOptions } from './verify/read-tickets.js';
export type { TicketRange } from './verify/ticket-range.js';
export { openBlockTickets, type BlockTickets, type TicketSource } from './view/block-tickets.js';
export { evaluateTicket } from './verify/evaluate-ticket.js';
export type { Evaluation, Explanation, Fault } from './verify/evaluator.js';

// Batches
export { loadJobs } from './batch/load-jobs.js';
export type { Job, Jobs, PolicyId } from './batch/job.js';
export {
  EXPECTED_BYTES_PER_SECOND,
  planBatch,
  type BatchBlock,
  type BatchPlan,
  type Shard,
} from './batch/batch-plan.js';
export { runBatch, type BatchOptions, type BatchRequest } from './batch/run-batch.js';
export { finishBatch, type FinishOptions, type FinishRequest } from './batch/finish-batch.js';
export type { BatchProgress } from './batch/batch-progress.js';
export {
  BATCH_OUTCOMES,
  type BatchBlockResult,
  type BatchOutcome,
  type BatchResult,
} from './batch/batch-result.js';
export type { BatchTotals } from './batch/batch-totals.js';

// Trust
export { parsePublicKey } from './formats/key-file.js';
export type { PublicKey } from './formats/signature.js';
export { parseSigningKey, type SigningKey } from './block/signing-key.js';
export { signBlock, type SignedBlock, type SignOptions } from './block/sign-block.js';
export type { PlacedSignature } from './block/place-signatures.js';
export { parseCommitment, type Commitment } from './formats/commitment.js';
export { parseProof, type Proof } from './formats/proof.js';
export { proofFault, type ProofTarget } from './verify/check-proof.js';
export { TicketProver, type ProveOptions } from './verify/prove-tickets.js';
export type { ManifestClaims } from './formats/manifest-reader.js';
export { saltKeyFrom } from './block/verify-from-seed.js';

// Sales databases
export { parseDatabaseTarget, type DatabaseTarget } from './load/database-target.js';
export { openDatabase, type OpenOptions } from './load/open-database.js';
export { loadBlock, type LoadedBlock, type LoadOptions } from './load/load-block.js';
export { verifyStoredBlock, type VerifyStoredOptions } from './load/verify-stored-block.js';
export type {
  BlockState,
  BlockStatus,
  LoadOutcome,
  PrizeStatus,
  SalesDatabase,
} from './load/sales-database.js';

// Reports
export { auditBlocks, type AuditOptions } from './verify/audit/audit-blocks.js';
export type {
  Alarm,
  AuditedBlock,
  AuditReport,
  LevelCount,
  PooledBlocks,
} from './verify/audit/audit-report.js';
export type { TestGroup } from './verify/audit/evidence.js';
export type { TestResult } from './verify/audit/judge.js';
export { reportBlock, type BlockReport, type ReportOptions } from './view/report-block.js';

// Errors
export { InputError, MachineError, type InputErrorCode } from './core/errors.js';
export { ConformanceError } from './block/generate-block.js';
export { DefinitionError } from './definitions/definition-error.js';
export { JobsError } from './batch/jobs-error.js';
export type { Problem } from './definitions/problem.js';
