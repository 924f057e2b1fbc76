import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBlock } from '../../block/generate-block.js';
import { definitionPath, sampleRequest } from '../sample-requests.js';

/** Where commands find what they work on. */
export interface OfflinePlace {
  /** A small block, made from {@link seedFile}. */
  readonly block: string;
  readonly seedFile: string;
}

/** A command that must do its work without a network. */
export interface OfflineCommand {
  readonly title: string;
  /** Its arguments; what it makes goes to an empty folder. */
  readonly argv: (place: OfflinePlace, out: string) => readonly string[];
  /** Whether it works in more than one thread. */
  readonly isThreaded?: boolean;
}

const DEFINITION = ['--definition', definitionPath('rows-plain')];
const JOBS = fileURLToPath(
  new URL('../../../fixtures/jobs/three-small-blocks.json', import.meta.url),
);

/** Every command that has nothing to do with databases, each in the forms that do different work. */
export const OFFLINE_COMMANDS: readonly OfflineCommand[] = [
  { title: '--help', argv: () => ['--help'] },
  { title: '--version', argv: () => ['--version'] },
  { title: 'help of a command', argv: () => ['export', '--help'] },
  { title: 'games', argv: () => ['games', 'eldorado'] },
  {
    title: 'generate',
    argv: ({ seedFile }, out) => [...DEFINITION, '-s', '1', '--seed-file', seedFile, '-o', out],
  },
  {
    title: 'generate with a seed of its own',
    argv: (_, out) => ['generate', ...DEFINITION, '-s', '1', '--compress', 'gzip', '-o', out],
  },
  {
    title: 'batch in two threads',
    isThreaded: true,
    argv: ({ seedFile }, out) => {
      return ['batch', JOBS, '--seed-file', seedFile, '--threads', '2', '-o', out];
    },
  },
  {
    title: 'verify in two threads, and from the seed',
    isThreaded: true,
    argv: ({ block, seedFile }) => {
      return ['verify', block, ...DEFINITION, '--threads', '2', '--seed-file', seedFile];
    },
  },
  { title: 'audit', argv: ({ block }) => ['audit', block, ...DEFINITION] },
  { title: 'show', argv: ({ block }) => ['show', block, ...DEFINITION, '--random'] },
  {
    title: 'show from the seed',
    argv: ({ seedFile }) => {
      return ['show', ...DEFINITION, '-s', '1', '--seed-file', seedFile, '--ticket', '7'];
    },
  },
  {
    title: 'report',
    argv: ({ block }, out) => ['report', block, ...DEFINITION, '-o', join(out, 'report.html')],
  },
  {
    title: 'export',
    argv: ({ block }, out) => ['export', block, ...DEFINITION, '--dialect', 'long', '-o', out],
  },
];

/** Makes what the commands work on. */
export async function makeOfflinePlace(outputFolder: string): Promise<OfflinePlace> {
  const seed = Buffer.from('demo');
  const seedFile = join(outputFolder, 'emission-1.seed');
  writeFileSync(seedFile, seed);
  const { folder } = await generateBlock(sampleRequest('rows-plain', { seed }), { outputFolder });
  return { block: folder, seedFile };
}
