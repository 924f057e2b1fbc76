import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The checkout that the tests run in. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** The versions of Node.js that the package is tried on, as `fixtures/node-versions` installs them. */
export const NODE_VERSIONS = ['20', '22', '24'] as const;

/** The program of one of those versions; `npm ci --prefix fixtures/node-versions` fetches them. */
export function nodeOf(version: (typeof NODE_VERSIONS)[number]): string {
  return join(CHECKOUT, `fixtures/node-versions/node_modules/node-${version}/bin/node`);
}

/** What a program said, and how it ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever that is, with little in its environment. */
export async function runTool(
  file: string,
  argv: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, ...options.env };
  try {
    const ended = await promisify(execFile)(file, [...argv], { ...options, env });
    return { exitCode: 0, ...ended };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as {
      readonly code?: unknown;
      readonly stdout?: string;
      readonly stderr?: string;
    };
    if (typeof code !== 'number') throw error;
    return { exitCode: code, stdout, stderr };
  }
}

/** Runs npm, which must succeed. Returns what it prints. */
export async function npm(
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runTool('npm', argv, { cwd, env });
  if (exitCode === 0) return stdout;
  throw new Error(`npm ${argv.join(' ')} ended with ${exitCode}: ${stderr}${stdout}`);
}

/** A package as `npm pack` makes it. */
export interface Tarball {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The paths of what is in it, without the `package/` before them. */
  readonly files: readonly string[];
}

/** Packs a folder as it is built. */
export async function packFolder(
  folder: string,
  to: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Tarball> {
  const argv = ['pack', '--ignore-scripts', '--json', '--pack-destination', to];
  const [packed] = JSON.parse(await npm(folder, argv, env)) as readonly {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const path = join(to, packed.filename);
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, bytes: bytes.length, files: packed.files.map((file) => file.path) };
}

/** Installs a package into an empty folder, as whoever wants to use it does. */
export async function installPackage(
  folder: string,
  tarball: Tarball,
  ...options: readonly string[]
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const argv = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...options];
  await npm(folder, [...argv, tarball.path]);
}

/** Copies files of the checkout into a folder, with other times and stricter modes than they have. */
export function copyOtherwise(paths: readonly string[], to: string): void {
  for (const path of paths) {
    const target = join(to, path);
    cpSync(join(CHECKOUT, path), target, { recursive: true });
    chmodSync(target, statSync(target).mode & 0o700);
    utimesSync(target, 86_400, 86_400);
  }
}
