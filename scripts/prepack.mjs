/*
 * npm runs this before it packs: a tarball has its files' modes in it, which depend on the umask of whoever
 * checked them out. With the same modes everywhere, the same commit makes the same bytes. Only what is packed is
 * touched.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
const [{ files }] = JSON.parse(execFileSync('npm', argv, { cwd: root, encoding: 'utf8' }));
for (const { path } of files) {
  const full = join(root, path);
  chmodSync(full, (statSync(full).mode & 0o100) === 0 ? 0o644 : 0o755);
}
