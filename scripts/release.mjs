/*
 * Makes what is handed out of a version: the tarball, its bill of materials, and the hashes of both.
 *
 *   npm run release -- <folder>
 *
 * Everybody who does this on the same commit, with the same dependencies and the same npm, gets the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { checkedOut } from './git.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder] = process.argv.slice(2);

if (folder === undefined) fail('name the folder that it is to be written to');
const out = resolve(folder);
if (!relative(root, out).startsWith('..')) fail('name a folder outside the checkout');
if (checkedOut()?.isClean !== true) fail('commit what you have changed first');

mkdirSync(out, { recursive: true });
// It builds first: the `prepare` script of package.json.
const [{ filename }] = JSON.parse(
  lastArray(run('npm', 'pack', '--json', '--pack-destination', out)),
);
const billName = filename.replace(/\.tgz$/, '.cdx.json');
writeFileSync(join(out, billName), run(process.execPath, 'scripts/sbom.mjs', join(out, filename)));
writeFileSync(join(out, 'SHA256SUMS'), [billName, filename].map(sumLine).join(''));
process.stdout.write(readFileSync(join(out, 'SHA256SUMS'), 'utf8'));

function run(file, ...args) {
  return execFileSync(file, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** What npm prints at the end: scripts may have printed before it. */
function lastArray(text) {
  return text.slice(text.search(/^\[$/m));
}

function sumLine(name) {
  return `${createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex')}  ${name}\n`;
}

function fail(message) {
  process.stderr.write(`release: ${message}\n`);
  // eslint-disable-next-line no-restricted-properties -- nothing has been begun
  process.exit(2);
}
