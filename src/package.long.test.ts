import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { TOOL_VERSION } from './core/tool-version.js';
import { makeGoldenBlock, readGolden } from './testing/golden.js';
import {
  CHECKOUT,
  installPackage,
  NODE_VERSIONS,
  nodeOf,
  npm,
  packFolder,
  runTool,
} from './testing/packed.js';
import { folderMaker, hashesOf } from './testing/sample-requests.js';

jest.setTimeout(1_200_000);
const newFolder = folderMaker();

/** What is committed, in a folder of its own. */
function clone(name: string, umask?: number): string {
  const folder = join(newFolder(), name);
  const before = umask === undefined ? undefined : process.umask(umask);
  execFileSync('git', ['clone', '--quiet', CHECKOUT, folder]);
  if (before !== undefined) process.umask(before);
  return folder;
}

describe('a clean clone', () => {
  test('is built and runs where the tools of the build are left out', async () => {
    const folder = clone('without-tools');
    writeFileSync(join(folder, 'real.seed'), 'secret', { mode: 0o600 });
    const temporary = join(newFolder(), 'tmp');
    mkdirSync(temporary);
    const ci = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await npm(folder, ci, { TMPDIR: temporary });
    expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
    expect(readFileSync(join(folder, 'dist/build.json'), 'utf8')).toContain('"clean":true');
    const bin = join(folder, 'bin/gen-block.js');
    expect(await runTool(process.execPath, [bin, '--version'])).toMatchObject({
      exitCode: 0,
      stdout: `${TOOL_VERSION}\n`,
    });
    expect(execFileSync('ls', [temporary], { encoding: 'utf8' })).not.toContain('gen-block-build');
  });

  test('comes to no end of building in a run that does nothing', async () => {
    const folder = clone('dry');
    // A false npm that notes what it was called for, and does nothing, as a dry run does.
    const tools = newFolder();
    const calls = join(tools, 'calls');
    writeFileSync(join(tools, 'npm'), `#!/bin/sh\necho "$npm_config_dry_run $*" >> '${calls}'\n`);
    chmodSync(join(tools, 'npm'), 0o755);
    const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}`, npm_config_dry_run: 'true' };
    const { exitCode } = await runTool(process.execPath, [join(folder, 'scripts/prepare.mjs')], {
      env,
    });
    expect(exitCode).not.toBe(0);
    expect(readFileSync(calls, 'utf8')).toBe(
      ' ci --include=dev --ignore-scripts --no-audit --no-fund\n',
    );
  });

  test('makes the same release to the byte, whatever the umask, the folder and the time zone', async () => {
    const release = async (folder: string, env: Readonly<Record<string, string>>) => {
      const ci = ['ci', '--prefer-offline', '--no-audit', '--no-fund'];
      await npm(folder, ci, env);
      const out = newFolder();
      await npm(folder, ['run', 'release', '--silent', '--', out], env);
      return { sums: readFileSync(join(out, 'SHA256SUMS'), 'utf8'), hashes: hashesOf(out) };
    };
    const one = await release(clone('one'), { TZ: 'UTC' });
    const two = await release(clone('another/deeper/two', 0o077), { TZ: 'Pacific/Kiritimati' });
    expect(two.hashes).toEqual(one.hashes);
    const files = Object.entries(one.hashes).filter(([name]) => name !== 'SHA256SUMS');
    expect(one.sums).toBe(files.map(([name, hash]) => `${hash}  ${name}\n`).join(''));
    expect(files.map(([name]) => name)).toEqual([
      `gen-block-${TOOL_VERSION}.cdx.json`,
      `gen-block-${TOOL_VERSION}.tgz`,
    ]);
  });
});

describe.each(NODE_VERSIONS)('on Node.js %s', (version) => {
  test('the installed package makes every golden block of a stake of one euro', async () => {
    const folder = newFolder();
    await installPackage(folder, await packFolder(CHECKOUT, newFolder()), '--omit=optional');
    const bin = join(folder, 'node_modules/gen-block/bin/gen-block.js');
    const golden = readGolden().blocks.filter((block) => block.stake_cents === 100);
    expect(golden.length).toBe(4);
    for (const block of golden) {
      const made = await makeGoldenBlock(block, newFolder(), [nodeOf(version), bin]);
      expect(made.sha256).toEqual(block.sha256);
    }
  });
});
