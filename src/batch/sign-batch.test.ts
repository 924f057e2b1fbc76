import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { newAgeKey, type AgeKey } from '../testing/age-lab.js';
import { sampleKey } from '../testing/sample-keys.js';
import { definitionPath, folderMaker, namesIn, sampleRequest } from '../testing/sample-requests.js';
import { verifyBlockFromSeed } from '../block/verify-from-seed.js';
import type { BatchResult } from './batch-result.js';
import { loadJobs } from './load-jobs.js';
import { runBatch, type BatchOptions } from './run-batch.js';

const newFolder = folderMaker();
const { seed, game } = sampleRequest('rows-plain');
const NAME = 'rows-plain-100-e1-b1';
const { key } = sampleKey('a');

let out: string;
let block: string;

async function run(changes: Partial<BatchOptions> = {}): Promise<BatchResult> {
  const path = join(newFolder(), 'jobs.json');
  const definition = definitionPath('rows-plain');
  const job = { definition, stake_cents: 100, blocks: { first: 1, last: 1 } };
  writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: [job] }));
  const options = { outputFolder: out, commitTickets: true, ...changes };
  return runBatch({ jobs: loadJobs(path), seed }, options);
}

const outcomeOf = ({ blocks }: BatchResult): unknown => blocks[0]?.outcome;
const signatures = (): readonly string[] => namesIn(block).filter((name) => name.endsWith('.sig'));
const SIGNATURES = [`commitment.json.${key.id}.sig`, `manifest.json.${key.id}.sig`];

async function expectRight(): Promise<void> {
  const report = await verifyBlockFromSeed(block, seed, { game, trustedKeys: [key] });
  expect([report.findings, report.notChecked]).toEqual([[], []]);
}

beforeEach(() => {
  out = newFolder();
  block = join(out, NAME);
});

describe('a batch that signs a block that was made before', () => {
  test('keeps it where it is the seed’s', async () => {
    await run();
    expect(outcomeOf(await run({ signWith: key }))).toBe('kept');
    await expectRight();
  });

  test('does not sign a commitment with another root', async () => {
    await run();
    const path = join(block, 'commitment.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(?<="tickets_root":")\w+/, 'a'.repeat(64)));
    expect(outcomeOf(await run())).toBe('kept');
    expect(outcomeOf(await run({ signWith: key }))).toBe('remade');
    await expectRight();
  });

  test('does not sign tickets that were changed with all their hashes', async () => {
    await run();
    const path = join(block, 'tickets.csv');
    const before = readFileSync(path, 'utf8');
    const after = before.replace('1,', '2,');
    writeFileSync(path, after);
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const manifest = readFileSync(join(block, MANIFEST_FILE), 'utf8');
    writeFileSync(join(block, MANIFEST_FILE), manifest.replace(sha256(before), sha256(after)));
    rmSync(join(out, 'registry.ndjson'));
    expect(outcomeOf(await run({ signWith: key }))).toBe('remade');
    await expectRight();
  });

  test('does not make it again once it is signed', async () => {
    await run({ signWith: key });
    const path = join(block, 'commitment.json');
    expect(outcomeOf(await run({ signWith: key }))).toBe('kept');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(?<="tickets_root":")\w/, 'x'));
    expect(outcomeOf(await run({ signWith: key }))).toBe('remade');
    await expectRight();
  });
});

describe('a batch that signs an encrypted block that was made before', () => {
  let age: AgeKey;
  beforeAll(async () => {
    age = await newAgeKey();
  });

  test('wants an identity for it', async () => {
    const encryptTo = [age.recipient];
    await run({ encryptTo });
    const [blind] = (await run({ encryptTo, signWith: key })).blocks;
    expect(blind).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/it can be neither signed nor committed to: contents not/),
    });
    expect(signatures()).toEqual([]);
    const options = { encryptTo, signWith: key, identities: [age.identity] };
    expect(outcomeOf(await run(options))).toBe('kept');
    expect(signatures()).toEqual(SIGNATURES);
  });

  test('wants none where it was signed when it was made', async () => {
    const options = { encryptTo: [age.recipient], signWith: key };
    await run(options);
    expect(outcomeOf(await run(options))).toBe('kept');
    expect(signatures()).toEqual(SIGNATURES);
  });
});
