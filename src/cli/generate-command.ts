import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import type { GenerateFlags } from './generate-job.js';
import { numberOption, textOption } from './option-kinds.js';
import {
  COMMIT_TICKETS,
  SEED_VARIABLE,
  compressOption,
  definitionOption,
  definitionSha256Option,
  encryptToOption,
  engineOption,
  formatOption,
  gameOption,
  identityOption,
  passphraseOption,
  policyOption,
  seedFileOption,
  seedOption,
  signKeyOption,
  stakeOption,
  threadsOption,
} from './options.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block --game eldorado --stake 1 --seed demo',
    'gen-block -g lagon-paradis -s 0.5 --seed-file production.seed --engine chacha20 --block 7',
    'gen-block -g eldorado -s 1 --seed-file production.seed -f csv -o - --manifest m.json | loader',
    'gen-block --definition my-game.json --stake 2 --format csv --compress gzip --out blocks',
  ],
  notes: [
    'Without a seed a fresh one of 256 bits is made and written beside the block.',
    'A block that is there already is verified and kept, so that the same command can be run again.',
  ],
  environment: ['seed', 'colors'],
  exits: {
    0: 'the block is complete, verified and on the disk',
    1: 'a block does not conform',
  },
};

/** `gen-block generate`, which is also what `gen-block` alone does. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('generate a block, verify the bytes on the disk, and keep it')
    .optionsGroup('What is made:')
    .addOption(gameOption('refused, unless --definition is given'))
    .addOption(stakeOption('refused'))
    .addOption(definitionOption())
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(engineOption())
    .optionsGroup('Seed:')
    .addOption(seedOption())
    .addOption(seedFileOption(`${SEED_VARIABLE}, or else a fresh seed is made`))
    .optionsGroup('Output:')
    .addOption(
      textOption('-o, --out <folder>', 'output folder; - for standard output').default('output'),
    )
    .addOption(
      textOption('--manifest <file>', 'with --out -, where the manifest is written').default(
        undefined,
        'none is written',
      ),
    )
    .addOption(formatOption())
    .addOption(compressOption())
    .addOption(encryptToOption())
    .addOption(identityOption('age identity file, to verify encrypted files by decrypting them'))
    .addOption(threadsOption())
    .option('--force', 'replace a block that is there already')
    .optionsGroup('Trust:')
    .option('--commit-tickets', COMMIT_TICKETS)
    .addOption(policyOption('refuse what is not fit for being sold'))
    .addOption(definitionSha256Option())
    .addOption(signKeyOption())
    .addOption(passphraseOption())
    .optionsGroup('Report:')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors, and where a fresh seed was written')
    .configureHelp(teaching(HELP))
    .action(async (flags: GenerateFlags) => {
      const { runGenerate } = await import('./run-generate.js');
      await runGenerate(flags);
    });
}
