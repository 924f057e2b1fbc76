import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { refuseOptionsBefore } from './given-options.js';
import { textOption } from './option-kinds.js';
import {
  COMMIT_TICKETS,
  SEED_VARIABLE,
  encryptToOption,
  identityOption,
  passphraseOption,
  policyOption,
  seedFileOption,
  seedOption,
  signKeyOption,
  threadsOption,
} from './options.js';
import type { BatchFlags } from './run-batch.js';
import type { FinishFlags } from './run-finish.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block batch jobs.json --dry-run',
    'gen-block batch jobs.json --seed-file emission-1.seed --out /srv/blocks',
    'gen-block batch jobs.json --seed-file emission-1.seed --out /srv/blocks --recheck --json',
    'gen-block batch jobs.json --seed-file emission-1.seed --out /srv/share-2 --shard 2/4',
    'gen-block batch finish jobs.json /srv/share-* --seed-file emission-1.seed --out /srv/blocks',
  ],
  notes: [
    'Run again after whatever has stopped it, it goes on where it was: blocks that are there and whole are kept.',
  ],
  environment: ['seed', 'shard'],
  exits: {
    0: 'all blocks are there',
    1: 'one does not conform',
    2: 'wrong usage, or a block was refused',
  },
};

const FINISH_HELP: CommandHelp = {
  examples: [
    'gen-block batch finish jobs.json share-1 share-2 share-3 --seed-file emission-1.seed --out blocks',
    'gen-block batch finish jobs.json share-* --out blocks',
  ],
  notes: [
    'Each block is checked where it lies and then moved; from another file system it is copied, and the original stays. Without a seed each block is verified in full, and all must be of one seed. Run again, it goes on.',
  ],
  environment: ['seed'],
  exits: {
    0: 'all blocks are there',
    1: 'one is missing, broken or does not conform',
    2: 'wrong usage, or a block was refused',
  },
};

/** `gen-block batch`. */
export function batchCommand(): Command {
  return makeCommand().addCommand(finishCommand());
}

function finishCommand(): Command {
  return new Command('finish')
    .description(
      'join the shares of a batch in one output folder, and check that no block is missing',
    )
    .argument('<jobs>', 'job file (schemas/jobs.schema.json)')
    .argument('<shares...>', 'output folders of the shares')
    .addOption(seedOption())
    .addOption(seedFileOption(`${SEED_VARIABLE}, or each block is verified in full`))
    .addOption(textOption('-o, --out <folder>', 'folder to join them in').default('output'))
    .addOption(identityOption())
    .addOption(threadsOption())
    .option('--json', 'print the summary as JSON')
    .option('-q, --quiet', 'print nothing but errors')
    .configureHelp(teaching(FINISH_HELP))
    .action(
      async (path: string, shares: readonly string[], flags: FinishFlags, command: Command) => {
        refuseOptionsBefore(command);
        const { runFinish } = await import('./run-finish.js');
        await runFinish(path, shares, flags);
      },
    );
}

function makeCommand(): Command {
  return (
    new Command('batch')
      // What stands behind the name of a command is the command's own.
      .enablePositionalOptions()
      .description('make all blocks of a job file that are not there yet')
      .argument('<jobs>', 'job file (schemas/jobs.schema.json)')
      .optionsGroup('What is made:')
      .addOption(
        textOption(
          '--shard <share>',
          'make one of n equal shares: i/n with i from 1, kubernetes/n or slurm/n',
        ).default(undefined, 'all blocks'),
      )
      .option('--dry-run', 'show what would be made, and make nothing; needs no seed')
      .option('--recheck', 'make blocks that are there again from the seed and compare every byte')
      .addOption(
        threadsOption('blocks to make at once, a thread each', 'as many as processors, 8 at most'),
      )
      .optionsGroup('Seed:')
      .addOption(seedOption())
      .addOption(seedFileOption(`${SEED_VARIABLE}, which is needed then`))
      .optionsGroup('Output:')
      .addOption(textOption('-o, --out <folder>', 'output folder').default('output'))
      .addOption(encryptToOption())
      .addOption(identityOption('age identity file, to check encrypted blocks by decrypting them'))
      .optionsGroup('Trust:')
      .option('--commit-tickets', COMMIT_TICKETS)
      .addOption(
        policyOption('refuse what is not fit for being sold, as "policy" in the job file does'),
      )
      .addOption(signKeyOption())
      .addOption(passphraseOption())
      .optionsGroup('Report:')
      .option('--json', 'print the plan or the summary as JSON')
      .option('-q, --quiet', 'print nothing but errors')
      .configureHelp(teaching(HELP))
      .action(async (path: string, flags: BatchFlags) => {
        const { runBatchCommand } = await import('./run-batch.js');
        await runBatchCommand(path, flags);
      })
  );
}
