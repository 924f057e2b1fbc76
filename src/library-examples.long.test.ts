import { describe, expect, test } from '@jest/globals';
import { examplesOf, runExamples, writeConsumer } from './testing/library-examples.js';
import { folderMaker } from './testing/sample-requests.js';

const newFolder = folderMaker();

describe('the programs in the documentation of the library', () => {
  test.each([
    { exactOptionalPropertyTypes: false },
    { module: 'node20' },
    { module: 'esnext', moduleResolution: 'bundler' },
    { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: false },
    { module: 'preserve' },
  ])('compile with %p, too', (options) => {
    const folder = newFolder();
    const examples = [
      ...examplesOf('docs/library.md'),
      ...examplesOf('docs/api.md', (heading) => heading === 'Example'),
    ];
    writeConsumer(folder, examples);
    expect(runExamples(folder, options).faults).toEqual([]);
  });

  test('are found out where they do not compile or print something else', () => {
    const folder = newFolder();
    writeConsumer(folder, [
      {
        title: 'wrong',
        code: "import { gameIds } from 'gen-block';\nconst id: number = gameIds();\nconsole.log(id[0]);\nthrow 1;",
        expected: [],
      },
    ]);
    const { faults, printed } = runExamples(folder);
    expect(faults[0]).toMatch(/example-1\.ts:2: Type 'readonly string\[\]' is not assignable/);
    expect(printed).toEqual([['eldorado', '1']]);
  });
});
