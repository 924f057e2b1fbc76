import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PROGRAM } from '../testing/command-line.js';
import { NEEDS } from '../testing/fault-campaign/needs.js';
import { runProgram } from '../testing/fault-campaign/run-program.js';
import {
  makeOfflinePlace,
  OFFLINE_COMMANDS,
  type OfflinePlace,
} from '../testing/offline/commands.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();

/** What a line of the tracer begins with where a thread opens, connects or uses a socket of its own. */
const SOCKET_USE = /^\d+ +(?:socket|connect|bind|listen|accept4?|send\w+|recv\w+)\(/;

let place: OfflinePlace;

beforeAll(async () => {
  if (!NEEDS.strace.isThere()) throw new Error(NEEDS.strace.advice);
  place = await makeOfflinePlace(newFolder());
});

/** Runs Node under the tracer of system calls; returns its exit code and what touched the network. */
async function trace(argv: readonly string[]): Promise<readonly unknown[]> {
  const file = join(newFolder(), 'trace');
  const tracer = ['strace', '-f', '-qq', '-e', 'trace=network', '-o', file];
  const { exit } = await runProgram([...tracer, process.execPath, ...argv]);
  const lines = readFileSync(file, 'latin1').split('\n');
  return [exit, lines.filter((line) => SOCKET_USE.test(line))];
}

describe('without a single socket works', () => {
  test.each(OFFLINE_COMMANDS)('$title', async ({ argv }) => {
    expect(await trace([PROGRAM, ...argv(place, newFolder())])).toEqual([0, []]);
  });
});

test.each([
  ['a connection', "net.connect(4, '127.0.0.1').on('error', () => {})", /connect\(.*AF_INET/],
  ['a lookup', "dns.lookup('offline.invalid', () => {})", /socket\(AF_(?:INET|UNIX|NETLINK)/],
  ['a program', "child_process.spawnSync(process.execPath, ['-e', process.argv[1]])", /AF_INET/],
])('the tracer sees %s', async (_, statement, line) => {
  const inner = "net.connect(4, '127.0.0.1').on('error', () => {})";
  const [exit, lines] = await trace(['-e', statement, inner]);
  expect(exit).toBe(0);
  expect(lines).toContainEqual(expect.stringMatching(line));
});
