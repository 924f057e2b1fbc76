import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import {
  definitionPath,
  folderMaker,
  hashesOf,
  namesIn,
  sampleRequest,
} from '../testing/sample-requests.js';
import type { BatchProgress } from './batch-progress.js';
import type { BatchResult } from './batch-result.js';
import { BATCH_LOCK } from '../block/folder-lock.js';
import { loadJobs } from './load-jobs.js';
import { runBatch, type BatchOptions } from './run-batch.js';

const newFolder = folderMaker();
const SEED = Buffer.from('Zq7-geheim-batch');
const FIRST = 'rows-plain-100-e1-b1';
const SECOND = 'rows-plain-100-e1-b2';
const THIRD = join('plain', 'collect-bare-100-e1-b7');
const PATHS = [FIRST, SECOND, THIRD];

interface Changes {
  readonly engine?: string;
  readonly formats?: readonly string[];
  readonly compression?: string;
}

/** Three blocks of a thousand tickets at the most; the changes are for the first two. */
function smallJobs(changes: Changes = {}): ReturnType<typeof loadJobs> {
  const rows = {
    definition: definitionPath('rows-plain'),
    stake_cents: 100,
    blocks: { first: 1, last: 2 },
  };
  const collect = {
    definition: definitionPath('collect-bare'),
    stake_cents: 100,
    blocks: { first: 7, last: 7 },
  };
  const path = join(newFolder(), 'jobs.json');
  const jobs = [
    { ...rows, ...changes },
    { ...collect, out: 'plain' },
  ];
  writeFileSync(path, JSON.stringify({ format: 'gen-block-jobs/1', emission: 1, jobs }));
  return loadJobs(path);
}

const JOBS = smallJobs();

let out: string;

beforeEach(() => {
  out = newFolder();
});

async function run(
  changes: Partial<BatchOptions> = {},
  seed: Uint8Array = SEED,
): Promise<BatchResult> {
  return runBatch({ jobs: JOBS, seed }, { outputFolder: out, ...changes });
}

function outcomesOf({ blocks }: BatchResult): readonly string[] {
  return blocks.map(({ outcome, reason }) =>
    reason === undefined ? outcome : `${outcome}: ${reason}`,
  );
}

function hashesOfAll(folder = out): readonly unknown[] {
  return PATHS.map((path) => hashesOf(join(folder, path)));
}

describe('a batch', () => {
  test('makes its blocks, as single ones would be made, and says what they amount to', async () => {
    let time = 0;
    const result = await run({ clock: () => (time += 500) });
    expect(result).toMatchObject({
      counts: { made: 3, kept: 0, remade: 0, refused: 0, failed: 0 },
      leftCount: 0,
      totals: { blocks: 3, tickets: 2600, salesCents: 260_000 },
    });
    expect(result).not.toHaveProperty('stoppedBy');
    expect(result.blocks.map(({ folder }) => folder)).toEqual(PATHS.map((path) => join(out, path)));
    expect(result.blocks.map(({ seconds }) => seconds)).toEqual([0.5, 0.5, 0.5]);
    const single = newFolder();
    const request = sampleRequest('rows-plain', { seed: SEED, block: 2 });
    const { folder } = await generateBlock(request, { outputFolder: single });
    expect(hashesOf(join(out, SECOND))).toEqual(hashesOf(folder));
  });

  test('leaves nothing but blocks behind, which only their owner can read', async () => {
    await run();
    expect(namesIn(out)).toEqual(['plain', FIRST, SECOND]);
    expect(namesIn(join(out, 'plain'))).toEqual(['collect-bare-100-e1-b7']);
    for (const path of ['plain', FIRST]) expect(statSync(join(out, path)).mode & 0o777).toBe(0o700);
    expect(statSync(join(out, FIRST, 'tickets.csv')).mode & 0o777).toBe(0o600);
  });

  test('run again keeps all of it, and does not write', async () => {
    await run();
    const before = statSync(join(out, FIRST)).ino;
    expect(outcomesOf(await run())).toEqual(['kept', 'kept', 'kept']);
    expect(outcomesOf(await run({ recheck: true }))).toEqual(['kept', 'kept', 'kept']);
    expect(statSync(join(out, FIRST)).ino).toBe(before);
  });

  test('tells how far it is', async () => {
    const seen: BatchProgress[] = [];
    const names: string[] = [];
    await run({
      onProgress: (progress) => seen.push(progress),
      onBlock: ({ name }) => names.push(name),
    });
    expect(seen[0]).toEqual({ name: FIRST, blockNumber: 1, blockCount: 3, done: 0, total: 2600 });
    expect(seen.at(-1)).toMatchObject({ blockNumber: 3, done: 2600, total: 2600 });
    expect(seen.map(({ done }) => done)).toEqual(
      seen.map(({ done }) => done).toSorted((a, b) => a - b),
    );
    expect(names).toEqual([FIRST, SECOND, 'collect-bare-100-e1-b7']);
  });

  test.each([
    ['an empty seed', new Uint8Array()],
    ['a seed with a NUL', Uint8Array.of(65, 0)],
    ['a seed that is no UTF-8', Uint8Array.of(0xff)],
  ])('refuses %s before it makes anything', async (_, seed) => {
    await expect(run({}, seed)).rejects.toMatchObject({ code: 'bad-seed' });
    expect(namesIn(out)).toEqual([]);
  });

  test('refuses to begin where another works on the folder', async () => {
    writeFileSync(join(out, BATCH_LOCK.file), 'of somebody');
    await expect(run()).rejects.toMatchObject({ code: 'locked' });
    expect(namesIn(out)).toEqual([BATCH_LOCK.file]);
  });
});

