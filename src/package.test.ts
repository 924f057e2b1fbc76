import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { OPTIONAL_PACKAGES, TOOL_VERSION } from './core/tool-version.js';
import {
  CHECKOUT,
  copyOtherwise,
  installPackage,
  NODE_VERSIONS,
  nodeOf,
  npm,
  packFolder,
  runTool,
  type Ended,
  type Tarball,
} from './testing/packed.js';
import { definitionPath, folderMaker, hashesOf } from './testing/sample-requests.js';

jest.setTimeout(300_000);
const newFolder = folderMaker();
const BLOCK = 'collect-bare-100-e1-b1';
const DEFINITION = definitionPath('collect-bare');

let tarball: Tarball;
/** Where the package is installed with all that belongs to it, and without what can be left out. */
let whole: string;
let small: string;

beforeAll(async () => {
  tarball = await packFolder(CHECKOUT, newFolder());
  whole = newFolder();
  small = newFolder();
  await Promise.all([
    installPackage(whole, tarball),
    installPackage(small, tarball, '--omit=optional'),
  ]);
});

/** Runs an installed program. */
async function run(
  folder: string,
  argv: readonly string[],
  node = process.execPath,
): Promise<Ended> {
  const bin = join(folder, 'node_modules/.bin/gen-block');
  return runTool(node, [bin, ...argv], { cwd: folder });
}

async function generate(folder: string, out: string, node?: string): Promise<string> {
  const game = ['--definition', DEFINITION, '--stake', '1', '--seed', 'demo'];
  const ended = await run(folder, ['generate', ...game, '--out', out, '--quiet'], node);
  expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  return join(out, BLOCK);
}

describe('the package', () => {
  test('has what it needs and its documents, and nothing of the workshop', () => {
    const kept =
      /^(?:bin\/gen-block\.js|dist\/(?:completions|program|report|validators)\/[\w.-]+|dist\/build\.json|dist\/.+\.d\.ts|schemas\/.+\.(?:json|sql)|src\/definitions\/games\/[\w-]+\.json|docs\/.+\.(?:md|py|sh|yaml)|examples\/.+\.(?:json|md)|fixtures\/definitions\/collect-bare\.json|scripts\/prepare\.mjs|(?:CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|LICENSE|package\.json)$/;
    expect(tarball.files.filter((path) => !kept.test(path))).toEqual([]);
    expect(tarball.files).toEqual(
      expect.arrayContaining([
        'bin/gen-block.js',
        'dist/completions/gen-block.fish',
        'dist/index.d.ts',
        'dist/program/index.js',
        'dist/program/sha256-lanes.wasm',
        'schemas/manifest.schema.json',
        'SECURITY.md',
      ]),
    );
    expect(tarball.bytes).toBeLessThan(500_000);
  });

  test('has every document that its documents link to', () => {
    const pages = tarball.files.filter((path) => path.endsWith('.md'));
    const missing = pages.flatMap((page) => {
      const text = readFileSync(join(CHECKOUT, page), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) =>
        posix.join(posix.dirname(page), match[1] ?? ''),
      );
      // Pictures are for those who look at the repository.
      return links
        .filter((link) => !link.endsWith('.png') && !tarball.files.includes(link))
        .map((link) => `${page}: ${link}`);
    });
    expect(missing).toEqual([]);
  });

  test('is the same to the byte wherever and whenever it is packed', async () => {
    const copy = newFolder();
    copyOtherwise([...tarball.files, 'scripts/prepack.mjs'], copy);
    writeFileSync(join(copy, 'real.seed'), 'secret', { mode: 0o600 });
    symlinkSync('nowhere', join(copy, 'dangling'));
    await runTool(process.execPath, [join(copy, 'scripts/prepack.mjs')]);
    expect(statSync(join(copy, 'real.seed')).mode & 0o777).toBe(0o600);
    const env = { TZ: 'Pacific/Kiritimati', LC_ALL: 'C' };
    const again = await packFolder(copy, newFolder(), env);
    expect(again.sha256).toBe(tarball.sha256);
  });

  test('states the hash of the program that the checkout has', async () => {
    const build = readFileSync(join(whole, 'node_modules/gen-block/dist/build.json'), 'utf8');
    expect(build).toBe(readFileSync(join(CHECKOUT, 'dist/build.json'), 'utf8'));
    const code = `
      import { programBuild } from ${JSON.stringify(join(CHECKOUT, 'dist/core/program-hash.js'))};
      process.stdout.write(programBuild(process.argv[1]).sha256);
    `;
    const argv = ['--input-type=module', '--eval', code, join(whole, 'node_modules/gen-block')];
    const { stdout } = await runTool(process.execPath, argv);
    expect(build).toContain(`"program_sha256":"${stdout}"`);
  });
});

