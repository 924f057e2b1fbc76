import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import type { Game } from '../definitions/game.js';
import { gameIds, loadGame } from '../definitions/load-game.js';
import { manifestClaims, type ManifestClaims } from '../formats/manifest-reader.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { formOfFileName } from '../formats/ticket-formats.js';
import type { FindingLog } from './finding.js';
import { logSchemaFindings } from './manifest-findings.js';

/** What a manifest says, before it is believed. */
export interface ManifestContent {
  readonly bytes: Uint8Array;
  readonly parsed: object;
  readonly claims: ManifestClaims;
}

/** A manifest on the disk, and the folder that it is in. */
export interface ParsedManifest extends ManifestContent {
  readonly folder: string;
}

/**
 * Reads and parses a block's manifest.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @returns `undefined` where a finding says that it cannot be used.
 * @throws InputError `not-found`, `not-a-block` where there is no manifest; MachineError.
 */
export async function readManifest(
  path: string,
  log: FindingLog,
): Promise<ParsedManifest | undefined> {
  const isFolder = await pathIsFolder(path);
  if (!isFolder && formOfFileName(path) !== undefined) {
    const message = `${printable(path)} is a tickets file and no block; name its folder or its ${MANIFEST_FILE}`;
    throw new InputError('not-a-block', message);
  }
  const file = isFolder ? join(path, MANIFEST_FILE) : path;
  const content = parseManifest(readManifestBytes(file), log);
  return content && { folder: dirname(file), ...content };
}

/** Parses the bytes of a manifest. Returns `undefined` where a finding says that it cannot be used. */
export function parseManifest(bytes: Uint8Array, log: FindingLog): ManifestContent | undefined {
  let parsed: unknown;
  try {
    parsed = parseStrictJson(bytes, { place: MANIFEST_FILE });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const place = { file: MANIFEST_FILE };
    log.add({ code: 'manifest-syntax', place, expected: 'strict JSON', found: error.message });
    return undefined;
  }
  const claims = manifestClaims(parsed);
  if (claims !== undefined) return { bytes, parsed: parsed as object, claims };
  if (logSchemaFindings(parsed, log) === 0) {
    const place = { file: MANIFEST_FILE, pointer: '/files' };
    const expected =
      'a list of files, each format once, under its own name, all compressed alike or none';
    log.add({ code: 'manifest-schema', place, expected, found: 'other files' });
  }
  return undefined;
}

async function pathIsFolder(path: string): Promise<boolean> {
  const entry = await lstat(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw machineError('read', path, error);
    throw new InputError('not-found', `there is no ${printable(path)}; check the path`);
  });
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const message = `${printable(path)} is a symbolic link, which is not followed; name the real path`;
  throw new InputError('not-a-block', message);
}

function readManifestBytes(file: string): Uint8Array {
  try {
    return readFileBytes(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const advice =
      'name a block folder, its manifest.json, or a tickets file with --game and --stake';
    throw new InputError('not-a-block', `${error.message.split(';')[0] ?? ''}; ${advice}`, {
      cause: error,
    });
  }
}

/**
 * The game of a block, where it is one that is shipped.
 *
 * @throws InputError `definition-needed`.
 */
export function shippedGame({ game }: ManifestClaims): Game {
  if (gameIds().includes(game)) return loadGame(game);
  const message = `the block is of the game "${printable(game, 60)}", which is not shipped; give its definition with --definition`;
  throw new InputError('definition-needed', message);
}
