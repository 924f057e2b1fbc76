import { readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encryptBytes, newAgeKey, type AgeKey } from '../testing/age-lab.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  sampleRequest,
} from '../testing/sample-requests.js';
import { verifyBlock } from '../verify/verify-block.js';
import type { BatchResult } from './batch-result.js';
import { finishBatch } from './finish-batch.js';
import type { Jobs } from './job.js';
import { loadJobs } from './load-jobs.js';
import { runBatch, type BatchOptions } from './run-batch.js';

const newFolder = folderMaker();
const SEED = Buffer.from('Zq7-geheim-encrypted');
const NAMES = [1, 2, 3].map((block) => `rows-plain-100-e1-b${block}`);
const [FIRST = ''] = NAMES;
const { game } = sampleRequest('rows-plain');
const UNCHECKED = 'contents not checked: it is encrypted, and no identity is given (--identity)';

function threeBlocks(changes: object = {}): Jobs {
  const path = join(newFolder(), 'jobs.json');
  const definition = definitionPath('rows-plain');
  const blocks = { first: 1, last: 3 };
  const job = { definition, stake_cents: 100, blocks, ...changes };
  writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs: [job] }));
  return loadJobs(path);
}

const JOBS = threeBlocks();

let key: AgeKey;
let other: AgeKey;
let out: string;

beforeAll(async () => {
  key = await newAgeKey();
  other = await newAgeKey();
});

beforeEach(() => {
  out = newFolder();
});

async function run(changes: Partial<BatchOptions> = {}, jobs = JOBS): Promise<BatchResult> {
  const options = { outputFolder: out, encryptTo: [key.recipient], ...changes };
  return runBatch({ jobs, seed: SEED }, options);
}

const outcomes = ({ blocks }: BatchResult): readonly unknown[] =>
  blocks.map(({ outcome, reason }) => [outcome, reason]);

const thrice = (outcome: string, reason?: string): readonly unknown[] =>
  NAMES.map(() => [outcome, reason]);

