import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBlock } from '../block/generate-block.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { fuzzTargets, type FuzzTarget } from './fuzz.js';

/** The targets, with a small block of each mechanic as valid input. */
export async function makeFuzzTargets(): Promise<readonly FuzzTarget[]> {
  const targets: FuzzTarget[] = [];
  for (const definition of ['rows-zero', 'collect-zero']) {
    const outputFolder = await mkdtemp(join(tmpdir(), 'fuzz-'));
    try {
      const url = new URL(`../../fixtures/definitions/${definition}.json`, import.meta.url);
      const game = loadDefinitionFile(fileURLToPath(url));
      const seed = Buffer.from('fuzz');
      const identity = { stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
      const { folder } = await generateBlock({ game, seed, ...identity }, { outputFolder });
      const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
      const [manifest, ndjson, csv] = await Promise.all(
        ['manifest.json', 'tickets.ndjson', 'tickets.csv'].map(read),
      );
      if (manifest === undefined || ndjson === undefined || csv === undefined) continue;
      targets.push(...fuzzTargets({ definition, manifest, ndjson, csv }));
    } finally {
      await rm(outputFolder, { recursive: true });
    }
  }
  return targets;
}
