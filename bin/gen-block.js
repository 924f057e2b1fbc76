#!/usr/bin/env node
import { existsSync } from 'node:fs';

const mainUrl = new URL('../dist/program/main.js', import.meta.url);

if (existsSync(mainUrl)) {
  try {
    await import(mainUrl.href);
  } catch (error) {
    // Exit code 1, which Node would set, says that a block does not conform.
    process.stderr.write(`gen-block: cannot be started; install it again: ${String(error)}\n`);
    process.exitCode = 3;
  }
} else {
  process.stderr.write('gen-block: dist/ is missing: run "npm run build".\n');
  process.exitCode = 3;
}
