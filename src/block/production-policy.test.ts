import { expect, test } from '@jest/globals';
import type { ProgramBuild } from '../core/program-hash.js';
import { loadGame } from '../definitions/load-game.js';
import { sampleRequest } from '../testing/sample-requests.js';
import { productionFaults, type ProductionPolicy } from './production-policy.js';
import { newSigningKey, parseSigningKey } from './signing-key.js';

type Plan = Parameters<typeof productionFaults>[1];

const RIGHT: Plan = {
  requests: [{ game: loadGame('eldorado'), engine: 'chacha20' }],
  seed: Buffer.from('0123456789abcdef'.repeat(4)),
  outputFolder: 'blocks',
  signWith: parseSigningKey(Buffer.from(newSigningKey().privatePem), 'a new key'),
  mode: 0o40700,
  build: { sha256: 'a'.repeat(64), state: 'clean' },
};
const { game: own } = sampleRequest('eldorado-mini');

test('a block as production makes it has no faults, whether its output folder is there or not', () => {
  expect(productionFaults({}, RIGHT)).toEqual([]);
  expect(productionFaults({}, { ...RIGHT, mode: undefined })).toEqual([]);
});

const build = (state: ProgramBuild['state']): Partial<Plan> => ({
  build: { sha256: 'a'.repeat(64), state },
});

test.each<[string, ProductionPolicy, Partial<Plan>, RegExp]>([
  ['a seed on the command line', { isSeedExposed: true }, {}, /command line, give it with --seed-/],
  [
    'a seed too short',
    {},
    { seed: Buffer.from('abc') },
    /at most 12 bits, take one of 128 or more/,
  ],
  ['shares that are all public', { seedBits: 40 }, {}, /at most 40 bits/],
  [
    'the engine seedrandom',
    {},
    { requests: [...RIGHT.requests, { game: loadGame('eldorado'), engine: 'seedrandom' }] },
    /engine is seedrandom, choose chacha20/,
  ],
  ['nobody who signs', {}, { signWith: undefined }, /nobody signs, add --sign-key/],
  ['a folder of the group', {}, { mode: 0o40750 }, /others can reach blocks, .*chmod 700/],
  ['a folder of everybody', {}, { mode: 0o40701 }, /others can reach blocks/],
  [
    'a definition that nobody approved',
    { approvedDefinitions: ['b'.repeat(64)] },
    { requests: [{ game: own, engine: 'chacha20' }] },
    /definition of eldorado-mini is not one that is shipped, state the hash/,
  ],
  [
    'a shipped game with another definition',
    {},
    {
      requests: [
        { game: { ...loadGame('eldorado'), definitionSha256: 'b'.repeat(64) }, engine: 'chacha20' },
      ],
    },
    /definition of eldorado is not one that is shipped/,
  ],
  ['changed sources', {}, build('dirty'), /built from changed sources/],
  ['unknown sources', {}, build('unknown'), /nobody knows what the program was built from/],
  ['a program that was changed', {}, build('altered'), /not what was built, install it again/],
])('%s is a fault, and says what to do', (_what, policy, changes, words) => {
  const faults = productionFaults(policy, { ...RIGHT, ...changes });
  expect(faults).toEqual([expect.stringMatching(words)]);
});

test('a definition of one’s own is approved by its hash', () => {
  const requests = [{ game: own, engine: 'chacha20' }] as const;
  const policy = { approvedDefinitions: [own.definitionSha256] };
  expect(productionFaults(policy, { ...RIGHT, requests })).toEqual([]);
});

test('all faults are said at once', () => {
  const wrong = { ...RIGHT, seed: Buffer.from('abc'), signWith: undefined, mode: 0o40777 };
  expect(productionFaults({ isSeedExposed: true }, wrong)).toHaveLength(4);
});
