import { dirname, resolve } from 'node:path';
import { ENGINE_IDS } from '../core/algorithm.js';
import { defined } from '../core/assert.js';
import { InputError } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { readJsonFile } from '../core/read-json-file.js';
import { hasMoreValues } from '../definitions/form-check.js';
import type { Game } from '../definitions/game.js';
import { gameIds, loadDefinitionFile, loadGame } from '../definitions/load-game.js';
import { describeValue, type Problem } from '../definitions/problem.js';
import { schemaProblems } from '../definitions/schema-problems.js';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import { checkEntries } from './entries-check.js';
import type { Job, Jobs } from './job.js';
import type { JobFile, JobFileEntry } from './job-file.js';
import { JobsError } from './jobs-error.js';

/** The size limit of a job file, in bytes; a thousand entries take a quarter of it. */
const MAX_JOB_FILE_BYTES = 1024 * 1024;

/** More than the schema's limits allow in earnest; it bounds the number of ajv's errors. */
const MOST_VALUES = 20_000;

/**
 * Reads a job file (`schemas/jobs.schema.json`), and the definitions that it names.
 *
 * @param path - The job file. Paths of definitions in it are relative to it.
 * @returns What {@link planBatch}, {@link runBatch} and {@link finishBatch} take.
 * @throws InputError `not-found`, `bad-json`; {@link JobsError} with all that is wrong with it;
 * MachineError.
 * @group Batches
 */
export function loadJobs(path: string): Jobs {
  const file = checkedForm(readJsonFile(path, MAX_JOB_FILE_BYTES), path);
  const problems: Problem[] = [];
  const games = new GameLoader(dirname(path));
  const jobs = file.jobs.map((entry, index) => {
    const { job, problem } = resolveEntry(entry, `/jobs/${index}`, games);
    if (problem !== undefined) problems.push(problem);
    return job;
  });
  problems.push(...checkEntries(jobs));
  if (problems.length > 0) throw new JobsError(problems, path);
  return {
    emission: file.emission,
    commitTickets: file.commit_tickets ?? false,
    policy: file.policy,
    jobs: jobs.map((job) => defined(job, 'a job')),
  };
}

function checkedForm(value: unknown, path: string): JobFile {
  if (hasMoreValues(value, MOST_VALUES)) {
    const found = `more than ${formatCount(MOST_VALUES)} values`;
    throw new JobsError([{ pointer: '', found, expected: 'a job file, which is smaller' }], path);
  }
  const problems = schemaProblems('jobs', value);
  if (problems.length > 0) throw new JobsError(problems, path);
  return value as JobFile;
}

interface ResolvedEntry {
  /** `undefined` where its game or its stake is not known. */
  readonly job: Job | undefined;
  readonly problem?: Problem;
}

function resolveEntry(entry: JobFileEntry, pointer: string, games: GameLoader): ResolvedEntry {
  const loaded = games.load(entry, pointer);
  if ('found' in loaded) return { job: undefined, problem: loaded };
  const { stake_cents: stakeCents, blocks, formats, compression, engine, out } = entry;
  const { definition_sha256: approvedDefinition = loaded.definitionSha256 } = entry;
  if (approvedDefinition !== loaded.definitionSha256) {
    const expected = `"${loaded.definitionSha256}", the hash of the definition that is there`;
    const found = describeValue(approvedDefinition);
    return {
      job: undefined,
      problem: { pointer: `${pointer}/definition_sha256`, found, expected },
    };
  }
  const stake = loaded.stakes.find((candidate) => candidate.stakeCents === stakeCents);
  if (stake === undefined) {
    const expected = loaded.stakes.map((candidate) => candidate.stakeCents).join(' or ');
    const problem = { pointer: `${pointer}/stake_cents`, found: String(stakeCents), expected };
    return { job: undefined, problem };
  }
  const job: Job = {
    game: loaded,
    stake,
    engine: engine ?? defined(ENGINE_IDS[0], 'the default engine'),
    first: blocks.first,
    last: blocks.last,
    formats: TICKET_FORMATS.filter((format) => formats?.includes(format) ?? true),
    compression,
    approvedDefinition: entry.definition_sha256,
    subfolders: out === undefined ? [] : out.split('/'),
  };
  return { job };
}

/** Loads the games of entries, each definition once, however many name it. */
class GameLoader {
  readonly #folder: string;
  readonly #games = new Map<string, Game | InputError>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The game of an entry, or what is wrong with its name. */
  load({ game = '', definition }: JobFileEntry, pointer: string): Game | Problem {
    if (definition === undefined) {
      if (gameIds().includes(game)) return loadGame(game);
      const expected = `${gameIds().join(' or ')}, or a definition in its place`;
      return { pointer: `${pointer}/game`, found: describeValue(game), expected };
    }
    const path = resolve(this.#folder, definition);
    const loaded = this.#once(path, () => loadDefinitionFile(path));
    if (!(loaded instanceof InputError)) return loaded;
    const expected = `a definition that can be used (${loaded.message})`;
    return { pointer: `${pointer}/definition`, found: describeValue(definition), expected };
  }

  #once(key: string, load: () => Game): Game | InputError {
    const known = this.#games.get(key) ?? gameOrError(load);
    this.#games.set(key, known);
    return known;
  }
}

function gameOrError(load: () => Game): Game | InputError {
  try {
    return load();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
