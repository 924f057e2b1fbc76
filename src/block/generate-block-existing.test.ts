import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { InputError } from '../core/errors.js';
import { parseDefinition } from '../definitions/load-game.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { folderMaker, hashesOf, namesIn, sampleRequest } from '../testing/sample-requests.js';
import type { VerifyReport } from '../verify/report.js';
import { ConformanceError, generateBlock, type GenerateOptions } from './generate-block.js';
import type { BlockRequest } from './plan-block.js';

const newFolder = folderMaker();
const REQUEST = sampleRequest('rows-plain');
const NAME = 'rows-plain-100-e1-b1';
const OTHER_SEED: BlockRequest = { ...REQUEST, seed: Buffer.from('another seed') };

let outputFolder: string;
let folder: string;

beforeEach(() => {
  outputFolder = newFolder();
  folder = join(outputFolder, NAME);
});

function generate(
  request: BlockRequest = REQUEST,
  options: Partial<GenerateOptions> = {},
): ReturnType<typeof generateBlock> {
  return generateBlock(request, { outputFolder, ...options });
}

/** What the file system says about all that lies in the output folder. */
function stateOf(path: string): Readonly<Record<string, string>> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const { mode, mtimeMs, ino, size } = lstatSync(join(path, name));
      return [name, [mode.toString(8), mtimeMs, ino, size].join()];
    }),
  );
}

/** Attempts a block that must be refused; all that was there must be as it was. */
async function refused(
  request: BlockRequest = REQUEST,
  options: Partial<GenerateOptions> = {},
): Promise<Error> {
  const before = stateOf(outputFolder);
  const error = await generate(request, options).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  expect(stateOf(outputFolder)).toEqual(before);
  if (error === undefined) throw new Error('the block was not refused');
  return error;
}

function reportOf(error: Error): VerifyReport {
  if (error instanceof ConformanceError) return error.report;
  throw error;
}

