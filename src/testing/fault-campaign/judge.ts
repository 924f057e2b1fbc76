import { basename, dirname } from 'node:path';
import type { Ended } from './run-program.js';
import type { Tree, TreeEntry } from './read-tree.js';

/** What is right for a fault. */
export interface Expected {
  /** The exit codes and signals with which a disturbed run may end. */
  readonly exits: readonly (number | NodeJS.Signals)[];
  /**
   * The half-made work that may stay until the rerun, by its name, where the program has ended by itself;
   * none where it is left out. Whatever is killed may leave anything.
   */
  readonly mayLeave?: RegExp;
  /** Blocks that stood there before, whole or not, and may still stand there. */
  readonly before?: Tree;
}

/** What an undisturbed run makes, and the seed that it makes it from. */
export interface Undisturbed {
  readonly tree: Tree;
  readonly seed: string;
}

/** Names that the program gives to half-made work and to its locks. */
const TEMPORARY = /^\.(?:.+\.(?:staging|replaced)-|(?:gen-block|registry)\.lock)/;

/** What lies beside the blocks and is judged apart, by `judge-registry.ts`. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['registry.ndjson']);

/** Where nothing can be cleared up. */
export const ANYTHING = /^/;

/** The lock of a batch that could not see any more whose it is. */
export const LOCK = /(?:^|\/)\.(?:gen-block|registry)\.lock$/;

/** What was replaced stays until the disk has confirmed the new one. */
export const OLD_BLOCK = /\.replaced-/;

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
const OTHERS = 0o077;

/** Whether something is half-made work or a lock, or lies in a folder that is. */
export function isTemporary({ path }: TreeEntry): boolean {
  return path.split('/').some((name) => TEMPORARY.test(name));
}

function isJudged({ path }: TreeEntry): boolean {
  return !NOT_JUDGED.has(basename(path));
}

/**
 * Judges what a fault has led to, before anything is run again.
 *
 * @returns Everything that must not be. Empty where all is well.
 */
export function judgeFault(
  ended: readonly Ended[],
  tree: Tree,
  undisturbed: Undisturbed,
  expected: Expected,
): readonly string[] {
  return [
    ...ended.flatMap((run) => judgeEnd(run, undisturbed, expected)),
    ...judgeFinalNames(tree, undisturbed, expected.before),
    ...ended.flatMap((run) => judgeClaims(run, tree, undisturbed)),
    ...judgeSecrecy(tree),
    ...judgeOrder(ended, tree, expected.mayLeave),
  ];
}

/** Judges the run of the same command after the fault is over. */
export function judgeRerun(ended: Ended, tree: Tree, undisturbed: Undisturbed): readonly string[] {
  const problems = [...judgeEnd(ended, undisturbed, { exits: [0] }), ...judgeSecrecy(tree)];
  for (const { path, content, mode } of [...tree.values()].filter(isJudged)) {
    const right = undisturbed.tree.get(path);
    const rightMode = content === 'folder' ? OWNER_FOLDER : OWNER_FILE;
    if (right === undefined) problems.push(`${path} is left behind after the rerun`);
    else if (right.content !== content) problems.push(`${path} is not the one of other runs`);
    if (mode !== rightMode) problems.push(`${path} has the mode ${mode.toString(8)}`);
  }
  const missing = [...undisturbed.tree.values()].filter(({ path }) => !tree.has(path));
  return [...problems, ...missing.filter(isJudged).map(({ path }) => `${path} was not made`)];
}

