import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { InputError } from '../core/errors.js';
import type { Manifest } from '../formats/manifest.js';
import {
  definitionPath,
  filesOf,
  folderMaker,
  hashesOf,
  namesIn,
  sampleRequest,
} from '../testing/sample-requests.js';
import { verifyBlock } from '../verify/verify-block.js';
import { generateBlock, type GeneratedBlock, type Progress } from './generate-block.js';
import type { BlockRequest } from './plan-block.js';

const newFolder = folderMaker();

/** Makes a block in a folder of its own and returns its files. */
async function filesMade(request: BlockRequest): Promise<ReadonlyMap<string, Buffer>> {
  const { folder } = await generateBlock(request, { outputFolder: newFolder() });
  return filesOf(folder);
}

/** Makes a block in a folder of its own and returns the hashes of its files. */
async function hashesMade(request: BlockRequest): Promise<Readonly<Record<string, string>>> {
  const { folder } = await generateBlock(request, { outputFolder: newFolder() });
  return hashesOf(folder);
}

function manifestIn(files: ReadonlyMap<string, Buffer>): Manifest {
  return JSON.parse(files.get('manifest.json')?.toString('utf8') ?? '') as Manifest;
}

describe.each(['eldorado-mini', 'lagon-mini', 'rows-plain', 'collect-bare'] as const)(
  'a block of %s',
  (name) => {
    const request = sampleRequest(name, { emission: 12, block: 345 });

    let outputFolder: string;
    let made: GeneratedBlock;

    beforeAll(async () => {
      outputFolder = join(newFolder(), 'new', 'folders');
      made = await generateBlock(request, { outputFolder });
    });

    test('lies in a folder named after it and holds two tickets files and a manifest', () => {
      expect(made.kept).toBe(false);
      expect(made.folder).toBe(join(outputFolder, `${name}-100-e12-b345`));
      expect(namesIn(outputFolder)).toEqual([`${name}-100-e12-b345`]);
      expect(readdirSync(made.folder).sort()).toEqual([
        'manifest.json',
        'tickets.csv',
        'tickets.ndjson',
      ]);
    });

    test('is open to its owner only', () => {
      for (const path of [join(outputFolder, '..'), outputFolder, made.folder]) {
        expect(statSync(path).mode & 0o777).toBe(0o700);
      }
      for (const file of readdirSync(made.folder)) {
        expect(statSync(join(made.folder, file)).mode & 0o777).toBe(0o600);
      }
    });

    test('conforms when it is verified again, and its report is the same', async () => {
      expect(made.report.conforms).toBe(true);
      expect(await verifyBlock(made.folder, { game: request.game, registry: false })).toEqual(
        made.report,
      );
    });

    test('has the same bytes each time', async () => {
      expect(await hashesMade(request)).toEqual(hashesOf(made.folder));
    });

    test('has a manifest that states what the files are', () => {
      const files = filesOf(made.folder);
      const manifest = manifestIn(files);
      expect(manifest).toMatchObject({
        format: 'gen-block-manifest/1',
        algorithm: 1,
        game: name,
        definition_sha256: request.game.definitionSha256,
        stake_cents: 100,
        emission: 12,
        block: 345,
        tickets: request.game.blockSize,
        engine: 'seedrandom',
      });
      const stated = ['ndjson', 'csv'].map((format) => {
        const bytes = files.get(`tickets.${format}`) ?? Buffer.alloc(0);
        return {
          name: `tickets.${format}`,
          format,
          bytes: bytes.length,
          records: request.game.blockSize,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        };
      });
      expect(manifest.files).toEqual(stated);
      const counts = manifest.outcomes.map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(request.game.blockSize);
      expect(Math.min(...counts)).toBeGreaterThan(0);
      expect(files.get('manifest.json')?.toString('utf8')).toBe(`${JSON.stringify(manifest)}\n`);
    });
  },
);

