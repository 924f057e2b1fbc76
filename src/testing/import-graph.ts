import path from 'node:path/posix';
import ts from 'typescript';

/**
 * The shape rules of the source tree, as pure functions over an import graph. `tidy.test.ts` holds
 * the real tree against them.
 *
 * Paths are relative to the repository's root and use `/`. Files outside `src/` (fixtures, bench)
 * count as tests: they may import anything.
 */

/** For each file, in path order, the project files that it imports, in order of appearance. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const PROGRAM_ENTRIES: readonly string[] = [
  'src/index.ts',
  'src/cli/main.ts',
  // The build makes text of it, which a report takes in.
  'src/view/report/page/player.ts',
  // Threads are started by the address of their file.
  'src/verify/file-worker.ts',
  'src/batch/block-worker.ts',
];

const LINE_COUNT_MAX = 400;

const PIPELINE_LAYERS = ['core', 'definitions', 'engine', 'formats', 'verify', 'block'] as const;

/** What each layer may import besides itself. */
const ALLOWED_LAYERS = {
  core: [],
  definitions: ['core'],
  engine: ['core', 'definitions'],
  formats: ['core', 'definitions'],
  verify: ['core', 'definitions', 'formats'],
  block: ['core', 'definitions', 'engine', 'formats', 'verify'],
  view: ['core', 'definitions', 'formats', 'verify'],
  batch: PIPELINE_LAYERS,
  load: PIPELINE_LAYERS,
  index: [...PIPELINE_LAYERS, 'view', 'batch', 'load'],
  cli: [...PIPELINE_LAYERS, 'view', 'batch', 'load', 'index'],
} as const satisfies Record<string, readonly string[]>;

type Layer = keyof typeof ALLOWED_LAYERS;

const MECHANIC_FILE =
  /^src\/mechanics\/([^/]+)\/(rules|synthesizer|evaluator|picture)(?:-[^/]+)?\.ts$/;

const MECHANIC_PART_LAYERS: ReadonlyMap<string, Layer> = new Map([
  ['rules', 'definitions'],
  ['synthesizer', 'engine'],
  ['evaluator', 'verify'],
  ['picture', 'view'],
]);

const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Parses every file; keys of `sources` are paths, values are the text of the files. */
export function buildImportGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const graph = new Map<string, readonly string[]>();
  for (const [file, text] of sortedByPath(sources)) {
    const imports = new Set<string>();
    for (const specifier of findSpecifiers(file, text)) {
      const imported = resolveSpecifier(file, specifier);
      if (imported !== undefined && sources.has(imported)) imports.add(imported);
    }
    graph.set(file, [...imports]);
  }
  return graph;
}

/** Every import that points to a layer which the importing file must not know. */
export function findLayerProblems(graph: ImportGraph): string[] {
  const problems: string[] = [];
  for (const [file, imports] of graph) {
    if (isOutsideLayers(file)) continue;
    const layer = layerOf(file);
    if (layer === undefined) {
      problems.push(`${file} belongs to no layer: move it into the folder of its layer.`);
      continue;
    }
    for (const imported of imports) {
      if (isOutsideLayers(imported)) continue;
      const reason = whyForbidden({ file, layer, imported });
      if (reason !== undefined) problems.push(`${file} imports ${imported}: ${reason}.`);
    }
  }
  return problems;
}

/** Every import of a test or a test helper by a file that is neither. */
export function findTestingProblems(graph: ImportGraph): string[] {
  const problems: string[] = [];
  for (const [file, imports] of graph) {
    if (isTest(file) || isTestHelper(file)) continue;
    for (const imported of imports) {
      if (isTest(imported) || isTestHelper(imported)) {
        problems.push(`${file} imports ${imported}: only tests may import it.`);
      }
    }
  }
  return problems;
}

/** Cycles, each as `a -> b -> a`; at least one for every group of files that import in a circle. */
export function findImportCycles(graph: ImportGraph): string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];

  function visit(file: string): void {
    if (finished.has(file)) return;
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push([...trail.slice(start), file].join(' -> '));
      return;
    }
    trail.push(file);
    for (const imported of graph.get(file) ?? []) visit(imported);
    trail.pop();
    finished.add(file);
  }

  for (const file of graph.keys()) visit(file);
  return cycles;
}

/** Files that no entry of the program reaches, and test helpers that no test reaches. */
export function findDeadFiles(graph: ImportGraph): string[] {
  const usedByProgram = reachableFrom(graph, PROGRAM_ENTRIES);
  const usedByTests = reachableFrom(graph, [...graph.keys()].filter(isTest));
  const problems: string[] = [];
  for (const file of graph.keys()) {
    // An ambient declaration is found by the compiler and not by an import.
    if (isTest(file) || isDeclaration(file)) continue;
    if (isTestHelper(file)) {
      if (!usedByTests.has(file)) problems.push(`${file} is dead: no test reaches it.`);
    } else if (!usedByProgram.has(file)) {
      problems.push(`${file} is dead: no entry of the program reaches it.`);
    }
  }
  return problems;
}

