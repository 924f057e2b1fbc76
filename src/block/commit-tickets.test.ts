import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { combineShares } from '../engine/seed-shares.js';
import { seedCommitment, seedKey } from '../engine/stream-key.js';
import { encodeCommitment, parseCommitment, type Commitment } from '../formats/commitment.js';
import { COMMITMENT_FILE, MANIFEST_FILE } from '../formats/manifest.js';
import type { SampleName } from '../testing/sample-definitions.js';
import { folderMaker, hashesOf, sampleRequest } from '../testing/sample-requests.js';
import { TicketProver } from '../verify/prove-tickets.js';
import { FindingLog } from '../verify/finding.js';
import { readManifest } from '../verify/read-manifest.js';
import type { VerifyReport } from '../verify/report.js';
import { verifyBlock, type VerifyBlockOptions } from '../verify/verify-block.js';
import { generateBlock, type GenerateOptions } from './generate-block.js';
import type { BlockRequest } from './plan-block.js';
import { saltKeyFrom, verifyBlockFromSeed } from './verify-from-seed.js';

const newFolder = folderMaker();
const REQUEST = sampleRequest('rows-plain');

async function generate(
  options: Partial<GenerateOptions> = {},
  request: BlockRequest = REQUEST,
): Promise<string> {
  const outputFolder = newFolder();
  return (await generateBlock(request, { outputFolder, commitTickets: true, ...options })).folder;
}

function commitmentIn(folder: string): Commitment {
  return parseCommitment(readFileSync(join(folder, COMMITMENT_FILE)), COMMITMENT_FILE);
}

function change(folder: string, changes: Partial<Commitment>): void {
  writeFileSync(
    join(folder, COMMITMENT_FILE),
    encodeCommitment({ ...commitmentIn(folder), ...changes }),
  );
}

const saltKeyOf = saltKeyFrom(REQUEST.seed);

async function verify(folder: string, options: VerifyBlockOptions = {}): Promise<VerifyReport> {
  return verifyBlock(folder, { game: REQUEST.game, saltKeyOf, ...options });
}

