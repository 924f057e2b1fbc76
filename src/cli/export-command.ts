import { Command, Option } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { DIALECT_IDS, isDialectId, type DialectId } from '../view/export-dialects.js';
import { chosenName, namesText, textOption } from './option-kinds.js';
import { definitionOption, identityOption } from './options.js';
import type { ExportFlags } from './run-export.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block export output/eldorado-100-e1-b1 --dialect excel-fr',
    'gen-block export output/eldorado-100-e1-b1 --dialect long -o /srv/analysis',
  ],
  notes: [
    'excel-fr: one row per ticket, with semicolons, decimal commas, CRLF and a byte order mark.',
    'long: one row per row of a grid, for statistics programs.',
    "The file is called after the block and the dialect, such as eldorado-100-e1-b1.excel-fr.csv. It is no substitute for the block's own files: nothing verifies or loads it. It is as secret as the block.",
  ],
  exits: { 2: 'wrong usage, or the files are not those of the manifest' },
};

/** `gen-block export`. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write the tickets of a block for another tool, such as Excel')
    .argument('<block>', 'block folder or its manifest.json')
    .addOption(dialectOption())
    .addOption(textOption('-o, --out <folder>', 'folder to make the file in').default('.'))
    .addOption(definitionOption('where the block is of one'))
    .addOption(identityOption())
    .option('--force', 'replace the file if it is there')
    .option('-q, --quiet', 'print nothing but errors')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: ExportFlags) => {
      const { runExport } = await import('./run-export.js');
      await runExport(path, flags);
    });
}

function dialectOption(): Option {
  const option = new Option('--dialect <name>', `form to write: ${namesText(DIALECT_IDS)}`);
  option.argChoices = [...DIALECT_IDS];
  return option.argParser(parseDialect).makeOptionMandatory();
}

function parseDialect(text: string): DialectId {
  return isDialectId(text) ? text : chosenName(text, DIALECT_IDS);
}
