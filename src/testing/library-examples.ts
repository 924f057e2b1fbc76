import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definitionPath } from './sample-requests.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A program out of the documentation. */
export interface Example {
  /** Where it stands: the page and the heading above it. */
  readonly title: string;
  readonly code: string;
  /** The lines that it says it prints. */
  readonly expected: readonly string[];
}

/**
 * The programs of a page: its `ts` fences.
 *
 * @param isOne - Whether a fence under this heading is one, where not all are.
 */
export function examplesOf(
  page: string,
  isOne: (heading: string) => boolean = () => true,
): readonly Example[] {
  const examples: Example[] = [];
  const headings: string[] = [];
  let code: string[] | undefined;
  for (const line of readFileSync(join(ROOT, page), 'utf8').split('\n')) {
    const [, marks = '', words = ''] = /^(#+) (.*)/.exec(code === undefined ? line : '') ?? [];
    if (marks !== '') headings.splice(marks.length - 1, headings.length, words);
    if (line === '```ts') code = [];
    else if (line === '```' && code !== undefined) {
      const title = `${page}: ${headings.filter((heading) => heading !== '').join(', ')}`;
      const text = code.join('\n');
      if (isOne(headings.at(-1) ?? ''))
        examples.push({ title, code: text, expected: printed(text) });
      code = undefined;
    } else code?.push(line);
  }
  return examples;
}

function printed(code: string): readonly string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line);
}

/**
 * A folder as of somebody else's program: the package is installed, the small game of the documentation
 * lies there, and each example is a file.
 */
export function writeConsumer(folder: string, examples: readonly Example[]): void {
  mkdirSync(join(folder, 'node_modules'));
  const modules = join(ROOT, 'node_modules');
  for (const [name, target] of Object.entries({
    'gen-block': ROOT,
    '@types': join(modules, '@types'),
    '@photostructure': join(modules, '@photostructure'),
  })) {
    symlinkSync(target, join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  copyFileSync(definitionPath('collect-bare'), join(folder, 'my-game.json'));
  for (const [index, { code }] of examples.entries()) {
    writeFileSync(join(folder, `example-${index + 1}.ts`), `${code}\nexport {};\n`);
  }
}

/** What came of the examples of a folder. */
export interface ExampleRun {
  /** What the compiler says of them and of the package's declarations, a line each. */
  readonly faults: readonly string[];
  /** The lines that each has printed. */
  readonly printed: readonly (readonly string[])[];
}

/**
 * Compiles the examples of a folder in one go, as the strictest of its compiler's users, and runs them one after
 * the other, each of which can count on what those before it have left.
 *
 * @param options - Other options of the compiler, as in a `tsconfig.json`.
 */
export function runExamples(
  folder: string,
  options: Readonly<Record<string, unknown>> = {},
): ExampleRun {
  const argv = [join(ROOT, 'scripts/examples.mjs'), JSON.stringify(options)];
  const stdout = execFileSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
  return JSON.parse(stdout) as ExampleRun;
}
