import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineError } from '../core/errors.js';

/** Resolves from `src/view`, `dist/view` and `dist/program` alike; the build writes it. */
const ASSETS_FOLDER = new URL('../../dist/report/', import.meta.url);

/** What a report's page is made with besides its markup. */
export interface ReportAssets {
  readonly style: string;
  /** The ticket player. */
  readonly script: string;
}

/** @throws MachineError where the package is not whole. */
export function loadReportAssets(): ReportAssets {
  return { style: readAsset('report.css'), script: readAsset('player.js') };
}

function readAsset(name: string): string {
  const path = fileURLToPath(new URL(name, ASSETS_FOLDER));
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw machineError('read', path, error);
  }
}