describe('what decides the bytes of a block', () => {
  const request = sampleRequest('rows-plain');

  async function hashes(changes: Partial<BlockRequest>): Promise<readonly string[]> {
    return manifestIn(await filesMade({ ...request, ...changes })).files.map(
      ({ sha256 }) => sha256,
    );
  }

  test.each<[string, Partial<BlockRequest>]>([
    ['the engine', { engine: 'chacha20' }],
    ['one byte of the seed', { seed: Buffer.from('Zq7-sesame-0f3b9c') }],
    ['a line end behind the seed', { seed: Buffer.concat([request.seed, Buffer.from('\n')]) }],
    ['the number of the emission', { emission: 2 }],
    ['the number of the block', { block: 2 }],
  ])('%s is part of it', async (_, changes) => {
    const [ndjson, csv] = await hashes({});
    const others = await hashes(changes);
    expect(others[0]).not.toBe(ndjson);
    expect(others[1]).not.toBe(csv);
    expect(others).toHaveLength(2);
  });

  test('emission 1 block 12 and emission 11 block 2 have nothing in common', async () => {
    const [first] = await hashes({ emission: 1, block: 12 });
    const [second] = await hashes({ emission: 11, block: 2 });
    expect(first).not.toBe(second);
  });

  test('the output folder is no part of it', async () => {
    const { folder } = await generateBlock(request, {
      outputFolder: join(newFolder(), 'été', 'a b'),
    });
    expect(hashesOf(folder)).toEqual(await hashesMade(request));
  });
});

describe('the seed of a block', () => {
  // No letter of a game is in it, and neither are its encodings in anything that a block may hold.
  const text = 'Zq7-sésame-0f3b9c';
  const seed = Buffer.from(text);
  const forms = [
    text,
    seed.toString('latin1'),
    seed.toString('hex'),
    seed.toString('hex').toUpperCase(),
    seed.toString('base64'),
    seed.toString('base64url'),
    encodeURIComponent(text),
    createHash('sha256').update(seed).digest('hex'),
    createHash('sha256').update('gen-block seed\0').update(seed).digest('hex'),
  ];

  test.each(['eldorado-mini', 'lagon-mini'] as const)(
    'is in no file of %s and in no report, in whatever form',
    async (name) => {
      const request = sampleRequest(name, { seed });
      const made = await generateBlock(request, { outputFolder: newFolder() });
      const written = [...filesOf(made.folder).values()].map((bytes) => bytes.toString('latin1'));
      for (const haystack of [...written, JSON.stringify(made)]) {
        for (const form of forms) expect(haystack.includes(form)).toBe(false);
        expect(haystack.includes('"seed"')).toBe(false);
      }
    },
  );

  test('is in no message about a block that is there already', async () => {
    const outputFolder = newFolder();
    const request = sampleRequest('collect-bare', { seed });
    await generateBlock(request, { outputFolder });
    const other = generateBlock(
      { ...request, seed: Buffer.from('another-Zq7') },
      { outputFolder },
    ).catch((error: unknown) => error as Error);
    const { message, stack = '' } = (await other) as Error;
    for (const form of [...forms, 'another-Zq7']) {
      expect(message.includes(form)).toBe(false);
      expect(stack.includes(form)).toBe(false);
    }
  });
});

describe('the formats of a block', () => {
  const request = sampleRequest('collect-bare');

  test.each(['ndjson', 'csv'] as const)('can be %s alone, with the same bytes', async (format) => {
    const { folder, report } = await generateBlock(request, {
      outputFolder: newFolder(),
      formats: [format],
    });
    const hashes = hashesOf(folder);
    const file = `tickets.${format}`;
    expect(Object.keys(hashes)).toEqual(['manifest.json', file]);
    expect(manifestIn(filesOf(folder)).files.map(({ name }) => name)).toEqual([file]);
    expect(hashes[file]).toBe((await hashesMade(request))[file]);
    expect(report.conforms).toBe(true);
  });

  test('stand in the manifest in one order, however they are asked for', async () => {
    const options = { outputFolder: newFolder(), formats: ['csv', 'ndjson'] } as const;
    const { folder } = await generateBlock(request, options);
    expect(hashesOf(folder)).toEqual(await hashesMade(request));
  });
});