/** Files under `src/` with a part of their path that is not kebab-case. */
export function findNameProblems(files: Iterable<string>): string[] {
  return [...files].filter((file) => isSource(file) && !hasKebabCasePath(file)).map(describeName);
}

/** Files under `src/` that are too long to be read in one go; tests are exempt. */
export function findLengthProblems(sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  for (const [file, text] of sortedByPath(sources)) {
    const lineCount = countLines(text);
    if (!isTest(file) && lineCount > LINE_COUNT_MAX) {
      problems.push(
        `${file} has ${lineCount} lines, at most ${LINE_COUNT_MAX} are allowed: split it.`,
      );
    }
  }
  return problems;
}

/** Module names of imports, re-exports, `import()`, and of worker files named by `new URL()`. */
function findSpecifiers(file: string, text: string): string[] {
  const specifiers: string[] = [];

  function visit(node: ts.Node): void {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      specifiers.push(specifier.text);
    }
    ts.forEachChild(node, visit);
  }

  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023));
  return specifiers;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return node.argument.literal;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0];
  }
  if (ts.isNewExpression(node) && isModuleRelativeUrl(node)) return node.arguments?.[0];
  return undefined;
}

/** Whether this is `new URL(…, import.meta.url)`, by which a worker thread's file is named. */
function isModuleRelativeUrl(node: ts.NewExpression): boolean {
  const base = node.arguments?.[1];
  return (
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'URL' &&
    base !== undefined &&
    ts.isPropertyAccessExpression(base) &&
    base.name.text === 'url' &&
    ts.isMetaProperty(base.expression)
  );
}

/** The source file that a specifier means, or nothing for a package. */
function resolveSpecifier(file: string, specifier: string): string | undefined {
  if (specifier === 'gen-block') return 'src/index.ts';
  if (!specifier.startsWith('.')) return undefined;
  return (
    path
      .join(path.dirname(file), specifier)
      // A worker thread loads the compiled file, also when a test runs its parent's source.
      .replace(/^dist\//, 'src/')
      .replace(/\.js$/, '.ts')
  );
}

interface LayeredImport {
  readonly file: string;
  readonly layer: Layer;
  readonly imported: string;
}

function whyForbidden({ file, layer, imported }: LayeredImport): string | undefined {
  const importedLayer = layerOf(imported);
  // The imported file is reported by itself.
  if (importedLayer === undefined) return undefined;
  if (mechanicPartOf(file) === 'evaluator' && !isOpenToEvaluator(file, imported)) {
    return 'an evaluator knows only core, definitions outside the mechanics, and src/verify';
  }
  const allowedLayers: readonly string[] = ALLOWED_LAYERS[layer];
  if (importedLayer === layer || allowedLayers.includes(importedLayer)) return undefined;
  return `${layer} must not import ${importedLayer}`;
}

/** An evaluator is a second opinion: it must not share the mechanic's rules or the encoders. */
function isOpenToEvaluator(evaluator: string, imported: string): boolean {
  if (imported.startsWith('src/mechanics/')) {
    return (
      mechanicPartOf(imported) === 'evaluator' && path.dirname(imported) === path.dirname(evaluator)
    );
  }
  return ['core', 'definitions', 'verify'].includes(layerOf(imported) ?? '');
}

function layerOf(file: string): Layer | undefined {
  if (file === 'src/index.ts') return 'index';
  const mechanicPart = mechanicPartOf(file);
  if (mechanicPart !== undefined) return MECHANIC_PART_LAYERS.get(mechanicPart);
  const folder = /^src\/([^/]+)\//.exec(file)?.[1];
  return folder !== undefined && isLayerFolder(folder) ? folder : undefined;
}

function isLayerFolder(folder: string): folder is Exclude<Layer, 'index'> {
  return folder !== 'index' && Object.hasOwn(ALLOWED_LAYERS, folder);
}

function mechanicPartOf(file: string): string | undefined {
  return MECHANIC_FILE.exec(file)?.[2];
}

function reachableFrom(graph: ImportGraph, entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set(entries);
  // A set's iterator also visits what is added on the way.
  for (const file of reached) {
    for (const imported of graph.get(file) ?? []) reached.add(imported);
  }
  return reached;
}

function hasKebabCasePath(file: string): boolean {
  return file
    .replace(/(?:\.long)?(?:\.test)?(?:\.d)?\.ts$/, '')
    .split('/')
    .every((part) => KEBAB_CASE.test(part));
}

function describeName(file: string): string {
  return `${file} is not named in kebab-case: rename it.`;
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function sortedByPath(sources: ReadonlyMap<string, string>): [string, string][] {
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isSource(file: string): boolean {
  return file.startsWith('src/');
}

function isTest(file: string): boolean {
  return !isSource(file) || file.endsWith('.test.ts');
}

function isTestHelper(file: string): boolean {
  return file.startsWith('src/testing/');
}

function isDeclaration(file: string): boolean {
  return file.endsWith('.d.ts');
}

function isOutsideLayers(file: string): boolean {
  return isTest(file) || isTestHelper(file) || isDeclaration(file);
}
