import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { textOption } from './option-kinds.js';
import { definitionOption, identityOption } from './options.js';
import type { ReportFlags } from './run-report.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block report output/eldorado-100-e1-b1 -o report.html',
    'gen-block report output/eldorado-100-e1-b1/manifest.json -o public.html --public',
  ],
  notes: [
    'One file that loads nothing from anywhere; print it on A4 to sign it. Without --public it shows tickets and where prizes are: keep it as secret as the block.',
  ],
  exits: {
    0: 'made and all right',
    1: 'made, and the block does not conform or a test alarms',
  },
};

/** `gen-block report`. */
export function reportCommand(): Command {
  return new Command('report')
    .description('verify and audit a block, and make a page of it to look at, print and sign')
    .argument('<block>', 'block folder or its manifest.json')
    .addOption(
      textOption(
        '-o, --out <file>',
        'HTML file to make; - for standard output',
      ).makeOptionMandatory(),
    )
    .option('--public', 'for publication: nothing that tells where prizes are, and no tickets')
    .addOption(definitionOption('where the block is of one'))
    .addOption(identityOption())
    .option('--force', 'replace the file if it is there')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: ReportFlags) => {
      const { runReport } = await import('./run-report.js');
      await runReport(path, flags);
    });
}
