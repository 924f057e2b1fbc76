import { resolve } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { runProcess, type ProcessOptions } from '../testing/command-line.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  sampleRequest,
} from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();

/** Makes the block in a process and returns the hashes of all its files, the manifest's too. */
async function hashesMade(
  name: 'eldorado-mini' | 'lagon-mini',
  out: string,
  options: ProcessOptions,
): Promise<Readonly<Record<string, string>>> {
  const argv = ['--definition', definitionPath(name), '--stake', '2', '--engine', 'chacha20'];
  const more = ['--seed', 'Ünïcode', '--emission', '3', '--block', '4', '--quiet', '--out', out];
  expect(await runProcess([...argv, ...more], options)).toMatchObject({ exitCode: 0, stderr: '' });
  return hashesOf(resolve(options.cwd ?? '.', out, `${name}-200-e3-b4`));
}

describe('the bytes of a block', () => {
  test.each(['eldorado-mini', 'lagon-mini'] as const)(
    'of %s depend on no time zone, no language, no working folder and no output folder',
    async (name) => {
      const request = sampleRequest(name, {
        stakeCents: 200,
        seed: Buffer.from('Ünïcode'),
        engine: 'chacha20',
        emission: 3,
        block: 4,
      });
      const here = await generateBlock(request, { outputFolder: newFolder() });
      const bytes = hashesOf(here.folder);
      expect(Object.keys(bytes)).toEqual(['manifest.json', 'tickets.csv', 'tickets.ndjson']);
      // In a process that has none of these in common with the test.
      const env = { TZ: 'Pacific/Apia', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
      expect(await hashesMade(name, 'there/é è', { cwd: newFolder(), env })).toEqual(bytes);
    },
  );
});