describe('a batch that finds a block', () => {
  const made = newFolder();

  beforeAll(async () => {
    await run({ outputFolder: made });
  });

  beforeEach(() => {
    cpSync(made, out, { recursive: true });
  });

  const remade = (reason: string): readonly string[] => ['kept', `remade: ${reason}`, 'kept'];

  test.each<[string, (folder: string) => void, string]>([
    [
      'with a changed letter',
      (folder) => {
        const path = join(folder, 'tickets.csv');
        const bytes = readFileSync(path);
        bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) === 0x41 ? 0x42 : 0x41;
        writeFileSync(path, bytes);
      },
      'tickets.csv has another hash',
    ],
    [
      'cut short',
      (folder) => truncateSync(join(folder, 'tickets.ndjson'), 100),
      'tickets.ndjson has another size',
    ],
    [
      'without one of its files',
      (folder) => rmSync(join(folder, 'tickets.csv')),
      'tickets.csv is missing, or no regular file',
    ],
    [
      'with a link for a file',
      (folder) => {
        renameSync(join(folder, 'tickets.csv'), join(out, 'moved.csv'));
        symlinkSync(join(out, 'moved.csv'), join(folder, 'tickets.csv'));
      },
      'tickets.csv is missing, or no regular file',
    ],
    [
      'without its manifest',
      (folder) => rmSync(join(folder, 'manifest.json')),
      'its manifest.json is not the one of a block',
    ],
    [
      'with a manifest cut short',
      (folder) => truncateSync(join(folder, 'manifest.json'), 100),
      'its manifest.json is not the one of a block',
    ],
    [
      'with a count in its manifest changed',
      (folder) => {
        const path = join(folder, 'manifest.json');
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace(
            '"outcomes":[{"prize_cents":',
            '"outcomes":[{"prize_cents":1',
          ),
        );
      },
      'its verification has findings',
    ],
    [
      'with a tickets file too many',
      (folder) => writeFileSync(join(folder, 'tickets.csv.gz'), ''),
      'it holds tickets.csv.gz as well',
    ],
  ])('%s makes it anew, to the same bytes', async (_, harm, reason) => {
    const right = hashesOfAll();
    harm(join(out, SECOND));
    expect(outcomesOf(await run())).toEqual(remade(reason));
    expect(hashesOfAll()).toEqual(right);
    expect(namesIn(out).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('that is missing makes it', async () => {
    const right = hashesOfAll();
    rmSync(join(out, SECOND), { recursive: true });
    expect(outcomesOf(await run())).toEqual(['kept', 'made', 'kept']);
    expect(hashesOfAll()).toEqual(right);
  });

  test('with a signature beside its files keeps it', async () => {
    writeFileSync(join(out, SECOND, 'manifest.json.0123456789abcdef.sig'), '');
    expect(outcomesOf(await run())).toEqual(['kept', 'kept', 'kept']);
  });

  test('in which two tickets changed places sees it by the hash, or by the seed', async () => {
    const folder = join(out, SECOND);
    const path = join(folder, 'manifest.json');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/"tool_version":"[^"]*"/, '"tool_version":"0.0.0"'),
    );
    expect(outcomesOf(await run({ recheck: true }))).toEqual(['kept', 'kept', 'kept']);
    const text = readFileSync(join(folder, 'tickets.csv'), 'utf8').split('\n');
    [text[1], text[2]] = [
      String(text[2]).replace(/^2,/, '1,'),
      String(text[1]).replace(/^1,/, '2,'),
    ];
    writeFileSync(join(folder, 'tickets.csv'), text.join('\n'));
    expect(outcomesOf(await run({ recheck: true }))).toEqual(
      remade('its verification has findings'),
    );
  });

  test.each<[string, (folder: string) => void, string]>([
    [
      'that holds a file of somebody',
      (folder) => writeFileSync(join(folder, 'notes.txt'), ''),
      'it holds notes.txt, which is no part of a block',
    ],
    [
      'that holds a folder',
      (folder) => mkdirSync(join(folder, 'tickets.csv.gz')),
      'it holds tickets.csv.gz, which is no part of a block',
    ],
    [
      'that is another block under its name',
      (folder) => {
        rmSync(folder, { recursive: true });
        renameSync(join(out, FIRST), folder);
      },
      'it holds another block',
    ],
    [
      'that is a file',
      (folder) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      'it is no folder',
    ],
    [
      'that is a link',
      (folder) => {
        renameSync(folder, join(out, 'moved'));
        symlinkSync(join(out, 'moved'), folder);
      },
      'it is no folder',
    ],
  ])('%s leaves it alone and goes on', async (_, change, reason) => {
    change(join(out, SECOND));
    const { blocks, totals } = await run();
    expect(blocks[1]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining(`and ${reason}; move`),
    });
    expect(blocks[2]?.outcome).toBe('kept');
    expect(totals.blocks).toBe(2);
  });

  test.each<[string, Changes, string]>([
    ['engine', { engine: 'chacha20' }, 'it was made from another engine'],
    ['list of formats', { formats: ['csv'] }, 'it was made in other formats'],
    ['compression', { compression: 'gzip' }, 'it was made in other formats'],
  ])('of another %s refuses it, and the others go on', async (_, changes, reason) => {
    const right = hashesOfAll();
    const result = await runBatch({ jobs: smallJobs(changes), seed: SEED }, { outputFolder: out });
    expect(result.counts).toMatchObject({ refused: 2, kept: 1 });
    expect(result.blocks[0]?.reason).toContain(reason);
    expect(hashesOfAll()).toEqual(right);
  });

  test('of another seed refuses it, damaged or not, and the others go on', async () => {
    rmSync(join(out, THIRD), { recursive: true });
    truncateSync(join(out, SECOND, 'tickets.csv'), 10);
    const result = await run({}, Buffer.from('another seed'));
    expect(result.counts).toMatchObject({ refused: 3, made: 0 });
    expect(result.blocks[2]?.reason).toContain(
      'registry.ndjson knows collect-bare-100-e1-b7 already',
    );
    for (const { reason } of result.blocks) {
      expect(reason).toContain('it was made from another seed');
      expect(reason).not.toContain('another seed of');
      expect(reason).not.toContain(SEED.toString());
    }
  });

  test('of another seed in another folder of the same output refuses it', async () => {
    const moved = {
      ...JOBS,
      jobs: JOBS.jobs.map((job) => ({ ...job, subfolders: ['other', 'place'] })),
    };
    const other = { jobs: moved, seed: Buffer.from('another seed') };
    const refused = await runBatch(other, { outputFolder: out });
    expect(refused.counts).toMatchObject({ refused: 3, made: 0 });
    expect(refused.blocks[0]?.reason).toContain('registry.ndjson knows ');
    expect(namesIn(join(out, 'other', 'place'))).toEqual([]);
    const same = await runBatch({ ...other, seed: SEED }, { outputFolder: out });
    expect(same.counts).toMatchObject({ refused: 0, made: 3 });
  });

  test('of another definition refuses it', async () => {
    const path = join(out, SECOND, 'manifest.json');
    const manifest = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      manifest.replace(/"definition_sha256":"[0-9a-f]{4}/, '"definition_sha256":"0000'),
    );
    const { blocks } = await run();
    expect(blocks[1]?.reason).toContain('it was made from another definition');
  });

  test('compressed and damaged makes it anew', async () => {
    const folder = newFolder();
    const request = { jobs: smallJobs({ compression: 'gzip' }), seed: SEED };
    await runBatch(request, { outputFolder: folder });
    const right = hashesOfAll(folder);
    expect((await runBatch(request, { outputFolder: folder })).counts.kept).toBe(3);
    truncateSync(join(folder, FIRST, 'tickets.csv.gz'), 50);
    expect(outcomesOf(await runBatch(request, { outputFolder: folder }))).toEqual([
      'remade: tickets.csv.gz is not compressed as it should be',
      'kept',
      'kept',
    ]);
    expect(hashesOfAll(folder)).toEqual(right);
  });
});

