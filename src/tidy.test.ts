import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import {
  buildImportGraph,
  findDeadFiles,
  findImportCycles,
  findLayerProblems,
  findLengthProblems,
  findNameProblems,
  findTestingProblems,
} from './testing/import-graph.js';

const ROOT_FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript files under the folders that can import each other, by path from the root. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of ['src', 'fixtures', 'bench']) {
    for (const name of listFiles(path.join(ROOT_FOLDER, folder))) {
      if (!name.endsWith('.ts')) continue;
      const file = path.join(folder, name);
      sources.set(
        file.split(path.sep).join('/'),
        readFileSync(path.join(ROOT_FOLDER, file), 'utf8'),
      );
    }
  }
  return sources;
}

/** A folder without any file is not in a fresh clone. */
function listFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

/** A made-up tree: for each file the specifiers that it imports. */
function fakeGraph(files: Readonly<Record<string, readonly string[]>>) {
  const sources = Object.entries(files).map(([file, specifiers]): [string, string] => [
    file,
    specifiers.map((specifier) => `import '${specifier}';\n`).join(''),
  ]);
  return buildImportGraph(new Map(sources));
}

describe('the source tree', () => {
  const sources = readSources();
  const graph = buildImportGraph(sources);

  test('is read', () => {
    expect(graph.get('src/tidy.test.ts')).toEqual(['src/testing/import-graph.ts']);
  });

  test('has imports that point only to allowed layers', () => {
    expect(findLayerProblems(graph)).toEqual([]);
  });

  test('has test helpers that only tests import', () => {
    expect(findTestingProblems(graph)).toEqual([]);
  });

  test('has no import cycle', () => {
    expect(findImportCycles(graph)).toEqual([]);
  });

  test('has no dead file', () => {
    expect(findDeadFiles(graph)).toEqual([]);
  });

  test('has files named in kebab-case', () => {
    expect(findNameProblems(sources.keys())).toEqual([]);
  });

  test('has no file that is too long', () => {
    expect(findLengthProblems(sources)).toEqual([]);
  });
});

describe('the import graph', () => {
  const EMPTY = '';

  test.each([
    ['an import of values', "import { b } from './b.js';"],
    ['an import of types', "import type { B } from './b.js';"],
    ['an import without names', "import './b.js';"],
    ['a re-export', "export { b } from './b.js';"],
    ['a re-export of everything', "export * from './b.js';"],
    ['an import() inside a function', "async function load() { return import('./b.js'); }"],
    ['a type named by import()', "let value: import('./b.js').B;"],
    ['a worker file beside it', "new Worker(new URL('./b.js', import.meta.url));"],
    ['a compiled worker file', "new URL('../../dist/core/b.js', import.meta.url);"],
  ])('sees %s', (_, text) => {
    const sources = new Map([
      ['src/core/a.ts', text],
      ['src/core/b.ts', EMPTY],
    ]);
    expect(buildImportGraph(sources).get('src/core/a.ts')).toEqual(['src/core/b.ts']);
  });

  test('takes the name of the package for the index', () => {
    const graph = fakeGraph({ 'src/core/a.ts': ['gen-block'], 'src/index.ts': [] });
    expect(graph.get('src/core/a.ts')).toEqual(['src/index.ts']);
  });

  test.each([
    ['a package', "import 'node:fs';"],
    ['a comment', "// import './b.js';"],
    ['a string', 'const text = "import \'./b.js\'";'],
    ['another URL', "new URL('./b.js', base);"],
  ])('does not take %s for an import', (_, text) => {
    const sources = new Map([
      ['src/core/a.ts', text],
      ['src/core/b.ts', EMPTY],
    ]);
    expect(buildImportGraph(sources).get('src/core/a.ts')).toEqual([]);
  });
});