describe.each(NODE_VERSIONS)('installed, on Node.js %s', (version) => {
  const node = nodeOf(version);

  test('the version under test is the one that it says', async () => {
    const { stdout } = await runTool(node, ['--version']);
    expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
  });

  test('makes the same bytes, and verifies them', async () => {
    const here = await generate(whole, newFolder());
    const there = await generate(whole, newFolder(), node);
    expect(hashesOf(there)).toEqual(hashesOf(here));
    const ended = await run(whole, ['verify', there, '--definition', DEFINITION, '--quiet'], node);
    expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('has all its parts: databases, reports, encryption', async () => {
    const block = await generate(whole, newFolder(), node);
    const place = newFolder();
    const own = ['--definition', DEFINITION, '--quiet'];
    const parts = [
      ['load', block, '--to', `sqlite:${join(place, 'sales.db')}`, ...own],
      ['report', block, '--out', join(place, 'report.html'), ...own],
    ];
    for (const argv of parts) {
      expect(await run(whole, argv, node)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
    const game = ['--definition', DEFINITION, '--stake', '1', '--seed', 'demo', '--quiet'];
    const encrypted = ['generate', ...game, '--encrypt-to', recipient, '--out', newFolder()];
    expect(await run(whole, encrypted, node)).toMatchObject({ exitCode: 0 });
  });

  test('is imported as a library', async () => {
    const code = `
      import { readFileSync } from 'node:fs';
      import { evaluateTicket, generateBlock, loadDefinitionFile, loadGame, verifyBlock } from 'gen-block';
      import schema from 'gen-block/schemas/manifest.schema.json' with { type: 'json' };
      const [definition, outputFolder] = process.argv.slice(2);
      const game = loadDefinitionFile(definition);
      const numbers = { stakeCents: 100, emission: 1, block: 1 };
      const seed = Buffer.from('demo');
      const { folder } = await generateBlock({ game, seed, engine: 'chacha20', ...numbers }, { outputFolder });
      const { conforms } = await verifyBlock(folder, { game });
      const [line] = readFileSync(folder + '/tickets.ndjson', 'utf8').split('\\n');
      const { prize_cents, grids } = JSON.parse(line);
      const { faults, evaluation } = evaluateTicket(game, 100, grids);
      const isAgreed = faults.length === 0 && evaluation.prizeCents === prize_cents;
      console.log(conforms, isAgreed, loadGame('eldorado').blockSize, schema.type);
    `;
    const file = join(whole, `library-${version}.mjs`);
    writeFileSync(file, code);
    const argv = ['--disable-warning=ExperimentalWarning', file, DEFINITION, newFolder()];
    expect(await runTool(node, argv, { cwd: whole })).toEqual({
      exitCode: 0,
      stdout: 'true true 900000 object\n',
      stderr: '',
    });
  });
});

test('an older Node.js is refused in one line', async () => {
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })";
  const argv = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`];
  const bin = join(CHECKOUT, 'bin/gen-block.js');
  expect(await runTool(process.execPath, [...argv, bin, '--version'])).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: 'gen-block: Node.js 20.18.3 is too old; install version 20.19 or later\n',
  });
  const { engines } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  expect(engines.node).toBe('>=20.19');
});

describe('installed without what can be left out', () => {
  const exact = (...names: readonly string[]): string =>
    names.map((name) => `${name}@${OPTIONAL_PACKAGES.get(name) ?? ''}`).join(' ');

  test('has none of it', () => {
    const there = [...OPTIONAL_PACKAGES.keys()].filter((name) =>
      existsSync(join(small, 'node_modules', name)),
    );
    expect(there).toEqual([]);
    expect(OPTIONAL_PACKAGES.size).toBeGreaterThan(3);
  });

  test('makes, verifies, audits and shows blocks', async () => {
    const block = await generate(small, newFolder());
    const own = ['--definition', DEFINITION];
    for (const command of ['verify', 'audit', 'show']) {
      expect(await run(small, [command, block, ...own])).toMatchObject({ exitCode: 0 });
    }
  });

  test.each([
    ['report', 'a report needs packages that are', ['@observablehq/plot', 'linkedom']],
    ['sqlite', 'SQLite needs a package that is', ['@photostructure/sqlite']],
    ['postgres', 'PostgreSQL needs packages that are', ['pg', 'pg-copy-streams']],
    ['encryption', 'encryption needs a package that is', ['age-encryption']],
  ])('says how to add what is needed for: %s', async (part, words, packages) => {
    const place = newFolder();
    const block = await generate(small, newFolder());
    const own = ['--definition', DEFINITION];
    const argv: Readonly<Record<string, readonly string[]>> = {
      report: ['report', block, '--out', join(place, 'report.html'), ...own],
      sqlite: ['load', block, '--to', `sqlite:${join(place, 'sales.db')}`, ...own],
      postgres: ['load', block, '--to', 'postgres://nobody@127.0.0.1:4/none', ...own],
      encryption: [
        ...['generate', ...own, '--stake', '1', '--seed', 'demo', '--out', place],
        ...['--encrypt-to', 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
      ],
    };
    const { exitCode, stderr } = await run(small, argv[part] ?? []);
    expect(stderr).toBe(
      `gen-block: ${words} not installed, or not for this system; add with: npm install ${exact(...packages)}\n`,
    );
    expect(exitCode).toBe(3);
  });
});

test('a checkout that is built runs on its production dependencies alone', async () => {
  const copy = newFolder();
  copyOtherwise(
    [...tarball.files, 'package-lock.json', '.npmrc', 'scripts/prepare.mjs', 'scripts/build.mjs'],
    copy,
  );
  await npm(copy, ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']);
  expect(existsSync(join(copy, 'node_modules/typescript'))).toBe(false);
  const bin = join(copy, 'bin/gen-block.js');
  expect(await runTool(process.execPath, [bin, '--version'])).toMatchObject({
    stdout: `${TOOL_VERSION}\n`,
  });
});
