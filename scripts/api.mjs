/*
 * Writes the reference of the library's interface, docs/api.md, out of the declarations in dist/, which have the
 * docstrings of the sources. Another path can be named, so that a test can compare. Any warning fails, and nothing
 * is written: a type that is mentioned and not exported, a link that leads nowhere, an export without a docstring.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { Application, ConsoleLogger, TSConfigReader, TypeDocReader } from 'typedoc';

const root = fileURLToPath(new URL('..', import.meta.url));
const [target = join(root, 'docs/api.md')] = process.argv.slice(2);

class Logger extends ConsoleLogger {
  /** What is written out within a type is documented there, and not field by field. */
  validationWarning(message, ...place) {
    if (!/\.__type\..*does not have any documentation/.test(message)) {
      super.validationWarning(message, ...place);
    }
  }
}

/** Each row of a table is an anchor with a number, which changes whenever a row is added. Nothing leads there. */
function withoutAnchors(page) {
  return page.replaceAll(/<a id="[^"]*"><\/a> /g, '');
}

// TypeDoc empties the folder that it writes to.
const out = mkdtempSync(join(tmpdir(), 'gen-block-api-'));
try {
  const options = join(root, 'typedoc.json');
  const readers = [new TypeDocReader(), new TSConfigReader()];
  const app = await Application.bootstrapWithPlugins({ options, out, logLevel: 'Warn' }, readers);
  app.logger = new Logger();
  app.logger.level = app.options.getValue('logLevel');
  const project = await app.convert();
  if (project === undefined)
    throw new Error('the declarations in dist/ cannot be read; build first');
  app.validate(project);
  await app.generateOutputs(project);
  const isClean = !app.logger.hasErrors() && !app.logger.hasWarnings();
  if (isClean) writeFileSync(target, withoutAnchors(readFileSync(join(out, 'api.md'), 'utf8')));
  else process.exitCode = 1;
} finally {
  rmSync(out, { recursive: true });
}
