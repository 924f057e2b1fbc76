import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { folderMaker } from '../testing/sample-requests.js';
import { releaseProgram, writeBuild } from '../testing/released-program.js';
import { programBuild, programSha256 } from './program-hash.js';

const newFolder = folderMaker();
const RECORD = 'dist/build.json';

let folder: string;
let sha256: string;

beforeAll(() => {
  folder = newFolder();
  ({ sha256 } = releaseProgram(folder));
});

/** Takes back what a test has done to a file, which may not have been there. */
function keeping(path: string, change: () => void): void {
  const full = join(folder, path);
  const before = existsSync(full) ? readFileSync(full) : undefined;
  try {
    change();
  } finally {
    if (before === undefined) rmSync(full, { force: true });
    else writeFileSync(full, before);
  }
}

describe('the hash of the program', () => {
  test('is what sha256sum makes of its files', () => {
    const list =
      'find bin dist/completions dist/program dist/report dist/validators package.json schemas src/definitions/games -type f';
    const script = `${list} | LC_ALL=C sort | xargs sha256sum | sha256sum`;
    const found = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(found.slice(0, 64)).toBe(sha256);
  });

  test('is the same wherever the program lies', () => {
    expect(programSha256()).toBe(sha256);
  });

  test.each([
    'bin/gen-block.js',
    'dist/program/main.js',
    'dist/program/index.js',
    'dist/program/sha256-lanes.wasm',
    'dist/report/player.js',
    'dist/validators/manifest.cjs',
    'package.json',
    'schemas/manifest.schema.json',
    'src/definitions/games/eldorado.json',
  ])('is another one when a byte is added to %s', (path) => {
    keeping(path, () => {
      appendFileSync(join(folder, path), '\n');
      expect(programSha256(folder)).not.toBe(sha256);
    });
    expect(programSha256(folder)).toBe(sha256);
  });

  test('is another one when a file comes or goes', () => {
    const hashes = [sha256];
    keeping('dist/program/new.js', () => {
      writeFileSync(join(folder, 'dist/program/new.js'), '');
      hashes.push(programSha256(folder));
    });
    keeping('dist/program/index.js', () => {
      rmSync(join(folder, 'dist/program/index.js'));
      hashes.push(programSha256(folder));
    });
    expect(new Set(hashes).size).toBe(3);
  });

  test.each(['dist/index.d.ts', 'dist/engine/shuffle.js', 'docs/security.md'])(
    'does not count what only people and editors read, such as %s',
    (path) => {
      keeping(path, () => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), 'more');
        expect(programSha256(folder)).toBe(sha256);
      });
    },
  );
});

describe('the build of the program', () => {
  test('is clean where it is out of a commit as it was', () => {
    expect(programBuild(folder)).toEqual({ sha256, state: 'clean' });
  });

  const commit = 'a'.repeat(40);
  test.each<[string, () => unknown]>([
    ['dirty', () => ({ commit, clean: false, program_sha256: sha256 })],
    ['unknown', () => ({ commit: null, clean: false, program_sha256: sha256 })],
    ['unknown', () => []],
    ['unknown', () => null],
    ['altered', () => ({ commit, clean: true, program_sha256: 'b'.repeat(64) })],
  ])('is %s where its record says so', (state, record) => {
    keeping(RECORD, () => {
      writeBuild(folder, record());
      expect(programBuild(folder).state).toBe(state);
    });
  });

  test('is unknown without a record, or with one that is no JSON', () => {
    keeping(RECORD, () => {
      writeFileSync(join(folder, RECORD), '{');
      expect(programBuild(folder).state).toBe('unknown');
      rmSync(join(folder, RECORD));
      expect(programBuild(folder).state).toBe('unknown');
    });
  });

  test('is altered once a file has changed', () => {
    keeping('dist/program/main.js', () => {
      appendFileSync(join(folder, 'dist/program/main.js'), '\n');
      expect(programBuild(folder).state).toBe('altered');
    });
  });

  test('of this repository has a record of the commit that it was built from', () => {
    const { state } = programBuild();
    expect(['clean', 'dirty', 'unknown']).toContain(state);
  });
});
