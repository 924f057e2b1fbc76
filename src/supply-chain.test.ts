import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { TOOL_VERSION } from './core/tool-version.js';
import { CHECKOUT, runTool } from './testing/packed.js';
import { folderMaker } from './testing/sample-requests.js';

const newFolder = folderMaker();

/** A package in `package-lock.json`. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  /** Of an optional package and of one for development. */
  readonly devOptional?: boolean;
}

const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(join(CHECKOUT, path), 'utf8')) as unknown;

const { packages } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, item]) => ({ name: path.replace(/^.*node_modules\//, ''), ...item }));
const shipped = locked.filter(({ dev }) => dev !== true);

describe('every dependency', () => {
  // What may be handed on with the program: licences that ask for their text to stay, and nothing else.
  const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'];
  // What may work on it: it is not handed on.
  const TOOLS = [
    'Apache-2.0 AND MIT',
    'BlueOak-1.0.0',
    'CC-BY-4.0',
    'MPL-2.0',
    '(MIT OR CC0-1.0)',
    'Python-2.0',
  ];
  // Its package.json says MIT in an old way that npm does not take over.
  const STATED_ELSEWHERE = ['memorystream'];

  test('that is shipped has a licence that lets it be handed on', () => {
    const others = shipped.filter(({ license = '' }) => !ALLOWED.includes(license));
    expect(others).toEqual([]);
    expect(shipped.length).toBeGreaterThan(20);
  });

  test('that is for development has a licence that was read', () => {
    const others = locked.filter(
      ({ name, license = '' }) =>
        !ALLOWED.includes(license) && !TOOLS.includes(license) && !STATED_ELSEWHERE.includes(name),
    );
    expect(others).toEqual([]);
  });

  test('is pinned by its hash, and by no address', () => {
    expect(locked.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
    expect(locked.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  test('that is shipped has no script to run when it is installed, but for the one that is known', () => {
    const scripted = shipped.filter(({ hasInstallScript }) => hasInstallScript === true);
    // It looks whether the binary fits that comes with it, and compiles one where none does.
    expect(scripted.map(({ name }) => name)).toEqual(['@photostructure/sqlite']);
  });

  test('that the package names has an exact version and a reason', () => {
    const { dependencies, devDependencies, optionalDependencies } = readJson(
      'package.json',
    ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    const reasons = readFileSync(join(CHECKOUT, 'docs/dependencies.md'), 'utf8');
    const direct = Object.entries({ ...dependencies, ...optionalDependencies });
    const named = [...direct, ...Object.entries(devDependencies ?? {})];
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(direct.filter(([name]) => !reasons.includes(`\n| ${name} |`))).toEqual([]);
  });
});

/** A bill of materials, as far as it is looked at. */
interface Bill {
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: { readonly name: string; readonly hashes: unknown };
  };
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn: readonly string[];
  }[];
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly scope: string;
    readonly purl: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: unknown;
  }[];
}

describe('the container', () => {
  const text = readFileSync(join(CHECKOUT, 'Containerfile'), 'utf8');
  const stages = text.split(/^FROM /m).slice(1);

  test('ends with a user who is not root, by a number that Kubernetes can check', () => {
    const users = [...(stages.at(-1) ?? '').matchAll(/^USER (.*)$/gm)].map((match) => match[1]);
    expect(users).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  test('has what the lock file pins and the tarball, and runs no script of a dependency', () => {
    expect(stages).toHaveLength(3);
    expect(stages[1]).toMatch(/^RUN npm ci --omit=dev .*--ignore-scripts/m);
    const copied = [...(stages[2] ?? '').matchAll(/^COPY (.*)$/gm)].map((match) => match[1]);
    expect(copied).toEqual(['--from=installed /opt/gen-block /opt/gen-block']);
  });

  test('is called by the version in its own words and in the example for Kubernetes', () => {
    const job = readFileSync(join(CHECKOUT, 'docs/examples/kubernetes-job.yaml'), 'utf8');
    const names = [...`${text}\n${job}`.matchAll(/(?:gen-block:|image\.version=")([\d.]+)/g)].map(
      (match) => match[1],
    );
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names)).toEqual(new Set([TOOL_VERSION]));
  });

  test('takes no blocks, seeds and keys into a build', () => {
    const left = readFileSync(join(CHECKOUT, '.dockerignore'), 'utf8').split('\n');
    expect(left).toEqual(expect.arrayContaining(['output/*', '**/*.seed', '**/*.key']));
  });
});

describe('the bill of materials', () => {
  const make = async (bytes: string): Promise<string> => {
    const tarball = join(newFolder(), 'any.tgz');
    writeFileSync(tarball, bytes);
    const argv = [join(CHECKOUT, 'scripts/sbom.mjs'), tarball];
    const { exitCode, stdout, stderr } = await runTool(process.execPath, argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  };

  let text: string;
  let bill: Bill;

  beforeAll(async () => {
    text = await make('one');
    bill = JSON.parse(text) as Bill;
  });

  test('has all that is shipped, with version, licence and hash, and nothing else', () => {
    const found = bill.components.map(({ name, version, scope, hashes }) => ({
      name,
      version,
      isOptional: scope === 'optional',
      hashes: hashes.map(({ content }) => content),
    }));
    const expected = shipped.map(({ name, version, optional, devOptional, integrity = '' }) => ({
      name,
      version,
      isOptional: optional === true || devOptional === true,
      hashes: [Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')],
    }));
    const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
      a.name < b.name ? -1 : 1;
    expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
    expect(bill.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });

  test('leads from the program to each of them', () => {
    const dependsOn = new Map(bill.dependencies.map((item) => [item.ref, item.dependsOn]));
    const [program = ''] = dependsOn.keys();
    const reached = new Set([program]);
    for (const ref of reached) dependsOn.get(ref)?.forEach((id) => reached.add(id));
    reached.delete(program);
    const all = bill.components.map((component) => component['bom-ref']);
    expect([...reached].sort()).toEqual(all.sort());
  });

  test('is that of the tarball', () => {
    const content = createHash('sha256').update('one').digest('hex');
    const { component } = bill.metadata;
    expect(component).toMatchObject({ name: 'gen-block', hashes: [{ alg: 'SHA-256', content }] });
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('is the same to the byte when it is made again, and another for another tarball', async () => {
    expect(await make('one')).toBe(text);
    const other = JSON.parse(await make('two')) as Bill;
    expect(other.serialNumber).not.toBe(bill.serialNumber);
  });

  test('names no place that packages came from', () => {
    expect(text).not.toMatch(/"url"|file:|\/node_modules\//);
  });
});
