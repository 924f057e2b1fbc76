import { describe, expect, test } from '@jest/globals';
import { schemaCheck } from '../testing/checked-json.js';
import {
  encodeCommitment,
  makeCommitment,
  parseCommitment,
  type Commitment,
} from './commitment.js';
import { encodeProof, parseProof, type Proof } from './proof.js';

const HASH = '0123456789abcdef'.repeat(4);

const COMMITMENT: Commitment = makeCommitment({
  algorithm: 1,
  tool_version: '1.0.0',
  program_sha256: HASH,
  block: 'eldorado-100-e1-b1',
  tickets: 900_000,
  definition_sha256: HASH,
  engine: 'chacha20',
  seed_commitment: HASH,
  share_commitments: ['b'.repeat(64), 'a'.repeat(64)],
  tickets_root: HASH,
});

const PROOF: Proof = {
  format: 'gen-block-proof/1',
  block: 'eldorado-100-e1-b1',
  ticket: 7,
  tickets: 900_000,
  record: '{"ticket":7}',
  salt: HASH,
  path: [HASH, HASH],
};

/** Values that are wrong, or right, in the place of others. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, '', 'x', 'a\nb', HASH, HASH.toUpperCase(), `${HASH}0`, ` ${HASH}`],
  ...[0, 1, -1, 1.5, 2 ** 53, '1', [], {}, [HASH], [HASH, HASH], [HASH, 'x'], [HASH, null]],
  ...[new Array(100).fill(HASH), new Array(101).fill(HASH)],
  ...[
    'seedrandom',
    'chacha20',
    'alea',
    'eldorado-100-e1-b1',
    'a-1-e1-b0',
    'A-1-e1-b1',
    '../a-1-e1-b1',
  ],
  ...['a'.repeat(101), '\u{1f3b0}'.repeat(100), 'gen-block-commitment/1', 'gen-block-proof/1'],
];

const READERS = [
  ['commitment', COMMITMENT, parseCommitment],
  ['proof', PROOF, parseProof],
] as const;

describe.each(READERS)('the reader of a %s', (name, right, parse) => {
  const check = schemaCheck(name);
  const accepts = (value: unknown): boolean => {
    try {
      parse(Buffer.from(JSON.stringify(value)), 'a file');
      return true;
    } catch {
      return false;
    }
  };

  test('takes what is right, and so does the schema', () => {
    expect(accepts(right)).toBe(true);
    expect([check(right), check.errors]).toEqual([true, null]);
  });

  test('takes no other values than the schema does', () => {
    for (const key of Object.keys(right)) {
      for (const value of VALUES) {
        // Numbers that JSON.parse would change are refused before any schema sees them.
        if (value === 2 ** 53) continue;
        const changed: unknown = JSON.parse(JSON.stringify({ ...right, [key]: value }));
        expect({ key, value, isTaken: accepts(changed) }).toEqual({
          key,
          value,
          isTaken: check(changed),
        });
      }
    }
  });

  test('takes keys that it does not know, and nothing that is no object', () => {
    expect(accepts({ ...right, more: 1 })).toBe(true);
    for (const value of [[], null, 'x', 1]) expect(accepts(value)).toBe(false);
  });
});

test('a commitment is written with its keys in their order, and its shares ascending', () => {
  const text = Buffer.from(encodeCommitment(COMMITMENT)).toString();
  expect(text).toMatch(
    /^\{"format":"gen-block-commitment\/1","algorithm":1,.*"tickets_root":"\w+"\}\n$/,
  );
  expect(text).toContain(`"share_commitments":["${'a'.repeat(64)}","${'b'.repeat(64)}"]`);
  const { tickets_root: root, format, ...rest } = COMMITMENT;
  expect(Buffer.from(encodeCommitment({ tickets_root: root, ...rest, format })).toString()).toBe(
    text,
  );
});

test('a proof is written with its keys in their order', () => {
  const { path, ...rest } = PROOF;
  expect(encodeProof({ path, ...rest })).toBe(JSON.stringify(PROOF));
});