describe('the layer rule', () => {
  const LAYER_FILES = {
    core: 'src/core/a.ts',
    definitions: 'src/definitions/a.ts',
    rules: 'src/mechanics/rows/rules-a.ts',
    engine: 'src/engine/a.ts',
    synthesizer: 'src/mechanics/rows/synthesizer.ts',
    formats: 'src/formats/a.ts',
    verify: 'src/verify/a.ts',
    evaluator: 'src/mechanics/rows/evaluator.ts',
    block: 'src/block/a.ts',
    view: 'src/view/a.ts',
    picture: 'src/mechanics/rows/picture.ts',
    batch: 'src/batch/a.ts',
    load: 'src/load/a.ts',
    index: 'src/index.ts',
    cli: 'src/cli/a.ts',
  } as const;
  type Name = keyof typeof LAYER_FILES;

  const DEFINITIONS: readonly Name[] = ['core', 'definitions', 'rules'];
  const ENGINE: readonly Name[] = [...DEFINITIONS, 'engine', 'synthesizer'];
  const VERIFY: readonly Name[] = [...DEFINITIONS, 'formats', 'verify', 'evaluator'];
  const BLOCK: readonly Name[] = [...new Set([...ENGINE, ...VERIFY, 'block' as const])];
  const VIEW: readonly Name[] = ['view', 'picture'];
  const EXPECTED: Readonly<Record<Name, readonly Name[]>> = {
    core: ['core'],
    definitions: DEFINITIONS,
    rules: DEFINITIONS,
    engine: ENGINE,
    synthesizer: ENGINE,
    formats: [...DEFINITIONS, 'formats'],
    verify: VERIFY,
    evaluator: ['core', 'definitions', 'verify', 'evaluator'],
    block: BLOCK,
    view: [...VERIFY, ...VIEW],
    picture: [...VERIFY, ...VIEW],
    batch: [...BLOCK, 'batch'],
    load: [...BLOCK, 'load'],
    index: [...BLOCK, ...VIEW, 'batch', 'load', 'index'],
    cli: [...BLOCK, ...VIEW, 'batch', 'load', 'index', 'cli'],
  };
  const NAMES = Object.keys(LAYER_FILES) as Name[];

  test.each(NAMES)('lets %s import exactly what it may know', (name) => {
    const allowed = NAMES.filter((importedName) => {
      const graph = new Map([[LAYER_FILES[name], [LAYER_FILES[importedName]]]]);
      return findLayerProblems(graph).length === 0;
    });
    expect(allowed).toEqual(NAMES.filter((importedName) => EXPECTED[name].includes(importedName)));
  });

  test('names both files and both layers', () => {
    const graph = fakeGraph({
      'src/verify/check.ts': ['../engine/shuffle.js'],
      'src/engine/shuffle.ts': [],
    });
    expect(findLayerProblems(graph)).toEqual([
      'src/verify/check.ts imports src/engine/shuffle.ts: verify must not import engine.',
    ]);
  });

  test("keeps one mechanic's evaluator apart from another's", () => {
    const graph = fakeGraph({
      'src/mechanics/rows/evaluator.ts': ['../collect/evaluator.js', './evaluator-rows.js'],
      'src/mechanics/rows/evaluator-rows.ts': [],
      'src/mechanics/collect/evaluator.ts': [],
    });
    expect(findLayerProblems(graph)).toEqual([
      expect.stringContaining(
        'imports src/mechanics/collect/evaluator.ts: an evaluator knows only',
      ),
    ]);
  });

  test.each([
    'src/helpers/text.ts',
    'src/helper.ts',
    'src/index/a.ts',
    'src/mechanics/registry.ts',
    'src/mechanics/rows/helper.ts',
    'src/mechanics/rows/ruleset.ts',
    'src/mechanics/rows/deeper/rules.ts',
  ])('refuses %s, which belongs to no layer', (file) => {
    expect(findLayerProblems(fakeGraph({ [file]: [] }))).toEqual([
      `${file} belongs to no layer: move it into the folder of its layer.`,
    ]);
  });

  test('lets tests, test helpers and files outside src import anything', () => {
    const graph = fakeGraph({
      'src/core/a.test.ts': ['../engine/b.js'],
      'src/testing/helper.ts': ['../engine/b.js'],
      'fixtures/make.ts': ['../src/engine/b.js'],
      'src/engine/b.ts': [],
    });
    expect(findLayerProblems(graph)).toEqual([]);
  });
});

