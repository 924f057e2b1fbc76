import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import * as library from './index.js';
import { sampleKey } from './testing/sample-keys.js';
import { definitionPath, folderMaker, namesIn } from './testing/sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();

describe('the library', () => {
  test('loads a game, makes a block, verifies it, and makes one ticket of it again', async () => {
    const { generateBlock, loadDefinitionFile, planBlock, verifyBlock, drawTicket } = library;
    const game = loadDefinitionFile(definitionPath('collect-bare'));
    const seed = Buffer.from('library');
    const request = {
      game,
      stakeCents: 100,
      seed,
      engine: 'chacha20',
      emission: 1,
      block: 1,
    } as const;
    const { folder, kept, report } = await generateBlock(request, { outputFolder: newFolder() });
    expect([kept, report.conforms]).toEqual([false, true]);
    expect((await verifyBlock(folder, { game })).findings).toEqual([]);
    expect((await library.verifyBlockFromSeed(folder, seed, { game })).notChecked).toEqual([]);
    const file = { game, stake: library.findStake(game, 100), format: 'csv' } as const;
    expect((await library.verifyTicketsFile(`${folder}/tickets.csv`, file)).conforms).toBe(true);
    const record = drawTicket(await planBlock(request), 600);
    expect(record.ticket).toBe(600);
    const source = await library.openBlockTickets(folder, game);
    expect(await source.records([600])).toEqual([record]);
  });

  test('knows the games that are shipped, and the engines and formats', () => {
    expect(library.gameIds()).toEqual(['eldorado', 'lagon-paradis']);
    expect(library.gameIds().map((id) => library.loadGame(id).blockSize)).toEqual([
      900_000, 800_000,
    ]);
    expect(library.ENGINE_IDS).toEqual(['seedrandom', 'chacha20']);
    expect(library.TICKET_FORMATS).toEqual(['ndjson', 'csv']);
    expect(library.COMPRESSIONS).toEqual(['gzip']);
  });

  test('works out what a game pays, one that is shipped or one of the user', () => {
    const { gameFacts, loadDefinedGame, readDefinedGame } = library;
    expect(gameFacts(loadDefinedGame('eldorado')).stakes.map(({ payOut }) => payOut)).toEqual([
      0.7, 0.7, 0.7,
    ]);
    expect(gameFacts(readDefinedGame(definitionPath('rows-plain')))).toMatchObject({
      id: 'rows-plain',
      stakes: [{ winningTickets: 172 }],
    });
  });

  test('throws errors that can be told apart by class and code', async () => {
    const { ConformanceError, DefinitionError, InputError, MachineError } = library;
    expect(() => library.loadGame('bingo')).toThrow(InputError);
    expect(() => library.parseDefinition('{}', 'here')).toThrow(DefinitionError);
    expect(new DefinitionError([], 'here')).toBeInstanceOf(InputError);
    expect(new ConformanceError('x', {} as library.VerifyReport)).toBeInstanceOf(Error);
    const game = library.loadDefinitionFile(definitionPath('collect-bare'));
    const request = { game, stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
    const seed = Buffer.from('x');
    await expect(
      library.generateBlock({ ...request, seed }, { outputFolder: '/proc/none' }),
    ).rejects.toThrow(MachineError);
  });

  test('sets no exit code, says nothing and hears no signals', async () => {
    const before = [process.exitCode, process.listenerCount('SIGINT')];
    const write = jest.spyOn(process.stdout, 'write');
    const game = library.loadDefinitionFile(definitionPath('collect-bare'));
    const request = { game, stakeCents: 100, engine: 'seedrandom', emission: 1, block: 1 } as const;
    const seed = Buffer.from('quiet');
    await library.generateBlock({ ...request, seed }, { outputFolder: newFolder() });
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect([process.exitCode, process.listenerCount('SIGINT')]).toEqual(before);
  });

  test('is what the package exports by its name', async () => {
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    const out = newFolder();
    const script = `
      import * as library from 'gen-block';
      const game = library.loadDefinitionFile(process.argv[1]);
      const request = { game, stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 };
      const made = await library.generateBlock(
        { ...request, seed: new TextEncoder().encode('x') },
        { outputFolder: process.argv[2], formats: ['csv'] },
      );
      console.log(JSON.stringify([Object.keys(library).sort(), made.report.conforms]));`;
    const argv = ['--input-type=module', '-e', script, definitionPath('collect-bare'), out];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd });
    expect(JSON.parse(stdout)).toEqual([Object.keys(library).sort(), true]);
    expect(namesIn(out)).toEqual(['collect-bare-100-e1-b1']);
  });

  test('signs a block, and holds it against keys that are trusted', async () => {
    const { InputError, parsePublicKey, parseSigningKey, signBlock, verifyBlock } = library;
    const { privatePem, publicPem } = sampleKey('a');
    const key = parseSigningKey(Buffer.from(privatePem), 'the key');
    const trustedKeys = [parsePublicKey(Buffer.from(publicPem), 'the key')];
    const game = library.loadDefinitionFile(definitionPath('collect-bare'));
    const request = { game, stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
    const made = { ...request, seed: Buffer.from('signed') };
    const { folder } = await library.generateBlock(made, { outputFolder: newFolder() });
    expect((await verifyBlock(folder, { game, trustedKeys })).conforms).toBe(false);
    const { report, signatures } = await signBlock(folder, key, { game });
    expect([report.conforms, signatures]).toEqual([
      true,
      [{ name: `manifest.json.${key.id}.sig`, outcome: 'made' }],
    ]);
    expect((await verifyBlock(folder, { game, trustedKeys })).conforms).toBe(true);
    const { report: signed } = await library.generateBlock(made, {
      ...{ outputFolder: newFolder(), signWith: key },
    });
    expect(signed.checked).toContain(`the signature of manifest.json by key ${key.id}`);
    expect(() => parsePublicKey(Buffer.from(privatePem), 'the key')).toThrow(InputError);
  });

  test('makes a page on a block', async () => {
    const game = library.loadDefinitionFile(definitionPath('collect-bare'));
    const request = { game, stakeCents: 100, engine: 'chacha20', emission: 1, block: 1 } as const;
    const seed = Buffer.from('page');
    const { folder } = await library.generateBlock(
      { ...request, seed },
      { outputFolder: newFolder() },
    );
    const { page, passes } = await library.reportBlock(folder, { game, isPublic: true });
    expect([passes, page.startsWith('<!doctype html>')]).toEqual([true, true]);
  });
});

