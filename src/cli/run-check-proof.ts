import { createReadStream } from 'node:fs';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import { readFileBytes } from '../core/read-json-file.js';
import { isHexHash, MOST_COMMITMENT_BYTES, parseCommitment } from '../formats/commitment.js';
import { MOST_PROOF_BYTES, parseProof } from '../formats/proof.js';
import { proofFault, type ProofTarget } from '../verify/check-proof.js';
import { EXIT } from './exit-code.js';
import { processTerminal } from './terminal.js';

/** The options of `check-proof`. */
export interface CheckProofFlags {
  readonly commitment?: string;
  readonly root?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A proof that does not hold. */
interface ProofFault {
  /** Of the file, from 1. */
  readonly line: number;
  readonly block: string;
  readonly ticket: number;
  readonly fault: string;
}

/** What came of checking a file of proofs. */
interface ProofsCheck {
  readonly proofs: number;
  readonly right: number;
  /** The first of those that do not hold. */
  readonly faults: readonly ProofFault[];
  /** The last record that was proved. */
  readonly record: string | undefined;
}

const MOST_FAULTS = 20;

const LINE_FEED = 10;

const NO_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/** Checks the proofs of a file, and shows what came of it. */
export async function runCheckProof(path: string, flags: CheckProofFlags): Promise<void> {
  const terminal = processTerminal(flags);
  const target = targetOf(flags);
  const result = await checkProofs(path, target);
  if (result.proofs === 0) {
    throw new InputError(
      'bad-proof',
      `${placeOf(path)} has no proof; name a file of gen-block prove`,
    );
  }
  const { proofs, right, faults } = result;
  if (flags.json === true) terminal.write(`${JSON.stringify({ proofs, right, faults })}\n`);
  else if (flags.quiet !== true) terminal.write(resultText(result));
  if (right < proofs) process.exitCode = EXIT.nonconforming;
}

function targetOf({ commitment, root }: CheckProofFlags): ProofTarget {
  if ((commitment === undefined) === (root === undefined)) {
    const message =
      root === undefined
        ? 'nothing to check against is given; add --commitment <file> as it was published, or --root <hash>'
        : '--commitment and --root are both given; choose one';
    throw new InputError('usage', message);
  }
  if (commitment !== undefined) {
    return parseCommitment(readFileBytes(commitment, MOST_COMMITMENT_BYTES), commitment);
  }
  const hash = root?.toLowerCase() ?? '';
  if (isHexHash(hash)) return { root: hash };
  throw new InputError('usage', '--root is no hash; write its 64 hexadecimal digits');
}

async function checkProofs(path: string, target: ProofTarget): Promise<ProofsCheck> {
  const faults: ProofFault[] = [];
  let proofs = 0;
  let right = 0;
  let record: string | undefined;
  for await (const { bytes, line } of linesOf(path)) {
    const proof = parseProof(
      bytes,
      `${path === '-' ? 'standard input' : path}, proof ${proofs + 1}`,
    );
    const fault = proofFault(proof, target);
    proofs += 1;
    if (fault === undefined) {
      right += 1;
      record = proof.record;
    } else if (faults.length < MOST_FAULTS) {
      faults.push({ line, block: proof.block, ticket: proof.ticket, fault });
    }
  }
  return { proofs, right, faults, record };
}

interface Line {
  readonly bytes: Uint8Array;
  readonly line: number;
}

/** The lines of a file that are not empty; no more than one is held. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  let line = 1;
  let held = Buffer.alloc(0);
  for await (const piece of piecesOf(path)) {
    held = Buffer.concat([held, piece]);
    let start = 0;
    for (let end = held.indexOf(LINE_FEED); end >= 0; end = held.indexOf(LINE_FEED, start)) {
      if (end > start) yield { bytes: held.subarray(start, end), line };
      line += 1;
      start = end + 1;
    }
    held = held.subarray(start);
    if (held.length > MOST_PROOF_BYTES) {
      const message = `${placeOf(path)}, line ${line} is longer than any proof; name a file of gen-block prove`;
      throw new InputError('bad-proof', message);
    }
  }
  if (held.length > 0) yield { bytes: held, line };
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    const stream = path === '-' ? process.stdin : createReadStream(path);
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    if (!NO_FILE.has(systemErrorCode(error))) throw machineError('read', placeOf(path), error);
    throw new InputError('not-found', `there is no file ${placeOf(path)}; check the path`);
  }
}

function placeOf(path: string): string {
  return path === '-' ? 'standard input' : printable(path);
}

function resultText({ proofs, right, faults, record }: ProofsCheck): string {
  const wrong = faults.map(
    ({ line, block, ticket, fault }) =>
      `line ${line}: ticket ${ticket} of ${printable(block)} is NOT proved: ${printable(fault, 400)}\n`,
  );
  const left = proofs - right - faults.length;
  if (left > 0) wrong.push(`and ${formatCount(left)} more\n`);
  if (proofs === 1 && record !== undefined) return `proved: ${printable(record, 2000)}\n`;
  return `${wrong.join('')}${formatCount(right)} of ${formatCount(proofs)} proofs hold\n`;
}
