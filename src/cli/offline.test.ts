import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  makeOfflinePlace,
  OFFLINE_COMMANDS,
  type OfflineCommand,
  type OfflinePlace,
} from '../testing/offline/commands.js';
import { recordCode, recordProgram } from '../testing/offline/recording.js';
import { folderMaker } from '../testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const LIBRARY = new URL('../../dist/index.js', import.meta.url);
const COMMAND_LINE = new URL('../../dist/cli/run.js', import.meta.url);

const IMPORTS = `
  import children from 'node:child_process';
  import dgram from 'node:dgram';
  import dns from 'node:dns';
  import https from 'node:https';
  import { createRequire } from 'node:module';
  import net from 'node:net';
  import process from 'node:process';
  const ignore = () => undefined;
`;

let place: OfflinePlace;

beforeAll(async () => {
  place = await makeOfflinePlace(newFolder());
});

describe('without a network and without a driver works', () => {
  const isThreaded = (command: OfflineCommand): boolean => command.isThreaded === true;

  test.each(OFFLINE_COMMANDS.filter(isThreaded))('$title', async ({ argv }) => {
    const recording = await recordProgram(argv(place, newFolder()), newFolder());
    const { exitCode, stderr, contacts, drivers, threads } = recording;
    expect({ exitCode, contacts, drivers, stderr }).toMatchObject({
      exitCode: 0,
      contacts: [],
      drivers: [],
    });
    expect(threads).toBeGreaterThan(1);
  });

  // One process after the other for each of them takes too long; the long run has them alone.
  test('the library, and every command that has one thread, in one process', async () => {
    const commands = OFFLINE_COMMANDS.filter((command) => !isThreaded(command));
    const argvs = commands.map(({ argv }) => argv(place, newFolder()));
    const code = `
      import process from 'node:process';
      const { gameIds, loadGame } = await import(${JSON.stringify(LIBRARY.href)});
      for (const id of gameIds()) loadGame(id);
      const { run } = await import(${JSON.stringify(COMMAND_LINE.href)});
      for (const argv of ${JSON.stringify(argvs)}) {
        await run(argv);
        if ((process.exitCode ?? 0) !== 0) throw new Error(argv.join(' '));
      }
    `;
    expect(commands.length).toBeGreaterThan(10);
    expect(await recordCode(code, newFolder())).toEqual({ contacts: [], drivers: [], threads: 1 });
  });
});

// Port 4 of the own machine is nobody's, and what is tried there does not get out.
describe('the recorder sees', () => {
  test('a connection by a socket, by HTTPS and by fetch', async () => {
    const ways = {
      socket: "once(net.connect(4, '127.0.0.1'), 'connect')",
      HTTPS: "once(https.get('https://127.0.0.1:4'), 'response')",
      // The standard forbids it some ports, such as 4.
      fetch: "fetch('http://127.0.0.1:4444')",
    };
    const steps = Object.entries(ways).map(([name, attempt]) => {
      const mark = JSON.stringify(`network by ${name}\n`);
      return `appendFileSync(process.env.OFFLINE_LOG, ${mark}); await ${attempt}.catch(ignore);`;
    });
    const more = "import { once } from 'node:events'; import { appendFileSync } from 'node:fs';";
    const { contacts } = await recordCode(`${more} ${IMPORTS} ${steps.join(' ')}`, newFolder());
    for (const name of Object.keys(ways)) {
      const seen = contacts.slice(contacts.indexOf(`network by ${name}`) + 1);
      const end = seen.findIndex((line) => line.startsWith('network by '));
      const ownContacts = end < 0 ? seen : seen.slice(0, end);
      expect([name, ownContacts]).toEqual([name, expect.arrayContaining(['network TCPWRAP'])]);
    }
  });

  test('listeners, datagrams, lookups, addons and other programs', async () => {
    const code = `
      ${IMPORTS}
      net.createServer().listen(0, '127.0.0.1').unref();
      dgram.createSocket('udp4').unref().send('', 4, '127.0.0.1');
      dns.lookup('localhost', ignore);
      dns.lookupService('127.0.0.1', 4, ignore);
      dns.resolve4('localhost', ignore);
      children.spawn('true');
      for (const name of ['spawnSync', 'execSync', 'execFileSync']) children[name]('true');
      try { process.dlopen({ exports: {} }, '/none.node'); } catch {}
      // Not later: an answer to the query is not waited for.
      setImmediate(() => process.exit());
    `;
    const { contacts } = await recordCode(code, newFolder());
    expect(contacts).toEqual(
      expect.arrayContaining([
        'network TCPSERVERWRAP',
        'network UDPWRAP',
        'network GETADDRINFOREQWRAP',
        'network GETNAMEINFOREQWRAP',
        'network QUERYWRAP',
        'process spawn',
        'process spawnSync',
        'process execSync',
        'process execFileSync',
        'addon /none.node',
      ]),
    );
  });

  test('a connection and a driver of another thread', async () => {
    const file = join(newFolder(), 'thread.mjs');
    const connect = "net.connect(4, '127.0.0.1').on('error', () => undefined);";
    const load = "await import('pg').catch(() => undefined);";
    writeFileSync(file, `import net from 'node:net'; ${connect} ${load}`);
    const url = JSON.stringify(pathToFileURL(file).href);
    const code = `
      import { Worker } from 'node:worker_threads';
      new Worker(new URL(${url}), { execArgv: [] });
    `;
    const { contacts, drivers, threads } = await recordCode(code, newFolder());
    expect([contacts.includes('network TCPWRAP'), drivers, threads]).toEqual([true, ['pg'], 2]);
  });

  test('drivers: imported, required, required by a package, and one that is not there', async () => {
    const code = `
      ${IMPORTS}
      for (const name of ['pg', '@photostructure/sqlite', 'pg-none', 'node:sqlite']) {
        await import(name).catch(ignore);
      }
      createRequire(import.meta.url)('pg-copy-streams');
    `;
    const { drivers } = await recordCode(code, newFolder());
    const names = ['pg', '@photostructure/sqlite', 'pg-none', 'node:sqlite', 'pg-copy-streams'];
    expect(drivers).toEqual(expect.arrayContaining([...names, 'pg-protocol']));
  });
});
