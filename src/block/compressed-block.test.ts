import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { gunzipSync, gzipSync } from 'node:zlib';
import { InputError } from '../core/errors.js';
import type { Manifest } from '../formats/manifest.js';
import { TICKET_FORMATS, type Compression, type TicketFormat } from '../formats/ticket-formats.js';
import { filesOf, folderMaker, hashesOf, sampleRequest } from '../testing/sample-requests.js';
import { auditBlocks } from '../verify/audit/audit-blocks.js';
import { verifyBlock } from '../verify/verify-block.js';
import { verifyTicketsFile } from '../verify/verify-file.js';
import { ConformanceError, generateBlock, type GenerateOptions } from './generate-block.js';
import { planBlock, type BlockRequest } from './plan-block.js';
import { streamBlock } from './stream-block.js';
import { verifyBlockFromSeed } from './verify-from-seed.js';

const newFolder = folderMaker();

async function generate(
  request: BlockRequest,
  options: Partial<GenerateOptions> = {},
): Promise<string> {
  const made = await generateBlock(request, { outputFolder: newFolder(), ...options });
  expect(made.report.conforms).toBe(true);
  return made.folder;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;

// One of several chunks, and one of the other mechanic.
describe.each(['eldorado-mini', 'collect-bare'] as const)('a compressed block of %s', (name) => {
  const request = sampleRequest(name);
  let plain: string;
  let folder: string;

  beforeAll(async () => {
    plain = await generate(request);
    folder = await generate(request, { compression: 'gzip' });
  });

  test.each(TICKET_FORMATS)('has the uncompressed bytes of the plain one (%s)', (format) => {
    const compressed = readFileSync(join(folder, `tickets.${format}.gz`));
    const right = readFileSync(join(plain, `tickets.${format}`));
    expect(gunzipSync(compressed).equals(right)).toBe(true);
    expect(compressed.length).toBeLessThan(right.length / 2);
  });

  test('has no name and no time in its headers', () => {
    for (const format of TICKET_FORMATS) {
      const header = readFileSync(join(folder, `tickets.${format}.gz`)).subarray(0, 8);
      expect(header.toString('hex')).toBe('1f8b080000000000');
    }
  });

  test.each(TICKET_FORMATS)('is read by gzip and by Python (%s)', (format) => {
    const path = join(folder, `tickets.${format}.gz`);
    execFileSync('gzip', ['-t', path]);
    const script =
      'import gzip,hashlib,sys;print(hashlib.sha256(gzip.open(sys.argv[1]).read()).hexdigest())';
    const sha256 = execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }).trim();
    expect(manifestOf(folder).files.map((file) => file.sha256)).toContain(sha256);
    expect(sha256).toBe(hashesOf(plain)[`tickets.${format}`]);
  });

  test('has the manifest of the plain one, but for the names and the compression', () => {
    const expected = manifestOf(plain);
    const files = expected.files.map(({ name: file, format, ...content }) => ({
      name: `${file}.gz`,
      format,
      compression: 'gzip',
      ...content,
    }));
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(
      `${JSON.stringify({ ...expected, files })}\n`,
    );
    expect(readFileSync(join(plain, 'manifest.json'), 'utf8')).not.toContain('compression');
  });

  test('is verified by its folder, its manifest, its seed, and each file by itself', async () => {
    const { game, seed } = request;
    const { files } = manifestOf(folder);
    expect(await verifyBlock(folder, { game })).toMatchObject({ conforms: true, files });
    expect(await verifyBlock(join(folder, 'manifest.json'), { game })).toMatchObject({ files });
    const bySeed = await verifyBlockFromSeed(folder, seed, { game });
    expect(bySeed).toMatchObject({ conforms: true, notChecked: [] });
    const { stake } = await planBlock(request);
    for (const file of files) {
      const block = { game, stake, format: file.format, compression: 'gzip' } as const;
      const report = await verifyTicketsFile(join(folder, file.name), block);
      expect(report).toMatchObject({ conforms: true, files: [file] });
    }
  });

  test('is audited with the results of the plain one', async () => {
    const { game } = request;
    const [of, ofPlain] = [
      await auditBlocks([folder], { game }),
      await auditBlocks([plain], { game }),
    ];
    expect(of.passes).toBe(true);
    expect(of.blocks[0]?.tests).toEqual(ofPlain.blocks[0]?.tests);
  });

  test('can be read by its owner only', () => {
    expect(readdirSync(folder)).toEqual(['manifest.json', 'tickets.csv.gz', 'tickets.ndjson.gz']);
    for (const file of readdirSync(folder)) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  test.each(TICKET_FORMATS)('is streamed with the bytes of the file (%s)', async (format) => {
    const pieces: Buffer[] = [];
    const { manifest, report } = await streamBlock(request, {
      format,
      compression: 'gzip',
      write: (bytes) => {
        expect(bytes.length).toBeGreaterThan(0);
        pieces.push(Buffer.from(bytes));
        return Promise.resolve();
      },
    });
    const streamed = Buffer.concat(pieces);
    expect(gunzipSync(streamed).equals(readFileSync(join(plain, `tickets.${format}`)))).toBe(true);
    expect(manifest.files).toEqual(
      manifestOf(folder).files.filter((file) => file.format === format),
    );
    expect(report.conforms).toBe(true);
  });
});

describe('a compressed block that is there already', () => {
  const request = sampleRequest('rows-plain');
  const forms = (formats: readonly TicketFormat[], compression?: Compression) => ({
    formats,
    compression,
  });
  const GZIP = forms(TICKET_FORMATS, 'gzip');

  test('is kept where the same is asked for, and not touched', async () => {
    const outputFolder = newFolder();
    const folder = await generate(request, { outputFolder, ...GZIP });
    const before = statSync(join(folder, 'tickets.csv.gz'));
    const again = await generateBlock(request, { outputFolder, ...GZIP });
    expect([again.kept, again.report.conforms]).toEqual([true, true]);
    expect(statSync(join(folder, 'tickets.csv.gz'))).toEqual(before);
  });

  test('is kept where other hands have compressed the same bytes otherwise', async () => {
    const outputFolder = newFolder();
    const folder = await generate(request, { outputFolder, ...GZIP });
    for (const [name, bytes] of filesOf(folder)) {
      if (name.endsWith('.gz'))
        writeFileSync(join(folder, name), gzipSync(gunzipSync(bytes), { level: 9 }));
    }
    expect((await generateBlock(request, { outputFolder, ...GZIP })).kept).toBe(true);
  });

  test.each([
    ['compressed, where it is plain', forms(TICKET_FORMATS), GZIP],
    ['plain, where it is compressed', GZIP, forms(TICKET_FORMATS)],
    ['in one format', GZIP, forms(['csv'], 'gzip')],
  ])('is refused where it is asked for %s, and replaced by force', async (_, first, second) => {
    const outputFolder = newFolder();
    const folder = await generate(request, { outputFolder, ...first });
    const before = hashesOf(folder);
    await expect(generateBlock(request, { outputFolder, ...second })).rejects.toMatchObject({
      code: 'target-exists',
      message: `${folder} is there already, and it was made from other formats; use --force to replace it, or another --out`,
    });
    expect(hashesOf(folder)).toEqual(before);
    await generate(request, { outputFolder, ...second, force: true });
    const elsewhere = await generate(request, second);
    expect(hashesOf(folder)).toEqual(hashesOf(elsewhere));
  });

  test('is reported where it is damaged, and replaced by force', async () => {
    const outputFolder = newFolder();
    const folder = await generate(request, { outputFolder, ...GZIP });
    truncateSync(join(folder, 'tickets.ndjson.gz'), 1000);
    const error = await generateBlock(request, { outputFolder, ...GZIP }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error).toMatchObject({
      report: { findingCounts: [{ code: 'file-compression', count: 1 }] },
    });
    await generate(request, { outputFolder, ...GZIP, force: true });
  });
});

describe('a compressed block', () => {
  const request = sampleRequest('lagon-mini');

  test('of another seed differs from the one that the seed makes, and the first place is shown', async () => {
    const folder = await generate(request, { formats: ['csv'], compression: 'gzip' });
    const other = await generate({ ...request, seed: Buffer.from('other') }, { formats: ['csv'] });
    const bytes = readFileSync(join(other, 'tickets.csv'));
    const manifest = manifestOf(folder);
    const [file] = manifestOf(other).files;
    const files = [{ ...manifest.files[0], ...file, name: 'tickets.csv.gz', compression: 'gzip' }];
    writeFileSync(join(folder, 'tickets.csv.gz'), gzipSync(bytes));
    writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ ...manifest, files })}\n`);
    const report = await verifyBlockFromSeed(folder, request.seed, { game: request.game });
    const found = report.findings.filter(({ code }) => code === 'seed-bytes');
    expect(found).toHaveLength(1);
    expect(found[0]?.place).toMatchObject({ file: 'tickets.csv.gz' });
    expect(bytes.toString()).toContain(`\n${found[0]?.found ?? ''}\n`);
  });

  test('whose file is damaged is compared with the seed as far as it can be read', async () => {
    const folder = await generate(request, { compression: 'gzip' });
    writeFileSync(join(folder, 'tickets.csv.gz'), 'no gzip');
    const report = await verifyBlockFromSeed(folder, request.seed, { game: request.game });
    expect(report.findingCounts).toEqual([{ code: 'file-compression', count: 1 }]);
  });

  test('that is damaged once it has been verified is refused by the audit', async () => {
    const folder = await generate(request, { formats: ['csv'], compression: 'gzip' });
    const [file] = manifestOf(folder).files;
    for (const damage of ['no gzip', gzipSync(new Uint8Array(10_000_000))]) {
      const right = readFileSync(join(folder, 'tickets.csv.gz'));
      let done = 0;
      const onBytes = (bytes: number): void => {
        done += bytes;
        if (done === file?.bytes) writeFileSync(join(folder, 'tickets.csv.gz'), damage);
      };
      await expect(auditBlocks([folder], { game: request.game, onBytes })).rejects.toThrow(
        /was changed after it had been verified/,
      );
      writeFileSync(join(folder, 'tickets.csv.gz'), right);
    }
  });

  test('is not begun where the compression is none that there is', async () => {
    const outputFolder = join(newFolder(), 'none');
    const compression = 'zstd' as Compression;
    const write = (): Promise<void> => Promise.reject(new Error('nothing must be written'));
    for (const attempt of [
      generateBlock(request, { outputFolder, compression }),
      streamBlock(request, { format: 'csv', compression, write }),
    ]) {
      const error: unknown = await attempt.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({
        code: 'usage',
        message: 'the compression zstd is not known; choose gzip',
      });
    }
    expect(existsSync(outputFolder)).toBe(false);
  });

  test('that is streamed ends with the error of its writer', async () => {
    let calls = 0;
    const write = (): Promise<void> => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('the reader is gone')) : Promise.resolve();
    };
    const streamed = streamBlock(request, { format: 'csv', compression: 'gzip', write });
    await expect(streamed).rejects.toThrow('the reader is gone');
    expect(calls).toBe(2);
  });
});