describe('the same block again', () => {
  test('is verified and kept, and no file is touched', async () => {
    const first = await generate();
    const longAgo = new Date('2001-02-03T04:05:06Z');
    for (const file of readdirSync(folder)) utimesSync(join(folder, file), longAgo, longAgo);
    const before = stateOf(outputFolder);
    const second = await generate();
    expect(second).toEqual({ folder, kept: true, report: first.report });
    expect(stateOf(outputFolder)).toEqual(before);
  });

  test('is kept when a signature lies beside its files', async () => {
    await generate();
    writeFileSync(join(folder, 'manifest.json.0123456789abcdef.sig'), 'a signature');
    expect((await generate()).kept).toBe(true);
    expect(existsSync(join(folder, 'manifest.json.0123456789abcdef.sig'))).toBe(true);
  });

  test.each(['ndjson', 'csv'] as const)('is kept when it has %s alone', async (format) => {
    await generate(REQUEST, { formats: [format] });
    expect((await generate(REQUEST, { formats: [format] })).kept).toBe(true);
  });

  test('is kept whatever the order in which the formats are named', async () => {
    await generate(REQUEST, { formats: ['ndjson', 'csv'] });
    expect((await generate(REQUEST, { formats: ['csv', 'ndjson'] })).kept).toBe(true);
  });

  test('is made anew by force, with the same bytes', async () => {
    await generate();
    const hashes = hashesOf(folder);
    const { ino } = statSync(folder);
    expect((await generate(REQUEST, { force: true })).kept).toBe(false);
    expect(hashesOf(folder)).toEqual(hashes);
    expect(statSync(folder).ino).not.toBe(ino);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('shows its progress while it is verified', async () => {
    const { report } = await generate();
    const phases = new Set<string>();
    let bytes = 0;
    await generate(REQUEST, {
      onProgress: ({ phase, done }) => {
        phases.add(phase);
        bytes = done;
      },
    });
    expect([...phases]).toEqual(['verifying']);
    expect(bytes).toBe(report.files.reduce((sum, file) => sum + file.bytes, 0));
  });
});

describe('another block under the same name', () => {
  const otherPolicy = parseDefinition(
    JSON.stringify({ ...sampleDefinition('rows-plain'), name: 'Rows plain, second edition' }),
    'a test',
  );

  test.each<[string, BlockRequest, Partial<GenerateOptions>, string]>([
    ['seed', OTHER_SEED, {}, 'another seed'],
    ['engine', { ...REQUEST, engine: 'chacha20' }, {}, 'another engine'],
    ['definition', { ...REQUEST, game: otherPolicy }, {}, 'another definition'],
    ['format', REQUEST, { formats: ['csv'] }, 'other formats'],
  ])('is refused where it has another %s, and the message says so', async (_, ...args) => {
    const [request, options, words] = args;
    await generate();
    const error = await refused(request, options);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'target-exists' });
    expect(error.message).toBe(
      `${folder} is there already, and it was made from ${words}; use --force to replace it, or another --out`,
    );
  });

  test('is refused where it has more formats than are there', async () => {
    await generate(REQUEST, { formats: ['ndjson'] });
    const error = await refused();
    expect(error).toMatchObject({ code: 'target-exists' });
    expect(error.message).toContain('other formats');
  });

  test.each<[string, BlockRequest, Partial<GenerateOptions>]>([
    ['seed', OTHER_SEED, {}],
    ['engine', { ...REQUEST, engine: 'chacha20' }, {}],
    ['definition', { ...REQUEST, game: otherPolicy }, {}],
    ['format', REQUEST, { formats: ['csv'] }],
  ])('replaces it by force where it has another %s', async (_, request, options) => {
    await generate();
    const elsewhere = await generateBlock(request, { outputFolder: newFolder(), ...options });
    const made = await generate(request, { ...options, force: true });
    expect(made.kept).toBe(false);
    expect(made.report.conforms).toBe(true);
    expect(hashesOf(folder)).toEqual(hashesOf(elsewhere.folder));
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('of another number has its own folder', async () => {
    await generate();
    await generate({ ...REQUEST, block: 2 });
    await generate({ ...REQUEST, emission: 2 });
    expect(namesIn(outputFolder)).toEqual([
      'rows-plain-100-e1-b1',
      'rows-plain-100-e1-b2',
      'rows-plain-100-e2-b1',
    ]);
  });
});

test.each([
  ['no format at all', []],
  ['an unknown format', ['xml']],
  ['an unknown format beside a known one', ['xml', 'csv']],
  ['a format that is no list', 'csv'],
])('%s is refused', async (_, formats) => {
  const error = await refused(REQUEST, { formats: formats as unknown as ['csv'] });
  expect(error).toMatchObject({ name: 'InputError', code: 'usage' });
});

describe('a block that is there and broken', () => {
  const change = (file: string, edit: (text: string) => string) => (): void => {
    const path = join(folder, file);
    writeFileSync(path, edit(readFileSync(path, 'latin1')), 'latin1');
  };

  const DAMAGES: readonly (readonly [string, () => void, string])[] = [
    [
      'one letter of a ticket',
      change('tickets.csv', (text) =>
        text.replace(/(.)\n$/, (_, x) => (x === 'A' ? 'B\n' : 'A\n')),
      ),
      'file-hash',
    ],
    [
      'its last record',
      (): void => {
        truncateSync(
          join(folder, 'tickets.ndjson'),
          statSync(join(folder, 'tickets.ndjson')).size - 20,
        );
      },
      'file-size',
    ],
    [
      'a missing file',
      (): void => {
        rmSync(join(folder, 'tickets.csv'));
      },
      'file-missing',
    ],
    [
      'a stranger among its files',
      (): void => {
        writeFileSync(join(folder, 'notes.txt'), 'mine');
      },
      'file-unexpected',
    ],
    [
      'a claim of its manifest',
      change('manifest.json', (text) => text.replace('4000,"count":2}', '4000,"count":3}')),
      'manifest-claim',
    ],
    ['a manifest that is no JSON', change('manifest.json', () => '{'), 'manifest-syntax'],
  ];

  test.each(DAMAGES)('in %s is reported and kept as it is', async (_, damage, code) => {
    await generate();
    damage();
    const error = await refused();
    expect(error.message).toBe(
      `${folder} is there already and does not conform; use --force to replace it`,
    );
    const report = reportOf(error);
    expect(report.conforms).toBe(false);
    expect(report.findingCounts.map((finding) => finding.code)).toContain(code);
  });

  test.each(DAMAGES)('in %s is replaced by force', async (_, damage, code) => {
    await generate();
    const before = hashesOf(folder);
    damage();
    if (code === 'file-unexpected') {
      const error = await refused(REQUEST, { force: true });
      expect(error.message).toBe(
        `${folder} holds notes.txt, which is no part of a block; move it away before you use --force`,
      );
      rmSync(join(folder, 'notes.txt'));
    }
    expect((await generate(REQUEST, { force: true })).report.conforms).toBe(true);
    expect(hashesOf(folder)).toEqual(before);
    expect(namesIn(outputFolder)).toEqual([NAME]);
  });

  test('is a block that was given the name of another one', async () => {
    await generate({ ...REQUEST, block: 2 });
    renameSync(join(outputFolder, 'rows-plain-100-e1-b2'), folder);
    const error = await refused();
    expect(reportOf(error).findings).toMatchObject([
      { code: 'folder-name', expected: 'rows-plain-100-e1-b2', found: NAME },
    ]);
  });
});

describe('something else under the name of the block', () => {
  const NO_FOLDERS: readonly (readonly [string, () => void])[] = [
    [
      'a file',
      (): void => {
        writeFileSync(folder, 'mine');
      },
    ],
    [
      'a link to a folder',
      (): void => {
        mkdirSync(join(outputFolder, 'elsewhere'));
        symlinkSync('elsewhere', folder);
      },
    ],
    [
      'a link to nowhere',
      (): void => {
        symlinkSync('nowhere', folder);
      },
    ],
  ];

  test.each(NO_FOLDERS)('that is %s is refused, by force too', async (_, put) => {
    put();
    for (const force of [false, true]) {
      const error = await refused(REQUEST, { force });
      expect(error).toMatchObject({
        code: 'target-exists',
        message: `${folder} is no folder; move it away or choose another --out`,
      });
    }
  });

  test('that is a link to the same block is refused and stays a link', async () => {
    await generateBlock(REQUEST, { outputFolder: join(outputFolder, 'real') });
    symlinkSync(join('real', NAME), folder);
    expect(await refused()).toMatchObject({ code: 'target-exists' });
    expect(readlinkSync(folder)).toBe(join('real', NAME));
  });

  test('that is an empty folder is refused', async () => {
    mkdirSync(folder);
    const error = await refused();
    expect(error).toMatchObject({ code: 'target-exists' });
    expect(error.message).toContain('it is not a block; use --force to replace it');
    await generate(REQUEST, { force: true });
    expect(Object.keys(hashesOf(folder))).toHaveLength(3);
  });

  test.each(['photo.jpg', 'tickets.csv/precious'])('that holds %s is refused', async (name) => {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), 'mine');
    for (const force of [false, true]) {
      expect(await refused(REQUEST, { force })).toMatchObject({ code: 'target-exists' });
    }
  });
});

test('a control character in a path does not reach the message', async () => {
  const evil = join(outputFolder, 'a\u001b[31mb');
  mkdirSync(evil);
  writeFileSync(join(evil, NAME), '');
  const made = generateBlock(REQUEST, { outputFolder: evil });
  await expect(made).rejects.toThrow(`a\\u{1b}[31mb/${NAME} is no folder`);
});
