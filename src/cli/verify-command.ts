import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import {
  databaseOption,
  definitionOption,
  definitionSha256Option,
  gameOption,
  identityOption,
  policyOption,
  programSha256Option,
  saltKeyOption,
  seedFileOption,
  seedOption,
  stakeOption,
  threadsOption,
  trustedKeyOption,
} from './options.js';
import type { VerifyFlags } from './run-verify.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block verify output/eldorado-100-e1-b1',
    'gen-block verify output/eldorado-100-e1-b1/manifest.json --json',
    'gen-block verify output/eldorado-100-e1-b1 --seed-file emission-1.seed',
    'gen-block verify output/eldorado-100-e1-b1 --trusted-key operator.key.pub',
    'gen-block verify output/eldorado-100-e1-b1 --identity auditor.key',
    'gen-block verify output/eldorado-100-e1-b1 --policy production --trusted-key operator.key.pub',
    'gen-block verify tickets.csv.gz --game eldorado --stake 1',
    'gen-block verify eldorado-100-e1-b1 --from postgres://auditor@db.example/sales',
  ],
  environment: ['database', 'colors'],
  exits: { 0: 'the block conforms', 1: 'it does not conform' },
};

/** `gen-block verify`. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('verify a block folder, a manifest, a bare tickets file, or a block in a database')
    .argument(
      '<path>',
      "block folder, its manifest.json, a tickets file, or with --from a block's name",
    )
    .optionsGroup('What is verified:')
    .addOption(gameOption("the manifest's"))
    .addOption(stakeOption("the manifest's"))
    .addOption(definitionOption())
    .addOption(
      databaseOption('--from <database>', 'database that the block is in').default(
        undefined,
        'the block is read from files',
      ),
    )
    .addOption(identityOption())
    .addOption(threadsOption())
    .optionsGroup('Seed:')
    .addOption(seedOption('make the block again from this seed and compare'))
    .addOption(
      seedFileOption(
        'the block is not made again',
        'the same, with the seed in a file or - (stdin)',
      ),
    )
    .addOption(saltKeyOption())
    .optionsGroup('Trust:')
    .addOption(trustedKeyOption())
    .addOption(policyOption('ask of the block what production asks'))
    .addOption(definitionSha256Option())
    .addOption(programSha256Option())
    .optionsGroup('Report:')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: VerifyFlags) => {
      const { runVerify } = await import('./run-verify.js');
      await runVerify(path, flags);
    });
}