describe('a batch that encrypts', () => {
  test.each([[undefined], ['gzip']])(
    'makes encrypted blocks in threads (%s)',
    async (compression) => {
      const ending = compression === undefined ? '.age' : '.gz.age';
      expect(outcomes(await run({ threads: 2 }, threeBlocks({ compression })))).toEqual(
        thrice('made'),
      );
      for (const name of NAMES) {
        const folder = join(out, name);
        const files = ['manifest.json', `tickets.csv${ending}`, `tickets.ndjson${ending}`];
        expect(readdirSync(folder)).toEqual(files);
        const report = await verifyBlock(folder, { game, identities: [key.identity] });
        expect(report.findings).toEqual([]);
      }
    },
  );

  test('run again without an identity keeps the blocks, and says what it has not checked', async () => {
    await run();
    const before = NAMES.map((name) => hashesOf(join(out, name)));
    const again = await run();
    expect(outcomes(again)).toEqual(thrice('kept', UNCHECKED));
    expect(again.notChecked).toEqual(['the contents of 3 encrypted blocks: no identity was given']);
    expect(NAMES.map((name) => hashesOf(join(out, name)))).toEqual(before);
  });

  test.each([[false], [true]])('run again with one checks them (recheck: %s)', async (recheck) => {
    await run();
    const again = await run({ identities: [key.identity], recheck });
    expect(outcomes(again)).toEqual(thrice('kept'));
    expect(again.notChecked).toBeUndefined();
  });

  test('cannot recheck without one', async () => {
    await expect(run({ recheck: true })).rejects.toMatchObject({
      code: 'usage',
      message: 'encrypted blocks cannot be rechecked without an identity; give one with --identity',
    });
  });

  test.each([[false], [true]])(
    'refuses blocks that the identity does not open (recheck: %s)',
    async (recheck) => {
      await run();
      const before = hashesOf(join(out, FIRST));
      const again = await run({ identities: [other.identity], recheck });
      expect(again.counts).toMatchObject({ refused: 3 });
      expect(again.blocks[0]?.reason).toContain('encrypted, and none of the identities opens it');
      expect(hashesOf(join(out, FIRST))).toEqual(before);
    },
  );

  test.each<[damage: string, damage: (folder: string) => Promise<void> | void, reason: string]>([
    [
      'is cut short',
      (folder) => {
        truncateSync(join(folder, 'tickets.csv.age'), 5000);
      },
      'tickets.csv.age has another size',
    ],
    [
      'is gone',
      (folder) => {
        rmSync(join(folder, 'tickets.csv.age'));
      },
      'tickets.csv.age is missing, or no regular file',
    ],
    [
      'is no age file',
      (folder) => {
        writeFileSync(join(folder, 'tickets.csv.age'), 'ticket,prize_cents');
      },
      'tickets.csv.age is not encrypted as it should be',
    ],
    [
      'has another manifest',
      (folder) => {
        const path = join(folder, 'manifest.json');
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('"tickets":1000', '"tickets":1001'));
      },
      'its manifest.json is not the one that the seed makes',
    ],
  ])('makes a block anew whose file %s, without an identity too', async (_, damage, reason) => {
    await run();
    await damage(join(out, FIRST));
    const again = await run();
    expect(outcomes(again)[0]).toEqual(['remade', reason]);
    const report = await verifyBlock(join(out, FIRST), { game, identities: [key.identity] });
    expect(report.findings).toEqual([]);
  });

  test('sees other contents only with an identity', async () => {
    await run();
    const path = join(out, FIRST, 'tickets.csv.age');
    const length = JSON.parse(readFileSync(join(out, FIRST, 'manifest.json'), 'utf8')) as {
      files: { bytes: number }[];
    };
    const wrong = Buffer.alloc(length.files[1]?.bytes ?? 0, 'x');
    writeFileSync(path, await encryptBytes(wrong, [key.recipient]));
    expect(outcomes(await run())[0]).toEqual(['kept', UNCHECKED]);
    expect(outcomes(await run({ identities: [key.identity] }))[0]).toEqual([
      'remade',
      'tickets.csv.age has another hash',
    ]);
  });

  test('leaves blocks alone that are not encrypted as it is asked', async () => {
    await run({ encryptTo: undefined });
    const encrypted = await run();
    expect(encrypted.counts).toMatchObject({ refused: 3 });
    expect(encrypted.blocks[0]?.reason).toContain('it was made in other formats');
  });

  test.each([
    ['bad-recipient', { encryptTo: ['age1'] }],
    ['bad-identity', { identities: ['AGE-SECRET-KEY-1'] }],
  ])('refuses %s before it makes a folder', async (code, options) => {
    const outputFolder = join(out, 'new');
    await expect(run({ outputFolder, ...options })).rejects.toMatchObject({ code });
    expect(readdirSync(out)).toEqual([]);
  });
});

describe('shares of a batch that encrypts', () => {
  async function shares(): Promise<readonly string[]> {
    const folders = [newFolder(), newFolder()];
    for (const [index, outputFolder] of folders.entries()) {
      const shard = { index: index + 1, count: 2 };
      const options = { outputFolder, encryptTo: [key.recipient] };
      await runBatch({ jobs: JOBS, seed: SEED, shard }, options);
    }
    return folders;
  }

  test('are joined with an identity, or with the seed, which says what it has not checked', async () => {
    const identities = [key.identity];
    const request = { jobs: JOBS, shares: await shares(), seed: SEED };
    expect(outcomes(await finishBatch(request, { outputFolder: out, identities }))).toEqual(
      thrice('joined'),
    );
    const blind = newFolder();
    const unseen = { ...request, shares: await shares() };
    const joined = await finishBatch(unseen, { outputFolder: blind });
    expect(outcomes(joined)).toEqual(thrice('joined', UNCHECKED));
    expect(joined.notChecked).toEqual([
      'the contents of 3 encrypted blocks: no identity was given',
    ]);
    expect(outcomes(await finishBatch(unseen, { outputFolder: blind }))).toEqual(
      thrice('kept', UNCHECKED),
    );
    const unseeded = { jobs: JOBS, shares: await shares() };
    const verified = await finishBatch(unseeded, { outputFolder: newFolder(), identities });
    expect(verified.counts).toMatchObject({ joined: 3 });
  });

  test('are refused with neither', async () => {
    const request = { jobs: JOBS, shares: await shares() };
    const refused = await finishBatch(request, { outputFolder: out });
    expect(refused.counts).toMatchObject({ refused: 3, joined: 0 });
    expect(refused.blocks[0]?.reason).toContain('only an identity (--identity) or');
  });
});
