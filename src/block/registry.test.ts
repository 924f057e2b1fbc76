import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { REGISTRY_FILE, type RegistryEntry } from '../formats/registry.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';
import { verifyBlock } from '../verify/verify-block.js';
import { lockFolder, REGISTRY_LOCK } from './folder-lock.js';
import { generateBlock, type GenerateOptions } from './generate-block.js';
import { thisHolder } from './lock-holder.js';
import type { BlockRequest } from './plan-block.js';

const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';
const OTHER_SEED = { seed: Buffer.from('another seed') };
const NONCE = 'ab'.repeat(16);
const NOW = new Date('2026-01-02T03:04:05.678Z');

let out: string;
let path: string;

beforeEach(() => {
  out = newFolder();
  path = join(out, REGISTRY_FILE);
});

async function generate(
  changes: Partial<BlockRequest> = {},
  options: Partial<GenerateOptions> = {},
): ReturnType<typeof generateBlock> {
  const request = sampleRequest('collect-bare', changes);
  return generateBlock(request, { outputFolder: out, formats: ['csv'], ...options });
}

function entries(): readonly RegistryEntry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RegistryEntry);
}

function sold(): void {
  rmSync(join(out, NAME), { recursive: true });
}

async function verify(): ReturnType<typeof verifyBlock> {
  return verifyBlock(join(out, NAME), { game: sampleRequest().game });
}

