import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../../block/generate-block.js';
import { auditSchemaErrors } from '../../testing/audit-schema.js';
import { ticketsOf, validBlock, withTickets, writeBlock } from '../../testing/broken-blocks.js';
import type { SampleName } from '../../testing/sample-definitions.js';
import { folderMaker, sampleRequest } from '../../testing/sample-requests.js';
import { auditBlocks } from './audit-blocks.js';
import type { AuditReport } from './audit-report.js';

const makeFolder = folderMaker();

/** Makes blocks of a sample game, numbered from 1, in a folder of their own. */
async function makeBlocks(name: SampleName, count: number): Promise<readonly string[]> {
  const outputFolder = makeFolder();
  const folders: string[] = [];
  for (let block = 1; block <= count; block += 1) {
    const { folder } = await generateBlock(sampleRequest(name, { block }), {
      outputFolder,
      formats: block === 2 ? ['csv'] : ['ndjson'],
    });
    folders.push(folder);
  }
  return folders;
}

function expectFitsSchema(report: AuditReport): void {
  expect(auditSchemaErrors(JSON.stringify(report))).toEqual([]);
}

describe('an audit of right blocks', () => {
  const { game } = sampleRequest('eldorado-mini');
  let paths: readonly string[];
  let report: AuditReport;

  beforeAll(async () => {
    paths = await makeBlocks('eldorado-mini', 3);
    report = await auditBlocks(paths.toReversed(), { game });
  });

  test('passes, and its JSON fits the schema', () => {
    expect(report).toMatchObject({ passes: true, alpha: 1e-6, alarms: [] });
    expectFitsSchema(report);
  });

  test('tests each block and all together as one family', () => {
    const [pooled, ...others] = report.pooled;
    expect(others).toEqual([]);
    const counts = [...report.blocks, ...report.pooled].map(({ tests }) => tests.length);
    expect(counts.every((count) => count > 100)).toBe(true);
    expect(report.testCount).toBe(counts.reduce((sum, count) => sum + count));
    expect(report.threshold).toBe(1e-6 / report.testCount);
    expect(pooled?.tests.map(({ name }) => name)).toContain(
      'winning pairs at lags 1 to 20 across the border of two blocks',
    );
  });

  test('names blocks in the order given, and pools them in the order of their numbers', () => {
    expect(report.blocks.map(({ path }) => path)).toEqual(paths.toReversed());
    expect(report.pooled[0]?.paths).toEqual(paths);
  });

  test('counts p-values by the levels that regulations name', () => {
    const [first] = report.levels;
    const all = [...report.blocks, ...report.pooled].flatMap(({ tests }) => tests);
    expect(first).toEqual({
      level: 0.05,
      expected: 0.05 * all.length,
      found: all.filter(({ pValue }) => pValue <= 0.05).length,
    });
  });

  test('says what it did not check', () => {
    expect(report.checked.some((item) => item.startsWith('between blocks'))).toBe(true);
    expect(report.notChecked.join('\n')).toContain('committed seed');
    expect(report.notChecked.join('\n')).not.toContain('one block cannot show');
  });

  test('of one block, by its manifest, has nothing to pool, and says so', async () => {
    const [first = ''] = paths;
    const alone = await auditBlocks([join(first, 'manifest.json')], { game });
    expect(alone.pooled).toEqual([]);
    expect(alone.blocks[0]?.tests).toEqual(report.blocks[2]?.tests);
    expect(alone.notChecked.join('\n')).toContain('one block cannot show');
    expectFitsSchema(alone);
  });

  test('alarms at the rate that it is told, and lists alarms by Holm', async () => {
    const [first = ''] = paths;
    const loud = await auditBlocks([first], { game, alpha: 0.999 });
    expect(loud.alpha).toBe(0.999);
    const pValues = loud.alarms.map(({ pValue }) => pValue);
    expect(pValues).toEqual(pValues.toSorted((a, b) => a - b));
    for (const { path, adjustedP } of loud.alarms) {
      expect(path).toBe(first);
      expect(adjustedP).toBeLessThanOrEqual(0.999);
    }
    expect(loud.passes).toBe(loud.alarms.length === 0);
  });

  test('names each block once', async () => {
    const [first = ''] = paths;
    const twice = auditBlocks([first, join(first, 'manifest.json')], { game });
    await expect(twice).rejects.toThrow(/is named twice; name each block once$/);
  });

  test('reports the bytes that were read and can be stopped', async () => {
    const [first = ''] = paths;
    let bytes = 0;
    await auditBlocks([first], { game, onBytes: (count) => (bytes += count) });
    // Once to verify and once to observe.
    expect(bytes).toBe(2 * readFileSync(join(first, 'tickets.ndjson')).length);
    const reason = new Error('stopped');
    const signal = AbortSignal.abort(reason);
    await expect(auditBlocks([first], { game, signal })).rejects.toBe(reason);
  });
});

