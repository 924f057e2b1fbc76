import { execFileSync } from 'node:child_process';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What git says of the checkout; nothing where it is in no repository, or there is no git to ask. */
export function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

/** The commit that is checked out, and whether nothing has been changed since; nothing without git. */
export function checkedOut() {
  // Not the repository of somebody who has this folder within his own.
  if (git('rev-parse', '--show-cdup') !== '\n') return undefined;
  const commit = git('rev-parse', 'HEAD')?.trim();
  if (commit === undefined) return undefined;
  return { commit, isClean: git('status', '--porcelain') === '' };
}
