import { Command } from 'commander';
import { SEED_VARIABLE, textOption, threadsOption } from './options.js';
import type { BatchFlags } from './run-batch.js';

const EXAMPLES = `
Examples:
  gen-block batch jobs.json --dry-run
  gen-block batch jobs.json --seed-file emission-1.seed --out /srv/blocks
  gen-block batch jobs.json --seed-file emission-1.seed --out /srv/blocks --recheck --json
  gen-block batch jobs.json --seed-file emission-1.seed --out /srv/share-2 --shard 2/4

Run again after whatever has stopped it, it goes on where it was: blocks that are there and whole are kept.
A seed can also stand in the environment, in ${SEED_VARIABLE}.

Exit codes: 0 all blocks are there, 1 one does not conform, 2 wrong usage or a block was refused,
3 the machine failed, 130 and 143 stopped by a signal.`;

/** `gen-block batch`. */
export function batchCommand(): Command {
  return new Command('batch')
    .description('make all blocks of a job file that are not there yet')
    .argument('<jobs>', 'job file (schemas/jobs.schema.json)')
    .addOption(textOption('--seed <text>', 'seed, for tests: others can see the command line'))
    .addOption(textOption('--seed-file <file>', 'file with the seed; - for standard input'))
    .addOption(textOption('-o, --out <folder>', 'output folder').default('output'))
    .addOption(threadsOption('blocks to make at once (default: as many as processors, 8 at most)'))
    .addOption(
      textOption(
        '--shard <share>',
        'make one of n equal shares: i/n with i from 1, kubernetes/n or slurm/n',
      ),
    )
    .option('--dry-run', 'show what would be made, and make nothing; needs no seed')
    .option('--recheck', 'make blocks that are there again from the seed and compare every byte')
    .option('--json', 'print the plan or the summary as JSON')
    .option('-q, --quiet', 'print nothing but errors')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: BatchFlags) => {
      const { runBatchCommand } = await import('./run-batch.js');
      await runBatchCommand(path, flags);
    });
}
