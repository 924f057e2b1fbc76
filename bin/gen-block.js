#!/usr/bin/env node
import { existsSync } from 'node:fs';

const mainUrl = new URL('../dist/program/main.js', import.meta.url);

if (existsSync(mainUrl)) {
  try {
    await import(mainUrl.href);
  } catch (error) {
    // Exit code 1, which Node would set, says that a block does not conform.
    process.stderr.write(`gen-block: cannot be started; ${adviceOn(error)}: ${String(error)}\n`);
    process.exitCode = 3;
  }
} else {
  process.stderr.write('gen-block: dist/ is missing: run "npm run build".\n');
  process.exitCode = 3;
}

/** A module that is not there is another matter than a machine that cannot read it. */
function adviceOn({ code = '' }) {
  if (code === 'EMFILE' || code === 'ENFILE') return 'raise the limit of open files (ulimit -n)';
  return /^E[A-Z\d]+$/.test(code) ? 'the machine failed' : 'install it again';
}