describe('a batch with a block that does not pass its own verification', () => {
  test('does not keep it, goes on, and makes it the next time', async () => {
    const onProgress = ({ blockNumber, done }: BatchProgress): void => {
      // The first file of the second block is being verified; the other one is read after it.
      if (blockNumber !== 2 || done < 1600) return;
      const staging = readdirSync(out).find((name) => name.includes('.staging-'));
      if (staging !== undefined) writeFileSync(join(out, staging, 'tickets.csv'), 'broken');
    };
    const result = await run({ onProgress });
    expect(outcomesOf(result)).toEqual([
      'made',
      `failed: the block ${SECOND} did not pass its own verification and was not kept`,
      'made',
    ]);
    expect(result).not.toHaveProperty('stoppedBy');
    expect(namesIn(out)).toEqual(['plain', FIRST]);
    expect(outcomesOf(await run())).toEqual(['kept', 'made', 'kept']);
  });
});

describe('a batch does not leave its folder', () => {
  test('through a link in the place of a subfolder', async () => {
    const elsewhere = newFolder();
    symlinkSync(elsewhere, join(out, 'plain'));
    const { blocks } = await run();
    expect(blocks.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'refused']);
    expect(blocks[2]?.reason).toContain('is no folder of its own (links are not followed)');
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a batch that is stopped', () => {
  test('by a signal keeps what is done, drops the block in hand, and goes on the next time', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const onProgress = ({ blockNumber, done }: BatchProgress): void => {
      if (blockNumber === 2 && done > 1000) controller.abort(reason);
    };
    const result = await run({ signal: controller.signal, onProgress });
    expect(outcomesOf(result)).toEqual(['made']);
    expect(result).toMatchObject({ leftCount: 2, stoppedBy: reason });
    expect(namesIn(out)).toEqual([FIRST]);
    expect(outcomesOf(await run())).toEqual(['kept', 'made', 'made']);
  });

  test('before it begins has made nothing', async () => {
    const result = await run({ signal: AbortSignal.abort(new Error('early')) });
    expect(result).toMatchObject({ blocks: [], leftCount: 3 });
    expect(namesIn(out)).toEqual([]);
  });

  test('by the machine says so, and what it had done by then', async () => {
    const result = await run({
      onBlock: ({ name }) => {
        // What root may do is not hindered by a mode: a file where a folder has to be does.
        if (name === FIRST) {
          rmSync(out, { recursive: true });
          writeFileSync(out, '');
        }
      },
    });
    expect(result.blocks.map(({ outcome }) => outcome)).toEqual(['made', 'failed']);
    expect(result).toMatchObject({ leftCount: 1, stoppedBy: { name: 'MachineError' } });
  });
});
