import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { nextEntry, parseRegistry } from '../../formats/registry.js';
import { judgeRegistries } from './judge-registry.js';
import type { Tree } from './read-tree.js';

const NAME = 'rows-plain-100-e1-b1';
const MANIFEST = createHash('sha256').update('manifest').digest('hex');

const ENTRY = {
  name: NAME,
  algorithm: 1,
  definition_sha256: 'd'.repeat(64),
  engine: 'chacha20',
  seed_commitment: 'c'.repeat(64),
  manifest_sha256: MANIFEST,
  files: [{ format: 'csv', sha256: 'f'.repeat(64) }],
} as const;
const LINE = Buffer.from(
  nextEntry(parseRegistry(new Uint8Array()), { ...ENTRY, event: 'made' }).line,
);

function treeOf(registry: Buffer | undefined, folder = `sub/${NAME}`): Tree {
  const file = { content: 'x', bytes: 1, mode: 0o600, holdsSeed: false };
  const entries = [{ ...file, path: `${folder}/manifest.json`, content: MANIFEST }];
  const registries =
    registry === undefined ? [] : [{ ...file, path: 'sub/registry.ndjson', text: registry }];
  return new Map([...entries, ...registries].map((entry) => [entry.path, entry]));
}

test('a registry whose blocks are those of their last entries is right, torn until the rerun', () => {
  expect(judgeRegistries(treeOf(LINE), 'after the rerun')).toEqual([]);
  const torn = Buffer.concat([LINE, Buffer.from('{"form')]);
  expect(judgeRegistries(treeOf(torn), 'after the fault')).toEqual([]);
  expect(judgeRegistries(treeOf(undefined, `sub/.${NAME}.staging-1`), 'after the fault')).toEqual(
    [],
  );
});

test.each<[string, Tree, string]>([
  ['a torn line', treeOf(Buffer.concat([LINE, Buffer.from('{')])), 'is torn'],
  ['a broken chain', treeOf(Buffer.concat([LINE, LINE])), 'is broken in line 2'],
  ['no registry', treeOf(undefined), 'without an entry'],
  ['no entry', treeOf(Buffer.alloc(0)), 'without an entry'],
  [
    'another block',
    treeOf(Buffer.from(LINE.toString().replace(MANIFEST, 'a'.repeat(64)))),
    'is not the block of its last entry',
  ],
  [
    'a block that was replaced',
    treeOf(
      Buffer.from(
        nextEntry(parseRegistry(new Uint8Array()), {
          ...ENTRY,
          event: 'replaced',
          replaced: { number: null, manifest_sha256: null },
        }).line,
      ),
    ),
    'was replaced',
  ],
])('%s is found', (_, tree, words) => {
  expect(judgeRegistries(tree, 'after the rerun').join('\n')).toContain(words);
});
