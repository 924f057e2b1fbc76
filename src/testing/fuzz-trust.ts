import { InputError } from '../core/errors.js';
import { encodeCommitment, parseCommitment } from '../formats/commitment.js';
import { decryptAge } from '../formats/decrypt-age.js';
import { encodeProof, parseProof } from '../formats/proof.js';
import { parseSaltKey } from '../formats/salt-key.js';
import { proofFault } from '../verify/check-proof.js';
import { contentFault } from '../verify/content-fault.js';
import type { FuzzTarget } from './fuzz.js';

/** What belongs to a block that was committed to. */
export interface CommittedSample {
  readonly name: string;
  readonly commitment: Uint8Array;
  /** One proof of it. */
  readonly proof: Uint8Array;
  readonly saltKey: Uint8Array;
  /** Something that was encrypted, what it was, and what opens it. */
  readonly encrypted: Uint8Array;
  readonly content: Uint8Array;
  readonly identity: string;
}

/** Readers of what makes blocks trusted: nothing that was changed may pass for what it was. */
export function trustTargets(sample: CommittedSample): readonly FuzzTarget[] {
  const { name, commitment, proof, saltKey, encrypted, content, identity } = sample;
  const committed = parseCommitment(commitment, 'commitment');
  const proved = encodeProof(parseProof(proof, 'proof'));
  return [
    {
      name: 'commitment',
      valid: commitment,
      read: refusalOr((input) => {
        const read = parseCommitment(input, 'a file');
        if (parseCommitment(encodeCommitment(read), 'itself').block !== read.block) throw lost();
        return [read.block];
      }),
    },
    {
      name: 'proof',
      valid: proof,
      read: refusalOr((input) => {
        const read = parseProof(input, 'a file');
        const fault = proofFault(read, committed);
        if (fault === undefined && encodeProof(read) !== proved) throw lost();
        return fault === undefined ? [] : [fault];
      }),
    },
    {
      name: 'salt key',
      valid: saltKey,
      read: refusalOr((input) => {
        const key = parseSaltKey(input, 'a file', name);
        return [`${key.length} bytes`];
      }),
    },
    {
      name: 'encrypted file',
      valid: encrypted,
      read: async (input) => {
        try {
          const pieces: Uint8Array[] = [];
          for await (const piece of decryptAge(oneByOne(input), [identity])) pieces.push(piece);
          if (!Buffer.concat(pieces).equals(content)) throw lost();
          return [];
        } catch (error) {
          const fault = contentFault(error);
          if (fault === undefined) throw error;
          return [fault.expected, fault.found];
        }
      },
    },
  ];
}

const lost = (): Error => new Error('what was changed passes for what it was');

/** An InputError is the foreseen refusal, and its words are what would be shown. */
function refusalOr(read: (input: Uint8Array) => readonly string[]): FuzzTarget['read'] {
  return (input) => {
    try {
      return read(input);
    } catch (error) {
      if (error instanceof InputError) return [error.message];
      throw error;
    }
  };
}

async function* oneByOne(input: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < input.length; at += 1000) yield input.subarray(at, at + 1000);
}
