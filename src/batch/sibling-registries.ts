import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRegistry } from '../block/registry.js';
import { machineError, systemErrorCode } from '../core/errors.js';
import { REGISTRY_FILE, type RegistryIdentity } from '../formats/registry.js';
import { BLOCK_NAME } from './entries-check.js';

/**
 * The folders within the output folder of a batch that have a registry, itself among them: a job file's
 * `out` can have named them, in this batch or in an earlier one. Links are not followed.
 *
 * @throws MachineError.
 */
export async function foldersWithRegistry(outputFolder: string): Promise<readonly string[]> {
  const entries = await readdir(outputFolder, { withFileTypes: true }).catch((error: unknown) => {
    // Such as lost+found: whoever makes the batch can have made no block there.
    if (systemErrorCode(error) === 'EACCES') return [];
    throw machineError('read', outputFolder, error);
  });
  const own = entries.some(({ name }) => name === REGISTRY_FILE) ? [outputFolder] : [];
  const inner = entries.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !BLOCK_NAME.test(entry.name),
  );
  const below = await Promise.all(
    inner.map(async ({ name }) => foldersWithRegistry(join(outputFolder, name))),
  );
  return [...own, ...below.flat()];
}

/**
 * Makes sure that no other folder of the same batch knows a block with other content: its own registry
 * would not tell.
 *
 * @param parent - The folder of the block, whose registry is asked when the block is entered.
 * @throws InputError `registered`, `bad-registry`; MachineError.
 */
export function checkSiblings(
  folders: readonly string[],
  parent: string,
  name: string,
  asked: RegistryIdentity,
): void {
  for (const folder of folders) if (folder !== parent) checkRegistry(folder, name, asked);
}