describe('the progress of a block', () => {
  test('goes up to all tickets and then to all bytes', async () => {
    const request = sampleRequest('eldorado-mini');
    const steps: Progress[] = [];
    const { report } = await generateBlock(request, {
      outputFolder: newFolder(),
      onProgress: (step) => steps.push(step),
    });
    const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
    const phases = steps.map(({ phase }) => phase);
    expect(phases).toEqual([...phases].sort());
    for (const [phase, total] of [
      ['drawing', 9000],
      ['verifying', bytes],
    ] as const) {
      const own = steps.filter((step) => step.phase === phase);
      expect(own.length).toBeGreaterThan(1);
      expect(own.every((step) => step.total === total)).toBe(true);
      expect(own.map(({ done }) => done)).toEqual(
        own.map(({ done }) => done).toSorted((a, b) => a - b),
      );
      expect(own.at(-1)?.done).toBe(total);
    }
  });
});

describe('a block that is stopped', () => {
  const request = sampleRequest('eldorado-mini');

  test('before it begins leaves nothing, not even its output folder', async () => {
    const outputFolder = join(newFolder(), 'out');
    const reason = new Error('stop');
    const signal = AbortSignal.abort(reason);
    await expect(generateBlock(request, { outputFolder, signal })).rejects.toBe(reason);
    expect(readdirSync(join(outputFolder, '..'))).toEqual([]);
  });

  test.each(['drawing', 'verifying'] as const)('while %s leaves nothing', async (phase) => {
    const outputFolder = newFolder();
    const controller = new AbortController();
    const reason = new Error('stop');
    const seen: string[] = [];
    const made = generateBlock(request, {
      outputFolder,
      signal: controller.signal,
      onProgress: (step) => {
        if (step.phase !== phase) return;
        seen.push(...readdirSync(outputFolder));
        controller.abort(reason);
      },
    });
    await expect(made).rejects.toBe(reason);
    expect(seen.every((entry) => entry.startsWith('.eldorado-mini-100-e1-b1.staging-'))).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
    expect(namesIn(outputFolder)).toEqual([]);
  });

  test('while an old one is verified leaves the old one as it is', async () => {
    const outputFolder = newFolder();
    const { folder } = await generateBlock(request, { outputFolder });
    const before = hashesOf(folder);
    const reason = new Error('stop');
    const controller = new AbortController();
    const onProgress = (): void => {
      controller.abort(reason);
    };
    const { signal } = controller;
    await expect(generateBlock(request, { outputFolder, signal, onProgress })).rejects.toBe(reason);
    expect(hashesOf(folder)).toEqual(before);
    expect(namesIn(outputFolder)).toHaveLength(1);
  });

  test('while it is to replace an old one leaves the old one as it is', async () => {
    const outputFolder = newFolder();
    const { folder } = await generateBlock(request, { outputFolder });
    const before = hashesOf(folder);
    const reason = new Error('stop');
    const controller = new AbortController();
    const onProgress = (step: Progress): void => {
      if (step.phase === 'verifying') controller.abort(reason);
    };
    const made = generateBlock(
      { ...request, seed: Buffer.from('another') },
      { outputFolder, force: true, signal: controller.signal, onProgress },
    );
    await expect(made).rejects.toBe(reason);
    expect(hashesOf(folder)).toEqual(before);
    expect(namesIn(outputFolder)).toHaveLength(1);
  });
});

test('an error of the progress callback stops the block and leaves nothing', async () => {
  const outputFolder = newFolder();
  const fault = new Error('a fault of the caller');
  const onProgress = (): void => {
    throw fault;
  };
  const made = generateBlock(sampleRequest(), { outputFolder, onProgress });
  await expect(made).rejects.toBe(fault);
  expect(namesIn(outputFolder)).toEqual([]);
});

test('a stake at which the game is not sold is refused before anything is written', async () => {
  const outputFolder = join(newFolder(), 'out');
  const made = generateBlock(sampleRequest('rows-plain', { stakeCents: 150 }), { outputFolder });
  await expect(made).rejects.toThrow(InputError);
  await expect(made).rejects.toMatchObject({ code: 'unknown-stake' });
  expect(readdirSync(join(outputFolder, '..'))).toEqual([]);
});

test('a sample definition is not changed by a block that is made from it', async () => {
  const before = readFileSync(definitionPath('rows-plain'));
  const request = sampleRequest('rows-plain');
  const { game } = request;
  const copy = structuredClone(game);
  await filesMade(request);
  expect(game).toEqual(copy);
  expect(readFileSync(definitionPath('rows-plain'))).toEqual(before);
});
