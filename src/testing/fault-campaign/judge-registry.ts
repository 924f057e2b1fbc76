import { posix } from 'node:path';
import { lastEntryOf, parseRegistry, REGISTRY_FILE } from '../../formats/registry.js';
import { isTemporary } from './judge.js';
import type { Tree } from './read-tree.js';

/** When a registry is judged: half a line may stand at its end until the next run, and no longer. */
export type JudgedAt = 'after the fault' | 'after the rerun';

/**
 * Judges the registries of an output folder: their chains hold, nothing is said to be replaced, and no block
 * stands under its name that is not the one of its last entry. An entry without a block is none too many:
 * it is on the disk before the block has its name.
 *
 * @returns Everything that must not be.
 */
export function judgeRegistries(tree: Tree, at: JudgedAt): readonly string[] {
  const problems: string[] = [];
  for (const { path, text } of tree.values()) {
    if (text === undefined) continue;
    const { fault, entries, wholeBytes } = parseRegistry(text);
    if (fault !== undefined) problems.push(`${path} is broken in line ${fault.line}`);
    if (at === 'after the rerun' && wholeBytes < text.length) problems.push(`${path} is torn`);
    const replaced = entries.filter(({ event }) => event === 'replaced');
    problems.push(...replaced.map(({ name }) => `${path} says that ${name} was replaced`));
  }
  for (const entry of tree.values()) {
    if (posix.basename(entry.path) !== 'manifest.json' || isTemporary(entry)) continue;
    const folder = posix.dirname(entry.path);
    const registry = tree.get(posix.join(posix.dirname(folder), REGISTRY_FILE))?.text;
    const last = registry && lastEntryOf(parseRegistry(registry), posix.basename(folder));
    if (!last) problems.push(`${folder} stands there without an entry in the registry`);
    else if (last.manifest_sha256 !== entry.content) {
      problems.push(`${folder} is not the block of its last entry in the registry`);
    }
  }
  return problems;
}
