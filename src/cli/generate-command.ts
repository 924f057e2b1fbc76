import { Command } from 'commander';
import type { GenerateFlags } from './generate-job.js';
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
  numberOption,
  passphraseOption,
  policyOption,
  seedFileOption,
  seedOption,
  signKeyOption,
  stakeOption,
  textOption,
  threadsOption,
} from './options.js';

const EXAMPLES = `
Examples:
  gen-block --game eldorado --stake 1 --seed demo
  gen-block -g lagon-paradis -s 0.5 --seed-file production.seed --engine chacha20 --block 7
  gen-block -g eldorado -s 1 --seed-file production.seed -f csv -o - --manifest m.json | loader
  gen-block --definition my-game.json --stake 2 --format csv --compress gzip --out blocks

Without a seed a fresh one of 256 bits is made and written beside the block.
A seed can also stand in the environment, in ${SEED_VARIABLE}.`;

/** `gen-block generate`, which is also what `gen-block` alone does. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('generate a block, verify the bytes on the disk, and keep it')
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(seedOption())
    .addOption(seedFileOption())
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(formatOption())
    .addOption(compressOption())
    .addOption(encryptToOption())
    .addOption(identityOption('age identity file, to verify encrypted files by decrypting them'))
    .addOption(
      textOption('-o, --out <folder>', 'output folder; - for standard output').default('output'),
    )
    .addOption(textOption('--manifest <file>', 'with --out -, where the manifest is written'))
    .addOption(engineOption())
    .addOption(definitionOption())
    .addOption(threadsOption())
    .addOption(policyOption('refuse what is not fit for being sold'))
    .addOption(definitionSha256Option())
    .option('--commit-tickets', COMMIT_TICKETS)
    .addOption(signKeyOption())
    .addOption(passphraseOption())
    .option('--force', 'replace a block that is there already')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors, and where a fresh seed was written')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: GenerateFlags) => {
      const { runGenerate } = await import('./run-generate.js');
      await runGenerate(flags);
    });
}
