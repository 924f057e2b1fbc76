import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { textOption } from './option-kinds.js';
import { definitionOption, identityOption } from './options.js';
import type { AuditFlags } from './run-audit.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block audit output/eldorado-100-e1-b1',
    'gen-block audit output/eldorado-100-e1-b* --json',
    'gen-block audit output/eldorado-100-e1-b1 --alpha 1e-3',
  ],
  notes: ['What each test looks at, and what it cannot see: docs/audit.md.'],
  environment: ['colors'],
  exits: { 0: 'no alarm', 1: 'an alarm, or a block that does not conform' },
};

/** `gen-block audit`. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('verify blocks and test their statistics, each by itself and together')
    .argument('<blocks...>', "block folders or their manifest.json; each game's together")
    .addOption(definitionOption('where the blocks are of one'))
    .addOption(identityOption())
    .addOption(
      textOption('--alpha <chance>', 'chance of a false alarm in all, between 0 and 1').default(
        undefined,
        '1e-6, one in a million',
      ),
    )
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .configureHelp(teaching(HELP))
    .action(async (paths: readonly string[], flags: AuditFlags) => {
      const { runAudit } = await import('./run-audit.js');
      await runAudit(paths, flags);
    });
}