/** Two losing tickets exchange their grids, and all hashes are put right: another valid block. */
function exchangeTwoGrids(folder: string): void {
  const path = join(folder, 'tickets.ndjson');
  const lines = readFileSync(path, 'utf8').split('\n');
  const gridsOf = (line: string): string => /"grids":.*/.exec(line)?.[0] ?? '';
  const losing = [...lines.entries()].filter(([, line]) => line.includes('"prize_cents":0'));
  const [a, b] = losing.filter(([, line]) => !line.includes('],[')).slice(0, 2);
  if (a === undefined || b === undefined) throw new Error('the block has losing tickets');
  lines[a[0]] = a[1].replace(gridsOf(a[1]), gridsOf(b[1]));
  lines[b[0]] = b[1].replace(gridsOf(b[1]), gridsOf(a[1]));
  writeFileSync(path, lines.join('\n'));
  rmSync(join(folder, 'tickets.csv'));
  const manifest = readFileSync(join(folder, MANIFEST_FILE), 'utf8');
  const { files, ...rest } = JSON.parse(manifest) as { readonly files: readonly object[] };
  const sha256 = createHash('sha256').update(lines.join('\n')).digest('hex');
  const changed = { ...rest, files: [{ ...files[0], sha256 }] };
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(changed)}\n`);
}

const codesOf = ({ findingCounts }: VerifyReport): readonly string[] =>
  findingCounts.map(({ code }) => code);

describe('a commitment', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await generate();
  });

  test('has in its order what decides the tickets, and the root', () => {
    const commitment = commitmentIn(folder);
    expect(Object.keys(commitment)).toEqual([
      ...['format', 'algorithm', 'tool_version', 'program_sha256', 'block', 'tickets'],
      ...['definition_sha256', 'engine', 'seed_commitment', 'tickets_root'],
    ]);
    expect(commitment).toMatchObject({
      block: 'rows-plain-100-e1-b1',
      tickets: REQUEST.game.blockSize,
      definition_sha256: REQUEST.game.definitionSha256,
      seed_commitment: seedCommitment(seedKey(REQUEST.seed)),
    });
  });

  test('is its owner’s only, and the same bytes each time', async () => {
    expect(statSync(join(folder, COMMITMENT_FILE)).mode & 0o777).toBe(0o600);
    expect(hashesOf(await generate())).toEqual(hashesOf(folder));
  });

  test('does not change the block that it is of', async () => {
    const without = hashesOf(await generate({ commitTickets: false }));
    expect(without).not.toHaveProperty([COMMITMENT_FILE]);
    expect(hashesOf(folder)).toMatchObject(without);
  });

  test('has the root whatever files are written', async () => {
    const root = commitmentIn(folder).tickets_root;
    for (const options of [
      { formats: ['csv'] },
      { formats: ['ndjson'], compression: 'gzip' },
      { threads: 2 },
    ] as const) {
      expect(commitmentIn(await generate(options)).tickets_root).toBe(root);
    }
  });

  test('tells its root of another block, stake or seed from this one', async () => {
    const roots = new Set([commitmentIn(folder).tickets_root]);
    const others = [
      { block: 2 },
      { seed: Buffer.from('another') },
      { engine: 'chacha20' },
    ] as const;
    for (const changes of others) {
      const other = await generate({}, { ...REQUEST, ...changes });
      roots.add(commitmentIn(other).tickets_root);
    }
    expect(roots.size).toBe(4);
  });
});

describe('a block with a commitment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await generate();
  });

  test.each<SampleName>(['eldorado-mini', 'lagon-mini', 'collect-bare', 'rows-plain'])(
    'conforms, and its root is checked with the salt key: %s',
    async (name) => {
      const request = sampleRequest(name);
      const report = await verify(await generate({}, request), {
        game: request.game,
        saltKeyOf: saltKeyFrom(request.seed),
      });
      expect(report.conforms).toBe(true);
      expect(report.checked).toContain('the Merkle root of commitment.json against every ticket');
      expect(report.notChecked.join()).not.toContain('root');
    },
  );

  test('conforms without the key, but its root is said to be unchecked', async () => {
    const report = await verify(folder, { saltKeyOf: undefined });
    expect(report.conforms).toBe(true);
    expect(report.notChecked.join('\n')).toContain('root not checked');
  });

  test('verified from its seed leaves nothing unchecked', async () => {
    const report = await verifyBlockFromSeed(folder, REQUEST.seed, { game: REQUEST.game });
    expect([report.conforms, report.notChecked]).toEqual([true, []]);
  });

  test('of a changed ticket, whose hashes were all put right, is told by the root alone', async () => {
    exchangeTwoGrids(folder);
    const report = await verify(folder, { registry: false });
    expect(codesOf(report)).toEqual(['commitment-root']);
    const { conforms } = await verify(folder, { registry: false, saltKeyOf: undefined });
    expect(conforms).toBe(true);
  });

  test.each<[string, Partial<Commitment>]>([
    ['block', { block: 'rows-plain-100-e1-b2' }],
    ['tickets', { tickets: 7 }],
    ['engine', { engine: 'chacha20' }],
    ['algorithm', { algorithm: 2 }],
    ['definition_sha256', { definition_sha256: 'a'.repeat(64) }],
    ['seed_commitment', { seed_commitment: 'a'.repeat(64) }],
  ])('that states another %s is a finding', async (key, changes) => {
    change(folder, changes);
    const { findings } = await verify(folder);
    expect(findings).toMatchObject([
      { code: 'commitment-claim', place: { file: COMMITMENT_FILE, pointer: `/${key}` } },
    ]);
  });

  test('that states another root is a finding', async () => {
    change(folder, { tickets_root: 'a'.repeat(64) });
    expect(codesOf(await verify(folder))).toEqual(['commitment-root']);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]\n'],
    ['a manifest', '{"format":"gen-block-manifest/1"}\n'],
    ['text of a megabyte', 'x'.repeat(1_000_000)],
  ])('whose commitment is %s is a finding', async (_what, text) => {
    writeFileSync(join(folder, COMMITMENT_FILE), text);
    const report = await verify(folder);
    expect(codesOf(report)).toEqual(['commitment-form']);
    expect(report.notChecked.join()).toContain('commitment.json: it cannot be used');
  });

  test('whose commitment has spaces is a finding', async () => {
    const path = join(folder, COMMITMENT_FILE);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(':', ': '));
    expect(codesOf(await verify(folder))).toEqual(['commitment-form']);
  });

  test('whose tickets cannot be read says that the root was not checked', async () => {
    rmSync(join(folder, 'tickets.ndjson'));
    const report = await verify(folder);
    expect(codesOf(report)).toEqual(['file-missing']);
    expect(report.notChecked.join()).toContain('root not checked');
  });

  test.each<[string, (lines: readonly string[]) => readonly string[]]>([
    ['no tickets', () => []],
    ['a ticket less', (lines) => lines.slice(0, -1)],
    ['a ticket more', (lines) => [...lines, (lines[0] ?? '').replace(':1,', ':1001,')]],
  ])('with %s, whose hashes were all put right, is judged and not proved', async (_, change) => {
    const path = join(folder, 'tickets.ndjson');
    const lines = change(readFileSync(path, 'utf8').trimEnd().split('\n'));
    const text = lines.map((line) => `${line}\n`).join('');
    writeFileSync(path, text);
    const manifest = readFileSync(join(folder, MANIFEST_FILE), 'utf8');
    const { files, ...rest } = JSON.parse(manifest) as { readonly files: readonly object[] };
    const sha256 = createHash('sha256').update(text).digest('hex');
    const claim = { ...files[0], sha256, bytes: text.length, records: lines.length };
    writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify({ ...rest, files: [claim] }));
    const report = await verify(folder, { registry: false });
    expect(report.conforms).toBe(false);
    expect(report.notChecked.join()).toContain('root not checked');
    const { game } = REQUEST;
    await expect(TicketProver.open(folder, { game, saltKeyOf })).rejects.toMatchObject({
      code: 'not-a-block',
      message: expect.stringMatching(
        /tickets\.ndjson of \S+ has (?:fewer|more) than 1,000 tickets; /,
      ),
    });
  });

  test('is held against the manifest that was read, whatever lies there since', async () => {
    const manifest = await readManifest(folder, new FindingLog());
    writeFileSync(join(folder, MANIFEST_FILE), '{}');
    const report = await verify(folder, { registry: false, manifest });
    expect(report.checked.join()).toContain('the Merkle root of commitment.json');
    expect(report.conforms).toBe(true);
  });

  test('has one again when it is replaced by force, also by another seed', async () => {
    const outputFolder = join(folder, '..');
    const before = hashesOf(folder);
    await generateBlock(REQUEST, { outputFolder, force: true });
    expect(hashesOf(folder)).toEqual(before);
    await generateBlock({ ...REQUEST, seed: Buffer.from('other') }, { outputFolder, force: true });
    expect(commitmentIn(folder).tickets_root).not.toBe(before[COMMITMENT_FILE]);
    expect((await verify(folder, { saltKeyOf: undefined })).conforms).toBe(true);
  });

  test('is kept when it is asked for again, with its commitment held against the seed', async () => {
    const outputFolder = join(folder, '..');
    const options = { outputFolder, commitTickets: true };
    expect((await generateBlock(REQUEST, options)).kept).toBe(true);
    change(folder, { tickets_root: 'a'.repeat(64) });
    await expect(generateBlock(REQUEST, options)).rejects.toThrow(/does not conform/);
  });
});

test('a block that lacks its commitment gets it, once it has been verified', async () => {
  const whole = await generate();
  const folder = await generate({ commitTickets: false, formats: ['csv'] });
  const outputFolder = join(folder, '..');
  const options = { outputFolder, formats: ['csv'], commitTickets: true } as const;
  expect((await generateBlock(REQUEST, options)).kept).toBe(true);
  expect(commitmentIn(folder)).toEqual(commitmentIn(whole));
});

test('a block whose tickets are not the seed’s gets none, though it conforms', async () => {
  const folder = await generate({ commitTickets: false });
  exchangeTwoGrids(folder);
  const outputFolder = join(folder, '..');
  rmSync(join(outputFolder, 'registry.ndjson'));
  const options = { outputFolder, formats: ['ndjson'], commitTickets: true } as const;
  await expect(generateBlock(REQUEST, options)).rejects.toThrow(/does not conform/);
  expect(existsSync(join(folder, COMMITMENT_FILE))).toBe(false);
});

describe('a seed of shares', () => {
  const shares = ['alice', 'bob', 'beacon'].map((text) => Buffer.from(text));
  const shareCommitments = shares.map((share) => seedCommitment(seedKey(share)));
  const request = { ...REQUEST, seed: combineShares(shares), shareCommitments };

  test('has the commitment to each share in the commitment, ascending', async () => {
    const folder = await generate({}, request);
    expect(commitmentIn(folder).share_commitments).toEqual(shareCommitments.toSorted());
    const reversed = { ...request, shareCommitments: shareCommitments.toReversed() };
    expect(hashesOf(await generate({}, reversed))).toEqual(hashesOf(folder));
  });

  test('is verified with its shares, and others are a finding', async () => {
    const folder = await generate({}, request);
    const check = async (given: readonly string[]): Promise<VerifyReport> =>
      verifyBlockFromSeed(folder, request.seed, { game: REQUEST.game, shareCommitments: given });
    expect((await check(shareCommitments)).conforms).toBe(true);
    expect(codesOf(await check(shareCommitments.slice(1)))).toEqual(['commitment-claim']);
    change(folder, { share_commitments: ['a'.repeat(64), 'b'.repeat(64)] });
    expect(codesOf(await check(shareCommitments))).toEqual(['commitment-claim']);
  });
});
