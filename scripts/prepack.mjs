/*
 * npm runs this before it packs: a tarball has its files' modes in it, which depend on the umask of whoever
 * checked them out. With the same modes everywhere, the same commit makes the same bytes.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What `files` in package.json takes from. */
const FOLDERS = [
  'bin',
  'dist',
  'docs',
  'examples',
  'fixtures/definitions',
  'schemas',
  'src/definitions/games',
];

const inFolders = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
);
for (const path of [...readdirSync(root), ...inFolders].map((name) => join(root, name))) {
  const stat = statSync(path);
  if (stat.isFile()) chmodSync(path, (stat.mode & 0o100) === 0 ? 0o644 : 0o755);
}
