import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import type { BlockRequest } from '../block/plan-block.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { REGISTRY_FILE } from '../formats/registry.js';
import type { SampleName } from './sample-definitions.js';

/** A seed that is long and odd enough to be found wherever it leaks. */
const SAMPLE_SEED = 'Zq7-sésame-0f3b9c';

/** The path of a sample definition. */
export function definitionPath(name: SampleName): string {
  return fileURLToPath(new URL(`../../fixtures/definitions/${name}.json`, import.meta.url));
}

/** A request for a block of a sample game, at a stake of one euro; the smallest have 600 tickets. */
export function sampleRequest(
  name: SampleName = 'collect-bare',
  changes: Partial<BlockRequest> = {},
): BlockRequest {
  return {
    game: loadDefinitionFile(definitionPath(name)),
    stakeCents: 100,
    seed: Buffer.from(SAMPLE_SEED),
    engine: 'seedrandom',
    emission: 1,
    block: 1,
    ...changes,
  };
}

/** Makes empty folders for the tests of one file, and takes them away after the last of them. */
export function folderMaker(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'gen-block-test-'));
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  return () => mkdtempSync(join(root, 'out-'));
}

/** What lies in an output folder beside its registry, in alphabetical order. */
export function namesIn(outputFolder: string): readonly string[] {
  return readdirSync(outputFolder)
    .filter((name) => name !== REGISTRY_FILE)
    .sort();
}

/** The files of a folder: their bytes by their names, in alphabetical order. */
export function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** The files of a folder: their SHA-256 by their names. A failed comparison of these is short. */
export function hashesOf(folder: string): Readonly<Record<string, string>> {
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  return Object.fromEntries([...filesOf(folder)].map(([name, bytes]) => [name, hash(bytes)]));
}
