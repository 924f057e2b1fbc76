import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newAgeKey, writeIdentityFile, type AgeKey } from '../testing/age-lab.js';
import { runInside, type CommandResult } from '../testing/command-line.js';
import { sampleKey, writeKey } from '../testing/sample-keys.js';
import { definitionPath, folderMaker, namesIn } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';
const DEFINITION = ['--definition', definitionPath('collect-bare')];
const SIGNER = sampleKey('a');
const NAMES = [`commitment.json.${SIGNER.key.id}.sig`, `manifest.json.${SIGNER.key.id}.sig`];

let age: AgeKey;
let identity: string;
let signKey: string;
let saltKey: string;
let plain: string;
let encrypted: string;
let block: string;

async function generate(...more: readonly string[]): Promise<string> {
  const out = newFolder();
  const argv = ['generate', ...DEFINITION, '--stake', '1', '--seed', 'x', '--out', out, '-q'];
  expect((await runInside([...argv, '--commit-tickets', ...more])).exitCode).toBe(0);
  return join(out, NAME);
}

beforeAll(async () => {
  const keys = newFolder();
  age = await newAgeKey();
  identity = writeIdentityFile(keys, age);
  signKey = writeKey(SIGNER, keys).privatePath;
  plain = await generate();
  encrypted = await generate('--encrypt-to', age.recipient);
  saltKey = join(keys, 'block.salt');
  await runInside(['seed', 'salt-key', plain, saltKey, '--seed', 'x']);
});

function copyOf(folder: string): string {
  const copy = join(newFolder(), NAME);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

async function sign(...argv: readonly string[]): Promise<CommandResult> {
  return runInside(['sign', block, ...DEFINITION, '--key', signKey, ...argv]);
}

const signatures = (): readonly string[] => namesIn(block).filter((name) => name.endsWith('.sig'));

describe('an encrypted block', () => {
  beforeEach(() => {
    block = copyOf(encrypted);
  });

  test('is signed by whoever can open it', async () => {
    expect((await sign('--identity', identity)).exitCode).toBe(0);
    expect(signatures()).toEqual(NAMES);
  });

  test.each([
    ['no identity', (): readonly string[] => []],
    ['another identity', (): readonly string[] => ['--identity', otherIdentity()]],
  ])('is not signed with %s', async (_what, argv) => {
    const { exitCode, stderr } = await sign(...argv());
    expect([exitCode, stderr]).toEqual([
      2,
      `gen-block: ${block} is encrypted, and no identity opens it; give one that does with --identity\n`,
    ]);
    expect(signatures()).toEqual([]);
  });

  let other: AgeKey;
  beforeAll(async () => {
    other = await newAgeKey();
  });
  const otherIdentity = (): string => writeIdentityFile(newFolder(), other);
});

describe('a commitment with another root', () => {
  beforeEach(() => {
    block = copyOf(plain);
    const path = join(block, 'commitment.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(?<="tickets_root":")\w+/, 'a'.repeat(64)));
  });

  test('is not signed where the salt key is given', async () => {
    const { exitCode, stderr } = await sign('--salt-key', saltKey);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('1 x commitment-root')]);
    expect(signatures()).toEqual([]);
  });

  test('is signed without it, and the signer is told', async () => {
    const { exitCode, stderr } = await sign();
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/^gen-block: root not checked: .*; give it with --salt-key\n/),
    ]);
  });
});

test('a right commitment is signed without a word of the root where the salt key is given', async () => {
  block = copyOf(plain);
  const { exitCode, stderr } = await sign('--salt-key', saltKey);
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('root')]);
  expect(signatures()).toEqual(NAMES);
});
