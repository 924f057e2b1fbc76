import { Command } from 'commander';
import { definitionOption, identityOption, textOption } from './options.js';
import type { AuditFlags } from './run-audit.js';

const EXAMPLES = `
Examples:
  gen-block audit output/eldorado-100-e1-b1
  gen-block audit output/eldorado-100-e1-b* --json
  gen-block audit output/eldorado-100-e1-b1 --alpha 1e-3

Exit codes: 0 no alarm, 1 an alarm or a block that does not conform, 2 wrong usage, 3 the machine
failed. What each test looks at, and what it cannot see: docs/audit.md.`;

/** `gen-block audit`. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('verify blocks and test their statistics, each by itself and together')
    .argument('<blocks...>', "block folders or their manifest.json; each game's together")
    .addOption(definitionOption('where the blocks are of one'))
    .addOption(identityOption())
    .addOption(textOption('--alpha <chance>', 'chance of a false alarm in all (default 1e-6)'))
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: AuditFlags) => {
      const { runAudit } = await import('./run-audit.js');
      await runAudit(paths, flags);
    });
}
