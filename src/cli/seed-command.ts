import { Command } from 'commander';

const EXAMPLES = `
Examples:
  gen-block seed new emission-1.seed
  gen-block seed commit emission-1.seed
  gen-block seed commit alice.share bob.share beacon.txt

A commitment is 64 hexadecimal digits that say which seed it was and nothing of the seed. Publish it before
the block is made; the block's manifest has it, too.`;

const SHARES = `
Several files are shares of one seed, each made by somebody else with "seed new". All of them make the seed
that "generate --seed-file alice.share --seed-file bob.share" uses, in any order; nobody who lacks one knows it.
Everybody publishes the commitment to his own share before any other share is seen: else the last one could
choose his to his liking. A public value that nobody can know or steer when the shares are committed to, such as
a drawing of tomorrow, can be one of the shares.`;

/** `gen-block seed`. */
export function seedCommand(): Command {
  return new Command('seed')
    .description('make a seed, or show what commits to it')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      new Command('new')
        .description('make a seed of 256 bits in a new file, and show its commitment')
        .argument('<file>', 'file to make; only its owner will be able to read it')
        .action(async (path: string) => {
          const { runSeedNew } = await import('./run-seed.js');
          await runSeedNew(path);
        }),
    )
    .addCommand(
      new Command('commit')
        .description('show the commitment to a seed, or to the shares of one')
        .argument('<files...>', 'files with the seed or its shares; - for standard input')
        .addHelpText('after', SHARES)
        .action(async (paths: readonly string[]) => {
          const { runSeedCommit } = await import('./run-seed.js');
          await runSeedCommit(paths);
        }),
    );
}
