import { loadOptional } from '../core/optional-package.js';
import { TOOL_VERSION } from '../core/tool-version.js';
import { loadReportAssets } from './report-assets.js';
import { collectReport, type ReportOptions } from './report/report-data.js';

export type { ReportOptions } from './report/report-data.js';

/** The library of the plots, which takes longer than anything else is loaded for. */
const PLOTS_PART = { what: 'a report', packages: ['@observablehq/plot', 'linkedom'] };

/**
 * A report on a block.
 *
 * @group Reports
 */
export interface BlockReport {
  /** The page: one file that loads nothing from anywhere. */
  readonly page: string;
  /** The block conforms, and none of its tests alarms. */
  readonly passes: boolean;
}

/**
 * Verifies and audits a block, and makes a page of what was found.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @returns The page, and whether nothing speaks against the block.
 * @throws InputError and MachineError as an audit does; MachineError where the package is not whole.
 * @group Reports
 */
export async function reportBlock(path: string, options: ReportOptions): Promise<BlockReport> {
  const assets = loadReportAssets();
  const { reportPage } = await loadOptional(
    PLOTS_PART,
    async () => import('./report/report-page.js'),
  );
  const data = await collectReport(path, options);
  const { isPublic } = options;
  const page = reportPage(data, { isPublic, assets, toolVersion: TOOL_VERSION });
  return { page, passes: data.audit.passes };
}