describe('the registry of an output folder', () => {
  test('has an entry of each block, which only its owner can read', async () => {
    const { report } = await generate({}, { time: NOW });
    await generate({ block: 2 });
    expect(readdirSync(out)).toEqual([NAME, 'collect-bare-100-e1-b2', REGISTRY_FILE]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(entries()).toEqual([
      expect.objectContaining({
        number: 1,
        event: 'made',
        name: NAME,
        time: '2026-01-02T03:04:05Z',
        files: [{ format: 'csv', sha256: report.files[0]?.sha256 }],
      }),
      expect.objectContaining({ number: 2, event: 'made', name: 'collect-bare-100-e1-b2' }),
    ]);
    expect(entries()[1]).not.toHaveProperty('time');
    expect(await verify()).toMatchObject({
      conforms: true,
      registry: { entry: 1, entries: 2, head: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('stays as it is where the same block is kept, or made again once it has gone', async () => {
    await generate();
    const before = readFileSync(path);
    expect((await generate()).kept).toBe(true);
    sold();
    expect((await generate()).kept).toBe(false);
    await generate({}, { force: true });
    expect(readFileSync(path)).toEqual(before);
  });

  test('needs no writing where a block is kept that it knows', async () => {
    await generate();
    chmodSync(path, 0o400);
    chmodSync(out, 0o500);
    expect((await generate()).kept).toBe(true);
    chmodSync(out, 0o700);
  });

  test('loses the lock of a process that has died, also where there is nothing to write', async () => {
    await generate();
    const pid = spawnSync('true').pid;
    writeFileSync(join(out, REGISTRY_LOCK.file), JSON.stringify({ ...thisHolder(NONCE), pid }));
    expect((await generate()).kept).toBe(true);
    expect(readdirSync(out)).toEqual([NAME, REGISTRY_FILE]);
    const lock = await lockFolder(out, REGISTRY_LOCK);
    expect((await generate()).kept).toBe(true);
    expect(readdirSync(out)).toContain(REGISTRY_LOCK.file);
    await lock.release();
  });

  test('takes up a block that it does not know, once it has been verified', async () => {
    await generate();
    rmSync(path);
    expect(await verify()).toMatchObject({ conforms: true });
    await generate({ block: 2 });
    expect((await verify()).findings).toMatchObject([
      { code: 'registry-entry', found: 'no entry of it' },
    ]);
    expect((await generate()).kept).toBe(true);
    expect(entries()).toMatchObject([{ event: 'made' }, { event: 'adopted', name: NAME }]);
    expect(await verify()).toMatchObject({ conforms: true });
  });

  test('lets the same tickets be written in another format', async () => {
    await generate();
    sold();
    await generate({}, { formats: ['csv', 'ndjson'] });
    expect(entries()).toMatchObject([{ event: 'made' }, { event: 'made', number: 2 }]);
    sold();
    await generate({}, { formats: ['csv'], compression: 'gzip' });
    expect(entries()).toHaveLength(3);
    expect(await verify()).toMatchObject({ conforms: true, registry: { entry: 3 } });
  });
});

describe('a block number that has been used', () => {
  test.each<[string, Partial<BlockRequest>]>([
    ['another seed', OTHER_SEED],
    ['another engine', { engine: 'chacha20' }],
    ['another definition', { game: { ...sampleRequest().game, definitionSha256: 'a'.repeat(64) } }],
  ])('is not used again for %s, even where the block has gone', async (words, changes) => {
    await generate();
    sold();
    const before = readFileSync(path);
    const drawn: string[] = [];
    const onProgress = ({ phase }: { phase: string }): void => void drawn.push(phase);
    await expect(generate(changes, { onProgress })).rejects.toMatchObject({
      code: 'registered',
      message: `${path} knows ${NAME} already (entry 1), and it was made from ${words}; give another block number, or use generate --force, which stays on record`,
    });
    expect(drawn).toEqual([]);
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(out)).toEqual([REGISTRY_FILE]);
    await expect(generate(changes, { repair: true })).rejects.toMatchObject({ code: 'registered' });
  });

  test('is replaced by force, and what it replaces stays on record', async () => {
    await generate();
    const [first] = entries();
    await generate(OTHER_SEED, { force: true });
    expect(entries()).toMatchObject([
      { ...first },
      {
        event: 'replaced',
        replaced: { number: 1, manifest_sha256: first?.manifest_sha256 },
      },
    ]);
    expect(await verify()).toMatchObject({ conforms: true, registry: { entry: 2, entries: 2 } });
    sold();
    await generate({}, { force: true });
    expect(entries()[2]).toMatchObject({
      event: 'replaced',
      replaced: { number: 2, manifest_sha256: null },
    });
  });

  test('is on record where force replaces what was never registered', async () => {
    await generate();
    rmSync(path);
    await generate(OTHER_SEED, { force: true });
    expect(entries()).toMatchObject([
      { event: 'replaced', replaced: { number: null, manifest_sha256: expect.any(String) } },
    ]);
    rmSync(path);
    rmSync(join(out, NAME, 'manifest.json'));
    await generate(OTHER_SEED, { force: true });
    expect(entries()).toMatchObject([
      { event: 'replaced', replaced: { number: null, manifest_sha256: null } },
    ]);
  });

  test('is found where somebody put another block in its place', async () => {
    await generate();
    const registry = readFileSync(path);
    await generate(OTHER_SEED, { force: true });
    writeFileSync(path, registry);
    expect((await verify()).findings).toMatchObject([
      { code: 'registry-entry', place: { file: REGISTRY_FILE, line: 1 } },
    ]);
    await expect(generate(OTHER_SEED)).rejects.toMatchObject({ code: 'registered' });
    await generate({}, { force: true });
    expect(entries()[1]).toMatchObject({ event: 'replaced', replaced: { number: 1 } });
    expect(await verify()).toMatchObject({ conforms: true });
  });
});

describe('tickets of one seed', () => {
  test('are compared with every format that was ever registered', async () => {
    const { folder } = await generate({}, { formats: ['ndjson'] });
    sold();
    await generate();
    sold();
    // The same tickets but for two that are exchanged: another block, which conforms.
    await generate(OTHER_SEED, { outputFolder: newFolder(), formats: ['ndjson'] }).then((other) => {
      cpSync(other.folder, folder, { recursive: true });
    });
    const manifest = join(folder, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    const commitment = entries()[0]?.seed_commitment ?? '';
    writeFileSync(manifest, text.replace(/(?<="seed_commitment":")[^"]+/, commitment));
    await expect(generate({}, { formats: ['ndjson'] })).rejects.toMatchObject({
      code: 'registered',
      message: expect.stringContaining('it was registered with other tickets'),
    });
  });
});

describe('a registry that is damaged', () => {
  test('by the loss of its last line feed keeps all of its entries', async () => {
    await generate();
    writeFileSync(path, readFileSync(path, 'utf8').trimEnd());
    expect(await verify()).toMatchObject({ conforms: true, registry: { entry: 1 } });
    sold();
    await expect(generate(OTHER_SEED)).rejects.toMatchObject({ code: 'registered' });
    await generate({ block: 2 });
    expect(entries()).toHaveLength(2);
    expect(readFileSync(path, 'utf8')).toMatch(/\}\n\{[^\n]+\}\n$/);
  });

  test('by other bytes at its end is left as it is', async () => {
    await generate();
    const bytes = Buffer.concat([readFileSync(path), Buffer.from('bytes of somebody else')]);
    writeFileSync(path, bytes);
    await expect(generate({ block: 2 })).rejects.toMatchObject({ code: 'bad-registry' });
    expect(readFileSync(path)).toEqual(bytes);
    expect((await verify()).findings).toMatchObject([{ code: 'registry-chain' }]);
  });

  test('in its chain is not written any more, by force neither, and says where', async () => {
    await generate();
    await generate({ block: 2 });
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"made"', '"adopted"'));
    const wrong = { code: 'bad-registry', message: expect.stringContaining(`${path}:2: expected`) };
    await expect(generate({ block: 3 })).rejects.toMatchObject(wrong);
    const drawn: string[] = [];
    const onProgress = ({ phase }: { phase: string }): void => void drawn.push(phase);
    await expect(generate({}, { force: true, onProgress })).rejects.toMatchObject(wrong);
    expect(drawn).toEqual([]);
    expect(readdirSync(out)).toHaveLength(3);
    expect(await verify()).toMatchObject({
      findings: [{ code: 'registry-chain', place: { file: REGISTRY_FILE, line: 2 } }],
      notChecked: expect.arrayContaining(['the registry: its chain is broken']),
    });
  });

  test('by a kill in the middle of a line loses what was never confirmed, and goes on', async () => {
    await generate();
    const whole = readFileSync(path);
    appendFileSync(path, '{"format":"gen-bl');
    expect(await verify()).toMatchObject({ conforms: true });
    await generate({ block: 2 });
    expect(readFileSync(path).subarray(0, whole.length)).toEqual(whole);
    expect(entries()).toMatchObject([{ number: 1 }, { number: 2 }]);
  });

  test.each<[string, () => void]>([
    ['a link to a device', () => symlinkSync('/dev/null', path)],
    ['a link to a registry', () => symlinkSync(join(newFolder(), REGISTRY_FILE), path)],
    ['a folder', () => mkdirSync(path)],
  ])('because it is %s is not followed', async (_, put) => {
    await generate();
    rmSync(path);
    put();
    await expect(generate({ block: 2 })).rejects.toMatchObject({
      code: 'bad-registry',
      message: expect.stringContaining('is no regular file'),
    });
    expect((await verify()).findings).toMatchObject([{ code: 'registry-chain' }]);
  });
});

describe('runs at the same time', () => {
  test('write one chain', async () => {
    const blocks = Array.from({ length: 8 }, (_, index) => index + 1);
    await Promise.all(blocks.map(async (block) => generate({ block })));
    expect(entries().map(({ number }) => number)).toEqual(blocks);
    expect(new Set(entries().map(({ name }) => name)).size).toBe(8);
    expect(await verify()).toMatchObject({ conforms: true });
  });

  test('wait for each other, and can be stopped while they wait', async () => {
    const lock = await lockFolder(out, REGISTRY_LOCK);
    const stop = new AbortController();
    const waiting = generate();
    const stopped = generate({ block: 2 }, { signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(entries).toThrow('ENOENT');
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    await lock.release();
    await waiting;
    expect(readdirSync(out)).toEqual([NAME, REGISTRY_FILE]);
  });
});
