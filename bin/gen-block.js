#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** The oldest version that can run the program: `engines` in package.json. */
const OLDEST = [20, 19];

const mainUrl = new URL('../dist/program/main.js', import.meta.url);

if (isTooOld(process.versions.node)) {
  const needed = `version ${OLDEST.join('.')} or later`;
  process.stderr.write(
    `gen-block: Node.js ${process.versions.node} is too old; install ${needed}\n`,
  );
  process.exitCode = 3;
} else if (existsSync(mainUrl)) {
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

function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** A module that is not there is another matter than a machine that cannot read it. */
function adviceOn({ code = '' }) {
  if (code === 'EMFILE' || code === 'ENFILE') return 'raise the limit of open files (ulimit -n)';
  return /^E[A-Z\d]+$/.test(code) ? 'the machine failed' : 'install it again';
}
