import { dirname, resolve } from 'node:path';
import { InputError, MachineError } from '../core/errors.js';
import type { ManifestClaims } from '../formats/manifest-reader.js';
import { readRegistry, type StoredRegistry } from '../formats/read-registry.js';
import { lastEntryOf, REGISTRY_FILE, registeredBlock } from '../formats/registry.js';
import type { FindingLog } from './finding.js';
import type { Checks, RegistryFacts } from './report.js';

/** What became of the registry's part of a verification. */
export interface RegistryCheck extends Checks {
  readonly facts?: RegistryFacts;
}

/** Where nobody asked. */
export const NO_REGISTRY: RegistryCheck = { checked: [], notChecked: [] };

/** What of a block the registry beside it is held against. */
export interface RegisteredManifest {
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly claims: ManifestClaims;
}

/**
 * Follows the chain of the registry beside a block, and holds the block against its last entry there.
 *
 * @throws MachineError where it cannot be read, unless that is for want of permission: who checks a
 * block need not be allowed to see what lies beside it.
 */
export function checkRegistry(
  { folder, bytes, claims }: RegisteredManifest,
  log: FindingLog,
): RegistryCheck {
  let registry: StoredRegistry | undefined;
  try {
    registry = readRegistry(dirname(resolve(folder)));
  } catch (error) {
    if (error instanceof MachineError && error.code === 'EACCES') {
      return notChecked('it cannot be read for want of permission');
    }
    if (!(error instanceof InputError)) throw error;
    const place = { file: REGISTRY_FILE };
    log.add({ code: 'registry-chain', place, expected: 'a registry', found: error.message });
    return notChecked('it cannot be used');
  }
  if (registry === undefined) return notChecked('none lies beside the block');
  const { fault, head, entries } = registry;
  if (fault !== undefined) {
    const { line, ...words } = fault;
    log.add({ code: 'registry-chain', place: { file: REGISTRY_FILE, line }, ...words });
    return notChecked('its chain is broken');
  }
  const block = registeredBlock(claims, bytes);
  const last = lastEntryOf(registry, block.name);
  const checked = [`the chain of ${REGISTRY_FILE} beside the block, and the block's entry in it`];
  if (last?.manifest_sha256 === block.manifest_sha256) {
    const facts = { entry: last.number, entries: entries.length, head };
    return { facts, checked, notChecked: [] };
  }
  log.add({
    code: 'registry-entry',
    place: { file: REGISTRY_FILE, ...(last && { line: last.number }) },
    expected: `${block.name} with the manifest's hash ${block.manifest_sha256}`,
    found: last === undefined ? 'no entry of it' : `its last entry has ${last.manifest_sha256}`,
  });
  return { checked, notChecked: [] };
}

function notChecked(why: string): RegistryCheck {
  return { checked: [], notChecked: [`the registry: ${why}`] };
}
