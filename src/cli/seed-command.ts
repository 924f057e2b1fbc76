import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { SEED_VARIABLE, seedFileOption, seedOption } from './options.js';
import type { SeedOptions } from './seed-input.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block seed new emission-1.seed',
    'gen-block seed commit emission-1.seed',
    'gen-block seed commit alice.share bob.share beacon.txt',
    'gen-block seed salt-key output/eldorado-100-e1-b1 block-1.salt --seed-file emission-1.seed',
  ],
  notes: [
    "A commitment is 64 hexadecimal digits that say which seed it was and nothing of the seed. Publish it before the block is made; the block's manifest has it, too.",
  ],
};

const NEW_HELP: CommandHelp = {
  examples: ['gen-block seed new emission-1.seed', 'gen-block seed new alice.share'],
};

const COMMIT_HELP: CommandHelp = {
  examples: [
    'gen-block seed commit emission-1.seed',
    'gen-block seed commit alice.share bob.share beacon.txt',
  ],
  notes: [
    'Several files are shares of one seed, each made by somebody else with "seed new". All of them make the seed that "generate --seed-file alice.share --seed-file bob.share" uses, in any order; nobody who lacks one knows it.',
    'Everybody publishes the commitment to his own share before any other share is seen: else the last one could choose his to his liking. A public value that nobody can know or steer when the shares are committed to, such as a drawing of tomorrow, can be one of the shares.',
  ],
};

const SALT_KEY_HELP: CommandHelp = {
  examples: [
    'gen-block seed salt-key output/eldorado-100-e1-b1 block-1.salt --seed-file emission-1.seed',
  ],
  notes: [
    'The server that proves tickets to players gets this file and the block, and never the seed, which makes the block again. The key is of this block alone. Whoever has it and a proof can find out, by trying grids, what the ticket next to the proved one is: keep it as secret as the block until the block is sold out.',
  ],
  environment: ['seed'],
};

/** `gen-block seed`. */
export function seedCommand(): Command {
  return new Command('seed')
    .description('make a seed, show what commits to it, or take the salt key of a block out of it')
    .configureHelp(teaching(HELP))
    .addCommand(
      new Command('new')
        .description('make a seed of 256 bits in a new file, and show its commitment')
        .argument('<file>', 'file to make; only its owner will be able to read it')
        .configureHelp(teaching(NEW_HELP))
        .action(async (path: string) => {
          const { runSeedNew } = await import('./run-seed.js');
          await runSeedNew(path);
        }),
    )
    .addCommand(
      new Command('commit')
        .description('show the commitment to a seed, or to the shares of one')
        .argument('<files...>', 'files with the seed or its shares; - for standard input')
        .configureHelp(teaching(COMMIT_HELP))
        .action(async (paths: readonly string[]) => {
          const { runSeedCommit } = await import('./run-seed.js');
          await runSeedCommit(paths);
        }),
    )
    .addCommand(
      new Command('salt-key')
        .description("make the file of a block's salt key, which proves its tickets and is no seed")
        .argument('<block>', 'block folder or its manifest.json')
        .argument('<file>', 'file to make; only its owner will be able to read it')
        .addOption(seedOption())
        .addOption(seedFileOption(`${SEED_VARIABLE}, which is needed then`))
        .configureHelp(teaching(SALT_KEY_HELP))
        .action(async (block: string, path: string, flags: SeedOptions) => {
          const { runSeedSaltKey } = await import('./run-seed.js');
          await runSeedSaltKey(block, path, flags);
        }),
    );
}