describe('an audit of blocks of several stakes', () => {
  test('pools those of one stake, and tests the others alone', async () => {
    const { game } = sampleRequest('lagon-mini');
    const blocks = await makeBlocks('lagon-mini', 2);
    const other = await generateBlock(sampleRequest('lagon-mini', { stakeCents: 200 }), {
      outputFolder: makeFolder(),
      formats: ['csv'],
    });
    const report = await auditBlocks([other.folder, ...blocks], { game });
    expect(report.passes).toBe(true);
    expect(report.blocks.every(({ tests }) => tests.length > 100)).toBe(true);
    expect(
      report.pooled.map(({ gameId, stakeCents, paths }) => [gameId, stakeCents, paths]),
    ).toEqual([['lagon-mini', 100, blocks]]);
    expectFitsSchema(report);
  });
});

describe('an audit of blocks that are not right', () => {
  const { game } = sampleRequest('collect-bare');

  test('shows the findings, and tests the others', async () => {
    const [bad = '', good = ''] = await makeBlocks('collect-bare', 2);
    appendFileSync(join(bad, 'tickets.ndjson'), '\n');
    const report = await auditBlocks([bad, good], { game });
    expect(report.passes).toBe(false);
    expect(report.alarms).toEqual([]);
    const [first, second] = report.blocks;
    expect(first?.verification.conforms).toBe(false);
    expect(first?.verification.findingCounts.map(({ code }) => code)).toContain('file-hash');
    expect(first?.tests).toEqual([]);
    expect(second?.tests.length).toBeGreaterThan(50);
    expect(report.pooled).toEqual([]);
    expect(report.notChecked[0]).toBe(`the statistics of ${bad}: it does not conform`);
    expectFitsSchema(report);
  });

  test('has no tests where no block conforms', async () => {
    const [bad = ''] = await makeBlocks('collect-bare', 1);
    writeFileSync(join(bad, 'manifest.json'), '{}\n');
    const report = await auditBlocks([bad], { game });
    expect(report).toMatchObject({ passes: false, testCount: 0, threshold: 1e-6 });
    expect(report.checked).toHaveLength(1);
    expectFitsSchema(report);
  });

  test('refuses bytes that were changed after they had been verified', async () => {
    const [folder = ''] = await makeBlocks('collect-bare', 1);
    const path = join(folder, 'tickets.ndjson');
    const bytes = readFileSync(path);
    let reads = 0;
    const onBytes = (count: number): void => {
      reads += count;
      if (reads !== bytes.length) return;
      // Another file under the same name, once the first has been verified.
      renameSync(path, `${path}.old`);
      writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    };
    await expect(auditBlocks([folder], { game, onBytes })).rejects.toThrow(
      /was changed after it had been verified/,
    );
  });

  test('alarms where the tickets stand in the order of their prizes, though the block conforms', async () => {
    const right = await validBlock('collect-bare');
    const sorted = ticketsOf(right)
      .toSorted((a, b) => b.prize_cents - a.prize_cents)
      .map((ticket, place) => ({ ...ticket, ticket: place + 1 }));
    const path = writeBlock(withTickets(right, sorted), makeFolder());
    const report = await auditBlocks([path], { game });
    expect(report.blocks[0]?.verification).toMatchObject({ conforms: true });
    expect(report.passes).toBe(false);
    expect(report.alarms[0]).toMatchObject({ path, group: 'order' });
    expect(report.alarms.every(({ pValue }) => pValue <= 1e-6)).toBe(true);
    expectFitsSchema(report);
  });

  test('throws where there is no block', async () => {
    await expect(auditBlocks([join(makeFolder(), 'nothing')])).rejects.toThrow('there is no');
  });
});

test.each([
  ['no block', [], {}, 'usage'],
  ['a chance of 0', ['x'], { alpha: 0 }, 'bad-number'],
  ['a chance of 2', ['x'], { alpha: 2 }, 'bad-number'],
  ['a chance that is none', ['x'], { alpha: Number.NaN }, 'bad-number'],
] as const)('%s is refused', async (_, paths, options, code) => {
  await expect(auditBlocks(paths, options)).rejects.toMatchObject({ name: 'InputError', code });
});
