import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { examplesOf, runExamples, writeConsumer } from './testing/library-examples.js';
import { folderMaker } from './testing/sample-requests.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const newFolder = folderMaker();

describe('the programs in the documentation of the library', () => {
  const guide = examplesOf('docs/library.md');
  const reference = examplesOf('docs/api.md', (heading) => heading === 'Example');

  test('are there', () => {
    expect(guide.length).toBeGreaterThan(8);
    expect(reference.length).toBeGreaterThan(6);
  });

  test('compile against the declarations of the package, and print what they say', () => {
    const examples = [...guide, ...reference];
    const folder = newFolder();
    writeConsumer(folder, examples);
    const { faults, printed } = runExamples(folder);
    expect(faults).toEqual([]);
    const show = (linesOf: (index: number) => readonly string[] | undefined): unknown =>
      examples.map(({ title }, index) => [title, linesOf(index)]);
    expect(show((index) => printed[index])).toEqual(show((index) => examples[index]?.expected));
  });
});

describe('the reference of the library', () => {
  test('is what its script makes of the declarations', () => {
    const page = join(newFolder(), 'api.md');
    execFileSync(process.execPath, [join(ROOT, 'scripts/api.mjs'), page]);
    // Text by lines: a difference is shown where it is.
    expect(readFileSync(page, 'utf8').split('\n')).toEqual(
      readFileSync(join(ROOT, 'docs/api.md'), 'utf8').split('\n'),
    );
  });
});