describe('the library of plots', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const program = `${root}bin/gen-block.js`;
  const definition = definitionPath('collect-bare');

  /** Lets nothing load the packages that only a report needs. */
  const LOADER = `export async function resolve(specifier, context, next) {
    const isRefused = ['@observablehq/plot', 'linkedom'].includes(specifier);
    if (isRefused) throw new Error('refused ' + specifier);
    return next(specifier, context);
  }`;
  const asUrl = (script: string): string => `data:text/javascript,${encodeURIComponent(script)}`;
  const REFUSER = asUrl(
    `import { register } from 'node:module'; register(${JSON.stringify(asUrl(LOADER))});`,
  );

  async function runWithout(...argv: readonly string[]): Promise<string> {
    const options = { cwd: root };
    const run = promisify(execFile)(process.execPath, ['--import', REFUSER, ...argv], options);
    const { stdout, stderr } = await run.catch((error: unknown) => {
      return error as { readonly stdout: string; readonly stderr: string };
    });
    return stdout + stderr;
  }

  test('is not loaded with the library, nor to verify a block or to say the version', async () => {
    const script = "console.log(typeof (await import('gen-block')).reportBlock)";
    expect(await runWithout('--input-type=module', '-e', script)).toBe('function\n');
    expect(await runWithout(program, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    const out = newFolder();
    const made = ['--definition', definition, '--stake', '1', '--seed', 'x', '--out', out];
    expect(await runWithout(program, ...made)).toContain('No findings: the block conforms.');
    // What refuses it is at work.
    const report = ['report', `${out}/collect-bare-100-e1-b1`, '--definition', definition];
    expect(await runWithout(program, ...report, '-o', '-')).toMatch(/refused @observablehq\/plot/);
  });
});
