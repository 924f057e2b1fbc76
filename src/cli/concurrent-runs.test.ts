import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { runProcess, type CommandResult } from '../testing/command-line.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  namesIn,
  sampleRequest,
} from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const PLAIN = ['--definition', definitionPath('rows-plain'), '-s', '1', '-f', 'csv', '--json'];
const NAME = 'rows-plain-100-e1-b1';

/** Runs the program once for each seed, all at the same time and into one folder. */
async function runTogether(
  out: string,
  seeds: readonly string[],
): Promise<readonly CommandResult[]> {
  return Promise.all(
    seeds.map(async (seed) => runProcess([...PLAIN, '--out', out, '--seed', seed])),
  );
}

async function hashesAlone(seed: string): Promise<Readonly<Record<string, string>>> {
  const request = sampleRequest('rows-plain', { seed: Buffer.from(seed) });
  const { folder } = await generateBlock(request, { outputFolder: newFolder(), formats: ['csv'] });
  return hashesOf(folder);
}

describe('four runs at the same time into one folder', () => {
  const count = 4;

  test('with one seed all end well: one makes the block, the others keep it', async () => {
    const out = newFolder();
    const results = await runTogether(
      out,
      Array.from({ length: count }, () => 'demo'),
    );
    expect(results.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    const kept = results.map(({ stdout }) => (JSON.parse(stdout) as { kept: boolean }).kept);
    expect(kept.filter((isKept) => !isKept)).toHaveLength(1);
    expect(namesIn(out)).toEqual([NAME]);
    expect(hashesOf(join(out, NAME))).toEqual(await hashesAlone('demo'));
  });

  test('with different seeds one wins, and the others are refused', async () => {
    const out = newFolder();
    const seeds = Array.from({ length: count }, (_, index) => `seed ${index}`);
    const results = await runTogether(out, seeds);
    expect(results.filter(({ exitCode }) => exitCode !== 0 && exitCode !== 2)).toEqual([]);
    const codes = results.map(({ exitCode }) => exitCode);
    expect(codes.toSorted()).toEqual([0, ...Array.from({ length: count - 1 }, () => 2)]);
    const winner = seeds[codes.indexOf(0)] ?? '';
    for (const { exitCode, stdout, stderr } of results) {
      if (exitCode === 0) continue;
      expect(stdout).toBe('');
      expect(stderr).toContain('it was made from another seed');
    }
    expect(namesIn(out)).toEqual([NAME]);
    expect(hashesOf(join(out, NAME))).toEqual(await hashesAlone(winner));
  });
});

test('of runs at the same time without a seed, one makes its seed and the other is refused', async () => {
  const out = newFolder();
  const results = await Promise.all([1, 2].map(async () => runProcess([...PLAIN, '--out', out])));
  expect(results.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 2]);
  expect(namesIn(out)).toEqual([NAME, `${NAME}.seed`]);
  const seed = Buffer.from(readFileSync(join(out, `${NAME}.seed`), 'latin1').trimEnd());
  const request = sampleRequest('rows-plain', { seed });
  const again = await generateBlock(request, { outputFolder: out, formats: ['csv'] });
  expect(again.kept).toBe(true);
});
