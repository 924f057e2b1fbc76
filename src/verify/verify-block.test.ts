import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { validBlock, withClaims, writeBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import { FindingLog } from './finding.js';
import { verifyBlock } from './verify-block.js';

const makeFolder = folderMaker();

let eldorado: BlockCopy;
let lagon: BlockCopy;

beforeAll(async () => {
  eldorado = await validBlock('eldorado-mini');
  lagon = await validBlock('lagon-mini');
});

describe('a valid block', () => {
  test('of Eldorado conforms, and its report says what it amounts to', async () => {
    const { game, stake, manifest } = eldorado;
    const report = await verifyBlock(writeBlock(eldorado, makeFolder()), { game });
    const stages = [0, 1, 2, 3].map((feature) => {
      const having = manifest.outcomes.filter(({ extra_stages }) => extra_stages === feature);
      const total = (outcomes: typeof having) =>
        outcomes.reduce((sum, { count }) => sum + count, 0);
      return {
        feature,
        tickets: total(having),
        winningTickets: total(having.filter(({ prize_cents }) => prize_cents > 0)),
      };
    });
    expect(report).toEqual({
      conforms: true,
      facts: {
        gameId: 'eldorado-mini',
        definitionSha256: game.definitionSha256,
        stakeCents: 100,
        emission: 1,
        block: 1,
        engine: 'seedrandom',
        seedCommitment: manifest.seed_commitment,
      },
      tickets: 9000,
      winningTickets: 1515,
      prizesCents: 2_215_000,
      salesCents: 900_000,
      tiers: stake.tiers.map(({ prizeCents, count }) => ({
        prizeCents,
        expectedCount: count,
        foundCount: count,
      })),
      featureName: 'extra_stages',
      features: stages,
      files: manifest.files,
      findingCounts: [],
      findings: [],
      checked: [
        'size, record count and hash of every file',
        'every ticket against the rules',
        "all counts against the manifest and the definition's tables",
      ],
      notChecked: [
        expect.stringContaining('only `verify` with the seed can tell'),
        'the registry: none lies beside the block',
      ],
    });
  });

  test('of Lagon Paradis conforms, by its folder or by its manifest', async () => {
    const { game } = lagon;
    const folder = writeBlock(lagon, makeFolder());
    const report = await verifyBlock(folder, { game });
    expect(report).toMatchObject({
      conforms: true,
      tickets: 8000,
      winningTickets: 1705,
      featureName: 'chosen',
    });
    expect(report.features.map(({ feature }) => feature)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(await verifyBlock(join(folder, 'manifest.json'), { game })).toEqual(report);
    expect(await verifyBlock(`${folder}/`, { game })).toEqual(report);
  });

  test.each([0, 1])('conforms with one of its formats alone', async (index) => {
    const files = lagon.manifest.files.slice(index, index + 1);
    const block = withClaims(lagon, { files });
    const folder = writeBlock(block, makeFolder());
    rmSync(join(folder, lagon.manifest.files[1 - index]!.name));
    const report = await verifyBlock(folder, { game: lagon.game });
    expect([report.findings, report.files]).toEqual([[], files]);
  });

  test('conforms in a folder that has not come to its name yet', async () => {
    const { game } = lagon;
    const folder = writeBlock(lagon, makeFolder(), '.staging');
    const expectedName = 'lagon-mini-100-e1-b1';
    expect((await verifyBlock(folder, { game, expectedName })).conforms).toBe(true);
    expect((await verifyBlock(folder, { game })).conforms).toBe(false);
  });

  test('is watched to its last byte', async () => {
    let seen = 0;
    const folder = writeBlock(lagon, makeFolder());
    await verifyBlock(folder, { game: lagon.game, onBytes: (count) => (seen += count) });
    expect(seen).toBe(lagon.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('is left when that is asked for', async () => {
    const reason = new Error('stopped from outside');
    const folder = writeBlock(lagon, makeFolder());
    const verified = verifyBlock(folder, { game: lagon.game, signal: AbortSignal.abort(reason) });
    await expect(verified).rejects.toBe(reason);
  });

  test('adds its findings to a log that is given', async () => {
    const log = new FindingLog();
    const folder = writeBlock(lagon, makeFolder(), 'renamed');
    const report = await verifyBlock(folder, { game: lagon.game, log });
    expect(log.examples).toEqual(report.findings);
    expect(log.total).toBe(1);
  });
});

describe('what is no block', () => {
  async function errorOf(path: string, block?: BlockCopy): Promise<unknown> {
    const options = block === undefined ? {} : { game: block.game };
    return verifyBlock(path, options).catch((error: unknown) => error);
  }

  test('is refused where the path leads nowhere', async () => {
    const path = join(makeFolder(), 'none');
    const expected = {
      name: 'InputError',
      code: 'not-found',
      message: `there is no ${path}; check the path`,
    };
    expect(await errorOf(path)).toMatchObject(expected);
    writeFileSync(path, '');
    expect(await errorOf(join(path, 'deeper'))).toMatchObject({
      ...expected,
      message: `there is no ${path}/deeper; check the path`,
    });
  });

  test('is refused where a folder has no manifest, or something else in its place', async () => {
    const folder = makeFolder();
    const advice =
      'name a block folder, its manifest.json, or a tickets file with --game and --stake';
    expect(await errorOf(folder)).toMatchObject({
      name: 'InputError',
      code: 'not-a-block',
      message: `there is no file ${folder}/manifest.json; ${advice}`,
    });
    mkdirSync(join(folder, 'manifest.json'));
    expect(await errorOf(folder)).toMatchObject({
      name: 'InputError',
      code: 'not-a-block',
      message: `${folder}/manifest.json is not a regular file; ${advice}`,
    });
  });

  test('is refused behind a symbolic link to the folder', async () => {
    const parent = makeFolder();
    const folder = writeBlock(lagon, parent);
    symlinkSync(folder, join(parent, 'link'));
    const link = join(parent, 'link');
    expect(await errorOf(link, lagon)).toMatchObject({
      code: 'not-a-block',
      message: `${link} is a symbolic link, which is not followed; name the real path`,
    });
  });

  test('needs its definition where its game is not one that is shipped', async () => {
    expect(await errorOf(writeBlock(lagon, makeFolder()))).toMatchObject({
      name: 'InputError',
      code: 'definition-needed',
      message:
        'the block is of the game "lagon-mini", which is not shipped; give its definition with --definition',
    });
  });

  test('that takes the name of a game that is shipped is held against that game', async () => {
    const folder = writeBlock(withClaims(lagon, { game: 'lagon-paradis' }), makeFolder());
    const report = await verifyBlock(folder);
    expect(report.findingCounts.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        'manifest-definition',
        'ticket-count',
        'tier-count',
        'manifest-claim',
      ]),
    );
  });
});

test('a manifest that says nothing leaves a report that says so', async () => {
  const folder = writeBlock(eldorado, makeFolder());
  writeFileSync(join(folder, 'manifest.json'), '{}\n');
  const report = await verifyBlock(folder, { game: eldorado.game });
  expect(report).toMatchObject({
    conforms: false,
    tickets: 0,
    files: [],
    checked: ['the form of the manifest'],
    notChecked: ['the tickets: the manifest does not say what block they are'],
  });
  expect(report.facts).toBeUndefined();
  expect(report.findingCounts).toEqual([{ code: 'manifest-schema', count: 15 }]);
});
