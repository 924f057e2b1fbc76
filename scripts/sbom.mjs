/*
 * Prints the bill of materials of a tarball, in CycloneDX: what npm knows of the packages that the lock file pins,
 * without those for development. npm stamps it with the time and a random number; in their place stand the
 * time of the commit and a number out of the tarball's hash, so that the same commit makes the same bytes.
 *
 *   node scripts/sbom.mjs gen-block-0.1.0.tgz
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { git } from './git.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [tarball] = process.argv.slice(2);
if (tarball === undefined) throw new Error('name the tarball: node scripts/sbom.mjs <tarball>');

const run = (file, ...args) => execFileSync(file, args, { cwd: root, encoding: 'utf8' });
const { name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
const form = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const bill = JSON.parse(run('npm', 'sbom', '--package-lock-only', ...form));
leaveOutTools(bill);
const { metadata } = bill;

bill.serialNumber = `urn:uuid:${uuidOf(sha256)}`;
metadata.timestamp = new Date(Number(git('log', '-1', '--format=%ct') ?? 0) * 1000).toISOString();
// npm takes the name of the folder for that of the package.
metadata.component.name = name;
metadata.component.hashes = [{ alg: 'SHA-256', content: sha256 }];
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

/** npm's own `--omit=dev` leaves out what is needed for development and at run time as well. */
function leaveOutTools(all) {
  const isTool = ({ properties }) =>
    properties.some((property) => property.name === 'cdx:npm:package:development');
  all.components = all.components.filter((component) => !isTool(component));
  const kept = new Set(all.components.map((component) => component['bom-ref']));
  all.dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === all.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((id) => kept.has(id)) }));
}

/** A UUID of version 8 (RFC 9562): its bits are whatever its maker says. */
function uuidOf(hash) {
  const variant = ((Number.parseInt(hash[16], 16) & 0x3) | 0x8).toString(16);
  const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
