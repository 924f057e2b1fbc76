import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STRONG_SEED_BITS } from '../core/algorithm.js';
import { InputError, machineError } from '../core/errors.js';
import { programBuild, type ProgramBuild } from '../core/program-hash.js';
import { readFileBytes } from '../core/read-json-file.js';
import { isApprovedDefinition } from '../definitions/approved-definition.js';
import type { Game } from '../definitions/game.js';
import { MOST_COMMITMENT_BYTES, parseCommitment } from '../formats/commitment.js';
import { COMMITMENT_FILE, MANIFEST_FILE } from '../formats/manifest.js';
import type { FindingLog, FindingPlace } from './finding.js';
import type { ParsedManifest } from './read-manifest.js';
import { withFindings, type VerifyReport } from './report.js';

/**
 * What a policy for production asks of a finished block.
 *
 * @group Verifying
 */
export interface BlockPolicy {
  /** Hashes of definitions that were approved, beside those of the games that are shipped. */
  readonly approvedDefinitions?: readonly string[] | undefined;
  /** Hashes of programs that were approved, beside this one's where its build is clean. */
  readonly approvedPrograms?: readonly string[] | undefined;
  /** The most bits that the seed can have, where it was given. */
  readonly seedBits?: number | undefined;
  /** The program that verifies; this one where it is left out. */
  readonly build?: ProgramBuild | undefined;
}

const OTHERS = 0o077;

/**
 * Holds a block against the policy for production, beside what its verification and the signatures of the
 * trusted keys say: its engine, its definition, its commitment and the program that made it, and who can
 * reach its files.
 *
 * @returns The report with what came of it.
 * @throws MachineError.
 */
export async function checkPolicy(
  report: VerifyReport,
  block: { readonly manifest: ParsedManifest; readonly game: Game; readonly log: FindingLog },
  policy: BlockPolicy | undefined,
): Promise<VerifyReport> {
  if (policy === undefined) return report;
  const { manifest, game, log } = block;
  const { claims, folder } = manifest;
  const { approvedDefinitions = [], seedBits } = policy;
  const add = (place: FindingPlace, expected: string, found: string): void => {
    log.add({ code: 'policy', place, expected, found });
  };
  const atManifest = (key: string): FindingPlace => ({ file: MANIFEST_FILE, pointer: `/${key}` });
  if (claims.engine !== 'chacha20') add(atManifest('engine'), 'chacha20', claims.engine);
  if (!isApprovedDefinition(game, approvedDefinitions)) {
    const expected = 'a definition that is shipped, or one that was approved (--definition-sha256)';
    add(atManifest('definition_sha256'), expected, claims.definition_sha256);
  }
  if (seedBits !== undefined && seedBits < STRONG_SEED_BITS) {
    const expected = `a seed of ${STRONG_SEED_BITS} bits or more`;
    add(atManifest('seed_commitment'), expected, `one that has at most ${seedBits}`);
  }
  checkProgram(folder, policy, add);
  await checkModes(folder, add);
  return withFindings(report, log, { checked: [CHECKED], notChecked: report.notChecked });
}

const CHECKED =
  'the production policy: engine, definition, commitment, the program that made it, who can reach the files';

type Add = (place: FindingPlace, expected: string, found: string) => void;

function checkProgram(folder: string, policy: BlockPolicy, add: Add): void {
  const { approvedPrograms = [], build = programBuild() } = policy;
  const program = committedProgram(folder);
  if (program === undefined) {
    add({ file: COMMITMENT_FILE }, 'a commitment beside the manifest', 'none');
    return;
  }
  const own = build.state === 'clean' ? [build.sha256] : [];
  if ([...own, ...approvedPrograms].includes(program)) return;
  const expected =
    own.length === 0
      ? 'a program that was approved (--program-sha256); the one that verifies has no clean build'
      : 'the program that verifies, or one that was approved (--program-sha256)';
  add({ file: COMMITMENT_FILE, pointer: '/program_sha256' }, expected, program);
}

/** `undefined` where there is no commitment that can be used; its own findings say more. */
function committedProgram(folder: string): string | undefined {
  try {
    const bytes = readFileBytes(join(folder, COMMITMENT_FILE), MOST_COMMITMENT_BYTES);
    return parseCommitment(bytes, COMMITMENT_FILE).program_sha256;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

async function checkModes(folder: string, add: Add): Promise<void> {
  try {
    for (const name of ['.', ...(await readdir(folder)).sort()]) {
      const { mode } = await lstat(join(folder, name));
      if ((mode & OTHERS) === 0) continue;
      add({ file: name }, 'a mode that keeps others out', `mode ${(mode & 0o777).toString(8)}`);
    }
  } catch (error) {
    throw machineError('read', folder, error);
  }
}
