import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { databaseOption, definitionOption, identityOption, threadsOption } from './options.js';
import type { LoadFlags } from './run-load.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block load output/eldorado-100-e1-b1 --to sqlite:sales.db',
    'gen-block load output/*/manifest.json --to postgres://loader@db.example/sales --on-sale',
    'PGHOST=db.example PGUSER=loader PGDATABASE=sales gen-block load output/eldorado-100-e1-b1 --to postgres://',
  ],
  notes: [
    'Each block is verified, then loaded in one transaction: all of it, or nothing. A block that is there already is left as it is, so a run that was stopped can be started again. Keep passwords off the command line. How tickets are sold from the database: docs/database.md.',
  ],
  environment: ['database'],
  exits: {
    0: 'all blocks are in the database',
    1: 'a block does not conform',
    2: 'wrong usage, or another block is there under the same name',
    3: 'the machine, the network or the database failed',
  },
};

/** `gen-block load`. */
export function loadCommand(): Command {
  return new Command('load')
    .description('put verified blocks into a database that tickets are sold from')
    .argument('<blocks...>', 'block folders or their manifest.json')
    .addOption(databaseOption('--to <database>', 'database').makeOptionMandatory())
    .option('--on-sale', 'put the blocks on sale in the same transaction')
    .option('--trust-hash', 'verify nothing but the hash of the file that is loaded')
    .addOption(definitionOption('where the blocks are of one'))
    .addOption(identityOption())
    .addOption(threadsOption())
    .option('-q, --quiet', 'print nothing but errors')
    .configureHelp(teaching(HELP))
    .action(async (paths: readonly string[], flags: LoadFlags) => {
      const { runLoad } = await import('./run-load.js');
      await runLoad(paths, flags);
    });
}