describe('the rule for test helpers', () => {
  test('refuses their import by the program', () => {
    const graph = fakeGraph({
      'src/core/a.ts': ['../testing/helper.js', './a.test.js'],
      'src/core/a.test.ts': ['../testing/helper.js'],
      'src/testing/helper.ts': ['./other.js'],
      'src/testing/other.ts': [],
    });
    expect(findTestingProblems(graph)).toEqual([
      'src/core/a.ts imports src/testing/helper.ts: only tests may import it.',
      'src/core/a.ts imports src/core/a.test.ts: only tests may import it.',
    ]);
  });
});

describe('the cycle rule', () => {
  test('reports the files of a cycle in order', () => {
    const graph = fakeGraph({
      'src/core/a.ts': ['./b.js'],
      'src/core/b.ts': ['./c.js', './d.js'],
      'src/core/c.ts': ['./b.js'],
      'src/core/d.ts': [],
    });
    expect(findImportCycles(graph)).toEqual(['src/core/b.ts -> src/core/c.ts -> src/core/b.ts']);
  });

  test('reports a file that imports itself', () => {
    const graph = fakeGraph({ 'src/core/a.ts': ['./a.js'] });
    expect(findImportCycles(graph)).toEqual(['src/core/a.ts -> src/core/a.ts']);
  });

  test('accepts two ways to one file', () => {
    const graph = fakeGraph({
      'src/core/a.ts': ['./b.js', './c.js'],
      'src/core/b.ts': ['./d.js'],
      'src/core/c.ts': ['./d.js'],
      'src/core/d.ts': [],
    });
    expect(findImportCycles(graph)).toEqual([]);
  });
});

describe('the dead file rule', () => {
  test('reports files that only dead files or tests import', () => {
    const graph = fakeGraph({
      'src/index.ts': ['./core/used.js'],
      'src/cli/main.ts': ['./also-used.js'],
      'src/cli/also-used.ts': [],
      'src/core/used.ts': [],
      'src/core/dead.ts': ['./deader.js'],
      'src/core/deader.ts': [],
      'src/core/tested.ts': [],
      'src/core/tested.test.ts': ['./tested.js', '../testing/used.js'],
      'src/core/ambient.d.ts': [],
      'src/testing/used.ts': [],
      'src/testing/unused.ts': [],
    });
    expect(findDeadFiles(graph)).toEqual([
      'src/core/dead.ts is dead: no entry of the program reaches it.',
      'src/core/deader.ts is dead: no entry of the program reaches it.',
      'src/core/tested.ts is dead: no entry of the program reaches it.',
      'src/testing/unused.ts is dead: no test reaches it.',
    ]);
  });
});

describe('the name rule', () => {
  test('reports every other way to write a name', () => {
    const good = ['src/core/a-b2.ts', 'src/a.test.ts', 'src/a-b.long.test.ts', 'src/a.d.ts'];
    const bad = ['src/core/aB.ts', 'src/core/a_b.ts', 'src/Core/a.ts', 'src/a.b.ts', 'src/a-.ts'];
    expect(findNameProblems([...good, ...bad])).toEqual(
      bad.map((file) => `${file} is not named in kebab-case: rename it.`),
    );
  });
});

describe('the length rule', () => {
  test('accepts 400 lines, refuses 401, and leaves tests alone', () => {
    const line = '// a line\n';
    const sources = new Map([
      ['src/core/fits.ts', line.repeat(400)],
      ['src/core/long.ts', line.repeat(401)],
      ['src/core/unfinished.ts', `${line.repeat(400)}// no line end`],
      ['src/core/long.test.ts', line.repeat(401)],
    ]);
    expect(findLengthProblems(sources)).toEqual([
      'src/core/long.ts has 401 lines, at most 400 are allowed: split it.',
      'src/core/unfinished.ts has 401 lines, at most 400 are allowed: split it.',
    ]);
  });
});
