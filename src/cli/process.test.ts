import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { PROGRAM, resultOf, runProcess, startProcess } from '../testing/command-line.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  namesIn,
  sampleRequest,
} from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const PLAIN = ['--definition', definitionPath('rows-plain'), '--stake', '1'];
const NAME = 'rows-plain-100-e1-b1';
const ANSI = '\u001b[';

let out: string;

beforeEach(() => {
  out = newFolder();
});

/** Runs a line of shell, in which "$0" is the program and "$1" and so on are the arguments. */
async function shell(
  line: string,
  argv: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  // Bash reads a start-up file where its input is a socket, unless it is told not to.
  const words = ['--norc', '-c', line, PROGRAM, ...argv];
  return promisify(execFile)('bash', words, { env: { PATH: process.env['PATH'] ?? '' } });
}

/** Makes the block that the seed "demo" makes, without a process. */
async function makeBlock(outputFolder: string): ReturnType<typeof generateBlock> {
  const seed = Buffer.from('demo');
  return generateBlock(sampleRequest('rows-plain', { seed }), { outputFolder });
}

describe('a process of the program', () => {
  test('ends with 1 for a broken block, and its report is on standard output', async () => {
    const { folder } = await makeBlock(out);
    writeFileSync(join(folder, 'tickets.csv'), 'broken\n');
    const argv = [...PLAIN, '--out', out, '--seed', 'demo', '--json'];
    const { exitCode, stdout, stderr } = await runProcess(argv);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ report: { conforms: false } });
    expect(stderr).toContain(`${folder} is there already and does not conform`);
  });

  test('ends with 3 and one line where standard output takes nothing', async () => {
    const line = '"$0" "$@" > /dev/full; echo "exit $?" >&2';
    const { stderr } = await shell(line, [...PLAIN, '--out', out, '--seed', 'demo']);
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      expect.stringMatching(/^gen-block: cannot write to the output: the disk is full/),
      'exit 3',
    ]);
    expect(namesIn(out)).toEqual([NAME]);
  });

  test('ends with 3 and one line where standard output takes no stream', async () => {
    const line = '"$0" "$@" > /dev/full; echo "exit $?" >&2';
    const argv = [...PLAIN, '--out', '-', '-f', 'csv', '--seed', 'demo'];
    const { stderr } = await shell(line, argv);
    const [warning, ...lines] = stderr.trimEnd().split('\n');
    expect(warning).toContain('command line');
    expect(lines).toEqual([
      expect.stringMatching(/^gen-block: cannot write to standard output: .*is not a block/),
      'exit 3',
    ]);
  });

  test('ends quietly where its reader has gone', async () => {
    const child = startProcess([...PLAIN, '--out', out, '--seed', 'demo', '--json']);
    child.stdout?.destroy();
    const { exitCode, stderr } = await resultOf(child);
    expect(exitCode).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('command line'),
      expect.stringContaining('was generated and verified'),
    ]);
  });

  test('does not call a stream that nobody read to its end a block', async () => {
    const definition = definitionPath('lagon-mini');
    const argv = [
      '--definition',
      definition,
      '-s',
      '1',
      '--seed',
      'demo',
      '-f',
      'ndjson',
      '-o',
      '-',
    ];
    const line = '"$0" "$@" | head -1; echo "exit ${PIPESTATUS[0]}"';
    const { stdout, stderr } = await shell(line, argv);
    expect(stdout).toMatch(/^\{"ticket":1,.*\}\nexit 3\n$/);
    expect(stderr.trimEnd().split('\n')[1]).toBe(
      'gen-block: cannot write to standard output: whoever reads it stopped before the end; ' +
        'what was read is not a block, start again',
    );
  });

  test('ends with 3 and one line where the program is not built, or broken', async () => {
    mkdirSync(join(out, 'bin'));
    copyFileSync(PROGRAM, join(out, 'bin', 'gen-block.js'));
    writeFileSync(join(out, 'package.json'), '{"type":"module"}');
    const line = `${process.execPath} ${join(out, 'bin', 'gen-block.js')}; echo "exit $?"`;
    expect(await shell(line, [])).toEqual({
      stdout: 'exit 3\n',
      stderr: 'gen-block: dist/ is missing: run "npm run build".\n',
    });
    mkdirSync(join(out, 'dist', 'program'), { recursive: true });
    writeFileSync(join(out, 'dist', 'program', 'main.js'), "import './lost.js';");
    const { stdout, stderr } = await shell(line, []);
    expect(stdout).toBe('exit 3\n');
    expect(stderr).toMatch(/^gen-block: cannot be started; install it again: [^\n]+\n$/);
  });

  test('says that the limit of open files is too low where it cannot even be loaded', async () => {
    const line = 'ulimit -n 20; "$0" "$@"; echo "exit $?"';
    const { stdout, stderr } = await shell(line, [...PLAIN, '--out', out, '--seed', 'demo']);
    expect(stdout).toBe('exit 3\n');
    expect(stderr).toMatch(
      /^gen-block: cannot be started; raise the limit .*: Error: EMFILE[^\n]*\n$/,
    );
  });

  test('may be started by a link to it', async () => {
    symlinkSync(PROGRAM, join(out, 'gen-block'));
    const { stdout } = await promisify(execFile)(join(out, 'gen-block'), ['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a seed on standard input', () => {
  const argv = [...PLAIN, '--seed-file', '-', '--quiet'];

  test('may come through a pipe, a socket or a file', async () => {
    const folders = [newFolder(), newFolder(), newFolder()];
    const [piped = '', sent = '', redirected = ''] = folders;
    await shell('printf "demo\\n" | "$0" "$@"', [...argv, '--out', piped]);
    expect(await runProcess([...argv, '--out', sent], { input: 'demo\r\n' })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    writeFileSync(join(out, 'a.seed'), 'demo');
    await shell(`"$0" "$@" < '${join(out, 'a.seed')}'`, [...argv, '--out', redirected]);
    const hashes = hashesOf((await makeBlock(out)).folder);
    for (const folder of folders) expect(hashesOf(join(folder, NAME))).toEqual(hashes);
  });

  test.each([
    ['empty', '', 'is empty'],
    ['endless', 'x'.repeat(1_000_000), 'has more than 65536 bytes'],
  ])('that is %s is refused', async (_, input, words) => {
    const { exitCode, stderr } = await runProcess([...argv, '--out', out], { input });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`^gen-block: the seed from standard input ${words}[^\n]*\n$`),
    );
    expect(namesIn(out)).toEqual([]);
  });
});

test('a seed in the environment or on the command line that is no UTF-8 is refused', async () => {
  const bytes = '$(printf "x\\377")';
  for (const line of [
    `"$0" "$@" --seed "${bytes}"; echo "exit $?" >&2`,
    `GEN_BLOCK_SEED="${bytes}" "$0" "$@"; echo "exit $?" >&2`,
  ]) {
    const { stderr } = await shell(line, [...PLAIN, '--out', out, '--quiet']);
    expect(stderr).toMatch(/^gen-block: the seed from \S+ is not valid UTF-8; [^\n]+\nexit 2\n$/);
  }
  expect(namesIn(out)).toEqual([]);
});

describe('colours and the progress bar', () => {
  const argv = [...PLAIN, '--seed', 'demo'];
  /**
   * Runs the program on a terminal of its own, once for each environment and arguments that it is told, and
   * hands on what the terminal shows of each.
   */
  const ON_TERMINAL = `
import json, os, pty, sys
shown = []
def read(descriptor):
    data = os.read(descriptor, 65536)
    shown[-1] += data
    return data
program, runs = sys.argv[1:3], json.loads(sys.argv[3])
keep = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for env, argv in runs:
    shown.append(b"")
    os.environ.clear()
    os.environ.update(env)
    if pty.spawn(program + argv, read) != 0:
        sys.exit(1)
os.write(keep, json.dumps([text.decode() for text in shown]).encode())
`;

  async function onTerminal(
    ...runs: readonly (readonly [env: Readonly<Record<string, string>>, ...more: string[]])[]
  ): Promise<readonly string[]> {
    const { PATH = '' } = process.env;
    const told = runs.map(([env, ...more]) => {
      return [{ PATH, TERM: 'xterm', ...env }, [...argv, '--out', newFolder(), ...more]];
    });
    const words = ['-c', ON_TERMINAL, process.execPath, PROGRAM, JSON.stringify(told)];
    const { stdout } = await promisify(execFile)('python3', words);
    return JSON.parse(stdout) as readonly string[];
  }

  test('do not get into a pipe, whatever the environment promises', async () => {
    const env = { CI: 'true', FORCE_COLOR: '1', TERM: 'xterm-256color' };
    const { exitCode, stdout, stderr } = await runProcess([...argv, '--out', out], { env });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain(ANSI);
    expect(stderr).not.toContain(ANSI);
    expect(stderr).not.toContain('drawing');
  });

  test('are shown on a terminal, colours not with NO_COLOR, and nothing with --quiet', async () => {
    const [shown, plain, quiet] = await onTerminal([{}], [{ NO_COLOR: '1' }], [{}, '--quiet']);
    expect(shown).toContain(`${ANSI}32mNo findings: the block conforms.${ANSI}39m`);
    expect(shown).toMatch(/drawing =+ 100 %, [\d,]+ tickets a second/);
    expect(shown).toMatch(/verifying =+ 100 %, [\d,]+ bytes a second/);
    expect(plain).toContain('\nNo findings: the block conforms.\r\n');
    expect(quiet).toBe('');
  });
});

describe('a process in the middle of a whole block of Eldorado', () => {
  /** Waits until the block is being written, and not longer than a run can take. */
  async function untilWriting(): Promise<void> {
    for (let attempt = 0; attempt < 6000; attempt += 1) {
      const [staging] = readdirSync(out).filter((name) => name.includes('.staging-'));
      if (staging !== undefined && readdirSync(join(out, staging)).length > 0) return;
      await setTimeout(5);
    }
    throw new Error('no block was being written');
  }

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'ends in good order at %s, leaves nothing, and does not show its seed to others',
    async (signal, code) => {
      const seed = 'Geheim7-on-the-command-line';
      const child = startProcess(['-g', 'eldorado', '-s', '1', '--seed', seed, '-o', out]);
      const ended = resultOf(child);
      await untilWriting();
      const commandLine = readFileSync(`/proc/${child.pid ?? 0}/cmdline`, 'utf8');
      child.kill(signal);
      const { exitCode, signal: killedBy, stdout, stderr } = await ended;
      expect([exitCode, killedBy, stdout]).toEqual([code, undefined, '']);
      expect(stderr.split('\n')[1]).toBe(
        `gen-block: stopped by ${signal}; nothing of the block was kept`,
      );
      expect(stderr.split('\n')).toHaveLength(3);
      expect(namesIn(out)).toEqual([]);
      expect(commandLine).toMatch(/^gen-block\0*$/);
    },
  );

  test('takes a fresh seed away again when it is stopped, so that it can be started again', async () => {
    const child = startProcess(['-g', 'eldorado', '-s', '1', '-o', out]);
    const ended = resultOf(child);
    await untilWriting();
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('eldorado-100-e1-b1.seed was removed again\n');
    expect(namesIn(out)).toEqual([]);
  });
});
