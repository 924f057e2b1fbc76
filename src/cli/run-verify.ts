import { basename, extname } from 'node:path';
import { statSync } from 'node:fs';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { findStake, loadDefinitionFile } from '../definitions/load-game.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { formOfFileName, type TicketsFileForm } from '../formats/ticket-formats.js';
import type { PolicyId } from '../batch/job.js';
import type { DatabaseTarget } from '../load/database-target.js';
import type { Watch } from '../verify/read-tickets-file.js';
import type { VerifyReport } from '../verify/report.js';
import { verifyBlockFromSeed } from '../block/verify-from-seed.js';
import type { BlockPolicy } from '../verify/policy-findings.js';
import { verifyBlock, type VerifyBlockOptions } from '../verify/verify-block.js';
import { verifyTicketsFile } from '../verify/verify-file.js';
import { chosenGame } from './chosen-game.js';
import { EXIT } from './exit-code.js';
import { readIdentities } from './identity-input.js';
import { readTrustedKeys } from './key-input.js';
import { readingProgress } from './reading-progress.js';
import { reportText } from './report-text.js';
import { findSaltKey } from './salt-key-input.js';
import { findSeed, type GivenSeed } from './seed-input.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, processTerminal } from './terminal.js';

/** The options of `verify`. */
export interface VerifyFlags {
  readonly game?: string;
  readonly definition?: string;
  readonly stake?: number;
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly saltKey?: string;
  readonly from?: DatabaseTarget;
  readonly threads?: number;
  readonly trustedKey?: readonly string[];
  readonly policy?: PolicyId;
  readonly definitionSha256?: string;
  readonly programSha256?: string;
  readonly identity?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Codes of the operating system for a path that leads nowhere. */
const NOWHERE: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
]);

/** Verifies what a path leads to, and shows the report. */
export async function runVerify(path: string, flags: VerifyFlags): Promise<void> {
  const terminal = processTerminal(flags);
  if (flags.from !== undefined) refuseWithDatabase(flags);
  refuseTwoKeys(flags);
  // Whoever waits for a seed to be typed can still be stopped.
  const seed = await findSeed(flags, {}, terminal.note);
  const identities = await readIdentities(flags.identity, terminal.note);
  const saltKeyOf = await findSaltKey(flags.saltKey, terminal.note);
  const bar = await ProgressBar.open(terminal);
  const signals = abortOnSignals('the block was not verified to its end');
  const onBytes = readingProgress(bar, [path]);
  let report: VerifyReport;
  try {
    report = await verifyPath(
      { path, flags, seed, identities, saltKeyOf },
      { onBytes, signal: signals.signal },
    );
  } finally {
    bar.stop();
    signals.stop();
  }
  if (flags.json === true) terminal.write(`${JSON.stringify(report)}\n`);
  else if (flags.quiet !== true) terminal.write(reportText(report));
  if (!report.conforms) process.exitCode = EXIT.nonconforming;
}

interface VerifyTask {
  readonly path: string;
  readonly flags: VerifyFlags;
  readonly seed: GivenSeed | undefined;
  readonly identities: readonly string[] | undefined;
  readonly saltKeyOf: VerifyBlockOptions['saltKeyOf'];
}

async function verifyPath(task: VerifyTask, watch: Watch): Promise<VerifyReport> {
  const { path, flags, seed, identities } = task;
  if (flags.from !== undefined) {
    const { verifyInDatabase } = await import('./verify-in-database.js');
    return verifyInDatabase(path, { ...flags, from: flags.from }, watch);
  }
  const kind = kindOf(path);
  const form = formOfFileName(path);
  if (form !== undefined && kind !== 'folder') {
    refuseWithBareFile(flags);
    return verifyBareFile(task, form, watch);
  }
  if (kind === 'nothing') {
    throw new InputError('not-found', `there is no ${printable(path)}; check the path`);
  }
  if (kind === 'file' && extname(path) !== '.json') {
    const message = `${printable(path)} is no block folder, ${MANIFEST_FILE}, .ndjson or .csv file, with or without .gz and .age; name one of these`;
    throw new InputError('usage', message);
  }
  if (flags.game !== undefined || flags.stake !== undefined) {
    const message =
      '--game and --stake are for a bare tickets file; a block says itself what it is';
    throw new InputError('usage', message);
  }
  const game = flags.definition === undefined ? undefined : loadDefinitionFile(flags.definition);
  const trustedKeys = readTrustedKeys(flags.trustedKey ?? []);
  const policy = policyAsked(task);
  const options = { ...watch, game, identities, threads: flags.threads, trustedKeys, policy };
  if (seed !== undefined) {
    const { shareCommitments } = seed;
    return verifyBlockFromSeed(path, seed.seed, { ...options, shareCommitments });
  }
  return verifyBlock(path, { ...options, saltKeyOf: task.saltKeyOf });
}

