/**
 * gen-block as a library: make a block, verify a block, load a game.
 *
 * @packageDocumentation
 */
export { ENGINE_IDS, type EngineId } from './core/algorithm.js';
export { InputError, MachineError, type InputErrorCode } from './core/errors.js';
export { DefinitionError } from './definitions/definition-error.js';
export type { Game, GameSymbol, PayLine, Stake, SymbolRole, Tier } from './definitions/game.js';
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
export type { Problem } from './definitions/problem.js';
export {
  COMPRESSIONS,
  TICKET_FORMATS,
  type Compression,
  type Encryption,
  type TicketFormat,
  type TicketsFileForm,
} from './formats/ticket-formats.js';
export type { Manifest, ManifestFile, ManifestOutcome } from './formats/manifest.js';
export {
  ConformanceError,
  generateBlock,
  type GeneratedBlock,
  type GenerateOptions,
  type Progress,
} from './block/generate-block.js';
export { signBlock, type SignedBlock, type SignOptions } from './block/sign-block.js';
export type { PlacedSignature } from './block/place-signatures.js';
export { parseSigningKey, type SigningKey } from './block/signing-key.js';
export { parsePublicKey } from './formats/key-file.js';
export type { PublicKey } from './formats/signature.js';
export { drawTicket, drawTickets } from './block/draw-ticket.js';
export type { TicketRecord } from './formats/ticket-record.js';
export type { ProductionPolicy } from './block/production-policy.js';
export { parseCommitment, type Commitment } from './formats/commitment.js';
export { parseProof, type Proof } from './formats/proof.js';
export { proofFault, type ProofTarget } from './verify/check-proof.js';
export type { BlockPolicy } from './verify/policy-findings.js';
export { TicketProver, type ProveOptions } from './verify/prove-tickets.js';
export { combineShares } from './engine/seed-shares.js';
export { planBlock, type BlockRequest, type PlannedBlock } from './block/plan-block.js';
export { streamBlock, type StreamedBlock, type StreamOptions } from './block/stream-block.js';
export {
  EXPECTED_BYTES_PER_SECOND,
  planBatch,
  type BatchBlock,
  type BatchPlan,
  type Shard,
} from './batch/batch-plan.js';
export type { BatchProgress } from './batch/batch-progress.js';
export type { BatchBlockResult, BatchOutcome, BatchResult } from './batch/batch-result.js';
export type { BatchTotals } from './batch/batch-totals.js';
export { JobsError } from './batch/jobs-error.js';
export type { Job, Jobs } from './batch/job.js';
export { finishBatch, type FinishOptions, type FinishRequest } from './batch/finish-batch.js';
export { loadJobs } from './batch/load-jobs.js';
export { runBatch, type BatchOptions, type BatchRequest } from './batch/run-batch.js';
export { parseDatabaseTarget, type DatabaseTarget } from './load/database-target.js';
export { loadBlock, type LoadedBlock, type LoadOptions } from './load/load-block.js';
export { openDatabase, type OpenOptions } from './load/open-database.js';
export type { BlockStatus, PrizeStatus, SalesDatabase } from './load/sales-database.js';
export { verifyStoredBlock, type VerifyStoredOptions } from './load/verify-stored-block.js';
export { saltKeyFrom, verifyBlockFromSeed } from './block/verify-from-seed.js';
export { auditBlocks, type AuditOptions } from './verify/audit/audit-blocks.js';
export type { AuditReport } from './verify/audit/audit-report.js';
export { evaluateTicket } from './verify/evaluate-ticket.js';
export type { Evaluation, Explanation, Fault } from './verify/evaluator.js';
export type { Finding, FindingCode, FindingPlace } from './verify/finding.js';
export type { VerifyReport } from './verify/report.js';
export { verifyBlock, type VerifyBlockOptions } from './verify/verify-block.js';
export { verifyTicketsFile } from './verify/verify-file.js';
export { gameFacts, type GameFacts, type StakeFacts } from './view/game-facts.js';
export { openBlockTickets, type TicketSource } from './view/block-tickets.js';
export { reportBlock, type BlockReport, type ReportOptions } from './view/report-block.js';
