import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadDefinitionFile } from '../definitions/load-game.js';
import type { Finding } from '../verify/finding.js';
import type { VerifyReport } from '../verify/report.js';
import { generateBlock } from './generate-block.js';
import { verifyBlockFromSeed } from './verify-from-seed.js';

const PATH = fileURLToPath(
  new URL('../../fixtures/definitions/eldorado-mini.json', import.meta.url),
);
const GAME = loadDefinitionFile(PATH);
const SEED = Buffer.from('the seed of this test');

let outputFolder: string;
let folder: string;

beforeEach(async () => {
  outputFolder = mkdtempSync(join(tmpdir(), 'verify-from-seed-'));
  const block = { game: GAME, stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
  ({ folder } = await generateBlock({ ...block, seed: SEED }, { outputFolder }));
});

afterEach(() => {
  rmSync(outputFolder, { recursive: true });
});

const verify = async (seed: Uint8Array): Promise<VerifyReport> =>
  verifyBlockFromSeed(folder, seed, { game: GAME });

function only(report: VerifyReport, code: Finding['code']): Finding | undefined {
  const found = report.findings.filter((finding) => finding.code === code);
  expect(found).toHaveLength(1);
  return found[0];
}

/** Changes a tickets file line by line; the first line has index 0. */
function edit(file: string, change: (lines: string[]) => void): void {
  const path = join(folder, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  change(lines);
  writeFileSync(path, lines.join('\n'));
}

describe('a block verified from its seed', () => {
  test('conforms when it is the block that the seed makes, and nothing stays unchecked', async () => {
    const report = await verify(SEED);
    expect(report.conforms).toBe(true);
    expect(report.notChecked).toEqual([]);
    expect(report.checked.at(-1)).toContain('every byte');
  });

  test('does not claim to have compared a file that is not there', async () => {
    rmSync(join(folder, 'tickets.csv'));
    const { checked, notChecked } = await verify(SEED);
    expect(checked).toEqual([
      'size, record count and hash of tickets.ndjson',
      'every ticket of tickets.ndjson against the rules',
      "all counts against the manifest and the definition's tables",
      "the chain of registry.ndjson beside the block, and the block's entry in it",
      'the commitment to the seed',
      'every byte of tickets.ndjson against the block that the seed makes',
    ]);
    expect(notChecked).toEqual(['tickets.csv: it could not be read']);
    rmSync(join(folder, 'tickets.ndjson'));
    const none = await verify(SEED);
    expect(none.checked).toEqual([
      'the manifest and the folder',
      "the chain of registry.ndjson beside the block, and the block's entry in it",
      'the commitment to the seed',
    ]);
    expect(none.notChecked).toHaveLength(2);
  });

  test('can be named by its manifest as well', async () => {
    const manifest = join(folder, 'manifest.json');
    const report = await verifyBlockFromSeed(manifest, SEED, { game: GAME });
    expect(report.conforms).toBe(true);
  });

  test('does not conform under another seed, whose bytes are not compared', async () => {
    const report = await verify(Buffer.from('another seed'));
    expect(report.findingCounts).toEqual([{ code: 'seed-commitment', count: 1 }]);
    expect(only(report, 'seed-commitment')?.place).toEqual({
      file: 'manifest.json',
      pointer: '/seed_commitment',
    });
    expect(report.notChecked).toEqual([
      'the bytes against the seed: the block commits to another seed',
    ]);
  });

  test('shows the first byte that differs, its ticket, and both records', async () => {
    let right = '';
    edit('tickets.ndjson', (lines) => {
      // In the second chunk: a left-over cell of some losing ticket becomes another compliant one.
      const index = lines.findIndex((line, at) => at >= 5000 && line.includes('[["PSVBD"'));
      right = lines[index] ?? '';
      lines[index] = right.replace('[["PSVBD"', '[["PSVDB"');
    });
    const finding = only(await verify(SEED), 'seed-bytes');
    const ticket = Number(/"ticket":(\d+)/.exec(right)?.[1]);
    expect(ticket).toBeGreaterThan(5000);
    const bytes = readFileSync(join(folder, 'tickets.ndjson'), 'utf8');
    const byteOffset = bytes.indexOf(right.slice(0, right.indexOf('PSVBD'))) + right.indexOf('BD"');
    expect(finding?.place).toEqual({ file: 'tickets.ndjson', line: ticket, byteOffset, ticket });
    expect(finding?.expected).toBe(right);
    expect(finding?.found).toBe(right.replace('[["PSVBD"', '[["PSVDB"'));
  });

  test('tells two tickets that were exchanged with their numbers put right', async () => {
    for (const file of ['tickets.ndjson', 'tickets.csv']) {
      edit(file, (lines) => {
        const [low, high] = file.endsWith('csv') ? [10, 20] : [9, 19];
        const [first = '', second = ''] = [lines[low], lines[high]];
        lines[low] = second.replace('20', '10');
        lines[high] = first.replace('10', '20');
      });
    }
    const report = await verify(SEED);
    const codes = report.findingCounts.map(({ code }) => code);
    // Without the seed, only the hash of each file can tell.
    expect(codes.toSorted()).toEqual(['file-hash', 'seed-bytes']);
    expect(report.findings.filter(({ code }) => code === 'seed-bytes')).toHaveLength(2);
  });

  test('sees a file that ends early and a file that goes on', async () => {
    edit('tickets.ndjson', (lines) => void lines.splice(8990));
    edit('tickets.csv', (lines) => void lines.push('more', ''));
    const report = await verify(SEED);
    const [ndjson, csv] = report.findings.filter(({ code }) => code === 'seed-bytes');
    expect(ndjson?.place.file).toBe('tickets.ndjson');
    expect(ndjson?.place.ticket).toBe(8990);
    expect(csv?.place.line).toBe(9002);
    expect(csv?.expected).toBe('the end of the file');
  });

  test('sees a header that is not the right one', async () => {
    edit('tickets.csv', (lines) => void (lines[0] = 'ticket,prize,combination,grids'));
    const finding = only(await verify(SEED), 'seed-bytes');
    expect(finding?.place).toEqual({ file: 'tickets.csv', line: 1, byteOffset: 12 });
    expect(finding?.expected).toBe('ticket,prize_cents,combination,grids');
  });

  test('is not compared where it names another definition', async () => {
    const path = join(folder, 'manifest.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(GAME.definitionSha256, '0'.repeat(64)));
    const report = await verify(SEED);
    expect(report.findingCounts.map(({ code }) => code)).toContain('manifest-definition');
    expect(report.notChecked.join()).toContain('another definition');
  });

  test('says nothing about the seed where the manifest cannot be read', async () => {
    writeFileSync(join(folder, 'manifest.json'), 'no json');
    const report = await verify(SEED);
    expect(report.conforms).toBe(false);
    expect(report.facts).toBeUndefined();
  });
});
