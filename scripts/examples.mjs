/*
 * Compiles the programs example-1.ts, example-2.ts, ... of the working folder in one go and runs them in their order,
 * all in this process. Prints what the compiler says, and what each has printed, as JSON. The one argument has
 * further options of the compiler, as in a tsconfig.json.
 */
import console from 'node:console';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL, URL } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const folder = process.cwd();
const names = [];
while (existsSync(`example-${names.length + 1}.ts`)) names.push(`example-${names.length + 1}`);

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
};
const { options, errors } = ts.convertCompilerOptionsFromJson(
  { ...strict, ...JSON.parse(process.argv[2] ?? '{}') },
  folder,
);
const program = ts.createProgram(
  names.map((name) => join(folder, `${name}.ts`)),
  options,
);
// The declarations of TypeScript and of Node are their makers' matter, and take longer than all the rest.
const ours = program
  .getSourceFiles()
  .filter(({ fileName }) =>
    [join(root, 'dist/'), join(folder, 'example-')].some((start) => fileName.startsWith(start)),
  );
const diagnostics = [
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]),
];
const faults = diagnostics.map(({ file, start, messageText }) => {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return `${file?.fileName ?? ''}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
});
if (ours.length <= names.length) faults.push('the declarations of the package were not found');
program.emit();

const printed = [];
for (const name of names) {
  const lines = [];
  console.log = (...values) => lines.push(...format(...values).split('\n'));
  try {
    await import(pathToFileURL(join(folder, `${name}.js`)).href);
  } catch (error) {
    lines.push(format(error));
  }
  printed.push(lines);
}
process.stdout.write(JSON.stringify({ faults, printed }));
