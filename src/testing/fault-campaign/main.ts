import { isGood, runCampaign } from './campaign.js';
import { FAULT_KINDS } from './kinds.js';
import { parseFlags, USAGE, type CampaignFlags } from './options.js';
import { tinyJobs } from './tiny-jobs.js';
import { resultText, tableText } from './report.js';

const EXIT = { good: 0, failed: 1, usage: 2 } as const;

/**
 * The campaign as a program.
 *
 * @param root - The project's folder.
 * @returns The exit code.
 */
export async function main(
  root: string,
  argv: readonly string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> {
  let flags: CampaignFlags;
  try {
    flags = parseFlags(argv, FAULT_KINDS);
  } catch (error) {
    write(`faults: ${(error as Error).message}\n\n${USAGE}`);
    return EXIT.usage;
  }
  const { kinds, countOf, seed, isJson, isSmall } = flags;
  const results = await runCampaign({
    ...{ root, kinds, seed, countOf, jobs: isSmall ? tinyJobs : undefined },
    onResult: (result) => {
      if (!isJson) write(resultText(result));
    },
  });
  write(isJson ? `${JSON.stringify({ seed, results })}\n` : `\n${tableText(results)}`);
  return isGood(results) ? EXIT.good : EXIT.failed;
}