/** What is asked of the block beside the rules. */
function policyAsked({ flags, seed }: VerifyTask): BlockPolicy | undefined {
  const { policy, definitionSha256, programSha256, trustedKey } = flags;
  if (policy === undefined) {
    if ((definitionSha256 ?? programSha256) === undefined) return undefined;
    const message = 'a hash that was approved goes with --policy production; add it';
    throw new InputError('usage', message);
  }
  if (trustedKey === undefined) {
    const message =
      '--policy production asks who has signed the block; add --trusted-key <file> with the public key';
    throw new InputError('usage', message);
  }
  return {
    approvedDefinitions: definitionSha256 === undefined ? [] : [definitionSha256],
    approvedPrograms: programSha256 === undefined ? [] : [programSha256],
    seedBits: seed?.mostBits,
  };
}

/** The seed makes the salt key itself. */
function refuseTwoKeys({ seed, seedFile, saltKey }: VerifyFlags): void {
  if (saltKey === undefined || (seed ?? seedFile) === undefined) return;
  const message = '--salt-key is given and the seed, which says more; leave --salt-key out';
  throw new InputError('usage', message);
}

function refuseWithBareFile(flags: VerifyFlags): void {
  if (flags.threads !== undefined) {
    throw new InputError('usage', '--threads is for a block of several files; leave it out');
  }
  for (const [option, value] of [
    ['--trusted-key', flags.trustedKey],
    ['--policy', flags.policy],
  ] as const) {
    if (value === undefined) continue;
    const message = `${option} is for a block's manifest; name the block's folder`;
    throw new InputError('usage', message);
  }
}

function refuseWithDatabase(flags: VerifyFlags): void {
  for (const [option, value] of [
    ['--game', flags.game],
    ['--stake', flags.stake],
    ['--seed', flags.seed],
    ['--seed-file', flags.seedFile],
    ['--salt-key', flags.saltKey],
    ['--threads', flags.threads],
    ['--trusted-key', flags.trustedKey],
    ['--policy', flags.policy],
    ['--definition-sha256', flags.definitionSha256],
    ['--program-sha256', flags.programSha256],
    ['--identity', flags.identity],
  ] as const) {
    if (value === undefined) continue;
    const message = `${option} is for files, and --from reads a database; leave one of them out`;
    throw new InputError('usage', message);
  }
}

async function verifyBareFile(
  { path, flags, seed, identities }: VerifyTask,
  form: TicketsFileForm,
  watch: Watch,
): Promise<VerifyReport> {
  if (seed !== undefined || flags.saltKey !== undefined) {
    const message = "a bare tickets file does not say what to make again; name the block's folder";
    throw new InputError('usage', message);
  }
  if (flags.stake === undefined || (flags.game ?? flags.definition) === undefined) {
    const message = `${printable(basename(path))} does not say what it is; add --game and --stake, or name the block's folder`;
    throw new InputError('usage', message);
  }
  const game = chosenGame(flags);
  const stake = findStake(game, flags.stake);
  return verifyTicketsFile(path, { game, stake, identities, ...form }, watch);
}

function kindOf(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (NOWHERE.has(systemErrorCode(error))) return 'nothing';
    throw machineError('read', path, error);
  }
}
