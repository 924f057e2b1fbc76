#!/usr/bin/env node
import { existsSync } from 'node:fs';

const mainUrl = new URL('../dist/cli/main.js', import.meta.url);

if (existsSync(mainUrl)) {
  await import(mainUrl.href);
} else {
  process.stderr.write('gen-block: dist/ is missing: run "npm run build".\n');
  process.exitCode = 3;
}
