import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { databaseOption } from './options.js';
import type { StatusFlags } from './run-status.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block status --to sqlite:sales.db',
    'gen-block status --to postgres://auditor@db.example/sales --json',
  ],
  notes: ['It counts, and never says where the remaining prizes are.'],
  environment: ['database', 'colors'],
  exits: {
    2: 'wrong usage, or no blocks there',
    3: 'the machine, the network or the database failed',
  },
};

/** `gen-block status`. */
export function statusCommand(): Command {
  return new Command('status')
    .description('show how far the blocks in a database have been sold')
    .addOption(databaseOption('--to <database>', 'database').makeOptionMandatory())
    .option('--json', 'print the status as JSON (schemas/status.schema.json)')
    .option('-q, --quiet', 'print no remarks')
    .configureHelp(teaching(HELP))
    .action(async (flags: StatusFlags) => {
      const { runStatus } = await import('./run-status.js');
      await runStatus(flags);
    });
}