/** How a run ended and what it said. */
function judgeEnd(
  { exit, stdout, stderr }: Ended,
  { seed }: Undisturbed,
  { exits }: Expected,
): readonly string[] {
  const problems: string[] = [];
  if (!exits.includes(exit)) {
    problems.push(`ended with ${String(exit)}, not ${exits.join(' or ')}: ${firstLine(stderr)}`);
  }
  if (`${stdout}${stderr}`.includes(seed)) problems.push('the seed was printed');
  // What a signal cuts short owes no last word.
  if (typeof exit !== 'number') return problems;
  if (!/^(?:\{.*\}\n)?$/.test(stdout)) problems.push(`said on stdout: ${firstLine(stdout)}`);
  // Of the two blocks that can be in hand each can fail for a reason of its own.
  const isClear = exit === 0 ? stderr === '' : /^(?:gen-block: [^\n]+\n){1,2}$/.test(stderr);
  if (!isClear)
    problems.push(`no clear line with ${exit}: ${JSON.stringify(stderr.slice(0, 400))}`);
  if (/fault of gen-block|^\s+at /m.test(stderr)) problems.push(`blames itself: ${stderr.trim()}`);
  return problems;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Nothing wrong and nothing partial stands under a final name. */
function judgeFinalNames(tree: Tree, { tree: right }: Undisturbed, before?: Tree): string[] {
  const standing = [...tree.values()].filter((entry) => isJudged(entry) && !isTemporary(entry));
  const unknown = standing.filter(({ path }) => !right.has(path) && before?.has(path) !== true);
  const folders = standing.filter(({ content }) => content === 'folder').map(({ path }) => path);
  const broken = folders.filter(
    (folder) => !isSame(tree, right, folder) && !(before && isSame(tree, before, folder)),
  );
  return [
    ...unknown.map(({ path }) => `${path} stands under a name that is no block's`),
    ...broken.map((folder) => `${folder} is a wrong or partial block under its final name`),
  ];
}

/** Whether the files of a folder are the same in both trees. */
function isSame(tree: Tree, other: Tree, folder: string): boolean {
  const filesOf = (side: Tree): string =>
    [...side.values()]
      .filter((entry) => dirname(entry.path) === folder && entry.content !== 'folder')
      .filter((entry) => isJudged(entry) && !isTemporary(entry))
      .map(({ path, content }) => `${path} ${content}`)
      .sort()
      .join();
  return other.has(folder) && filesOf(tree) === filesOf(other);
}

/** A run that says that a block is there and whole must be right. */
function judgeClaims({ exit, stdout }: Ended, tree: Tree, { tree: right }: Undisturbed): string[] {
  const names = exit === 0 ? [...right.keys()].map((path) => basename(path)) : claimedNames(stdout);
  return [...right.values()]
    .filter((entry) => entry.content === 'folder' && names.includes(basename(entry.path)))
    .filter(({ path }) => !isSame(tree, right, path))
    .map(({ path }) => `${path} was said to be whole and is not there`);
}

/** The blocks that the summary calls made or kept. */
function claimedNames(stdout: string): readonly string[] {
  if (!/^\{.*\}\n$/.test(stdout)) return [];
  const { blocks = [] } = JSON.parse(stdout) as {
    readonly blocks?: readonly { readonly name: string; readonly outcome: string }[];
  };
  const whole = ['made', 'kept', 'remade'];
  return blocks.filter(({ outcome }) => whole.includes(outcome)).map(({ name }) => name);
}

/** Others can read nothing, and the seed stands nowhere. */
function judgeSecrecy(tree: Tree): string[] {
  return [...tree.values()].flatMap(({ path, mode, holdsSeed }) => [
    ...(holdsSeed ? [`the seed stands in ${path}`] : []),
    ...((mode & OTHERS) === 0 ? [] : [`${path} is open to others: ${mode.toString(8)}`]),
  ]);
}

/** A program that ends by itself leaves nothing half-made. */
function judgeOrder(ended: readonly Ended[], tree: Tree, mayLeave?: RegExp): string[] {
  if (ended.some(({ exit }) => typeof exit !== 'number')) return [];
  const left = [...tree.values()].filter(isTemporary).map(({ path }) => path);
  const wrong = left.filter((path) => mayLeave?.test(path) !== true);
  return wrong.length === 0 ? [] : [`left behind: ${wrong.join(', ')}`];
}
