import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../formats/manifest.js';
import { TICKET_FORMATS } from '../formats/ticket-formats.js';
import {
  encryptBytes,
  newAgeKey,
  runAge,
  writeIdentityFile,
  type AgeKey,
} from '../testing/age-lab.js';
import { hashesOf, folderMaker, namesIn, sampleRequest } from '../testing/sample-requests.js';
import { auditBlocks } from '../verify/audit/audit-blocks.js';
import { verifyBlock } from '../verify/verify-block.js';
import { verifyTicketsFile } from '../verify/verify-file.js';
import { openBlockTickets } from '../view/block-tickets.js';
import { reportBlock } from '../view/report-block.js';
import { ConformanceError, generateBlock, type GenerateOptions } from './generate-block.js';
import { planBlock, type BlockRequest } from './plan-block.js';
import { streamBlock } from './stream-block.js';
import { verifyBlockFromSeed } from './verify-from-seed.js';

const newFolder = folderMaker();

let key: AgeKey;
let keyPath: string;
let other: AgeKey;

beforeAll(async () => {
  key = await newAgeKey();
  other = await newAgeKey();
  keyPath = writeIdentityFile(newFolder(), key);
});

async function generate(
  request: BlockRequest,
  options: Partial<GenerateOptions> = {},
): Promise<string> {
  const made = await generateBlock(request, { outputFolder: newFolder(), ...options });
  expect(made.report.conforms).toBe(true);
  return made.folder;
}

const manifestText = (folder: string): string =>
  readFileSync(join(folder, 'manifest.json'), 'utf8');
const manifestOf = (folder: string): Manifest => JSON.parse(manifestText(folder)) as Manifest;
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The content of an encrypted file, as Debian's `age` has it. */
const decrypted = (path: string): Buffer => runAge(['-d', '-i', keyPath, path], Buffer.alloc(0));

// One of several chunks, and one of the other mechanic.
describe.each(['eldorado-mini', 'collect-bare'] as const)('an encrypted block of %s', (name) => {
  const request = sampleRequest(name);
  const { game, seed } = request;
  let plain: string;
  let folder: string;
  let packed: string;

  beforeAll(async () => {
    const encryptTo = [key.recipient];
    plain = await generate(request);
    folder = await generate(request, { encryptTo });
    packed = await generate(request, { encryptTo, compression: 'gzip' });
  });

  test.each(TICKET_FORMATS)('has the bytes of the plain one (%s)', (format) => {
    const right = hashesOf(plain)[`tickets.${format}`];
    expect(hashOf(decrypted(join(folder, `tickets.${format}.age`)))).toBe(right);
    const inside = gunzipSync(decrypted(join(packed, `tickets.${format}.gz.age`)));
    expect(hashOf(inside)).toBe(right);
  });

  test('has no plain file, and its files are for its owner only', () => {
    expect(readdirSync(folder)).toEqual(['manifest.json', 'tickets.csv.age', 'tickets.ndjson.age']);
    for (const file of readdirSync(folder)) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  test('has the manifest of the plain one, but for the names and the encryption', () => {
    const expected = manifestOf(plain);
    for (const [made, ending, compression] of [
      [folder, '.age', {}],
      [packed, '.gz.age', { compression: 'gzip' }],
    ] as const) {
      const files = expected.files.map(({ name: file, format, ...content }) => ({
        ...{ name: `${file}${ending}`, format, ...compression, encryption: 'age' },
        ...content,
      }));
      expect(manifestText(made)).toBe(`${JSON.stringify({ ...expected, files })}\n`);
    }
    expect(manifestText(plain)).not.toContain('encryption');
  });

  test('has the same manifest each time, and never the same files', async () => {
    const again = await generate(request, { encryptTo: [key.recipient, other.recipient] });
    expect(manifestText(again)).toBe(manifestText(folder));
    for (const format of TICKET_FORMATS) {
      const file = `tickets.${format}.age`;
      expect(hashesOf(again)[file]).not.toBe(hashesOf(folder)[file]);
    }
  });

  test('is verified with an identity, in threads, from its seed, and by each file', async () => {
    const identities = [other.identity, key.identity];
    for (const made of [folder, packed]) {
      const { files } = manifestOf(made);
      for (const threads of [1, 2]) {
        const report = await verifyBlock(made, { game, identities, threads });
        expect(report).toMatchObject({ conforms: true, files, tickets: game.blockSize });
      }
      const bySeed = await verifyBlockFromSeed(made, seed, { game, identities });
      expect(bySeed).toMatchObject({ conforms: true, notChecked: [] });
      const { stake } = await planBlock(request);
      for (const file of files) {
        const path = join(made, file.name);
        const report = await verifyTicketsFile(path, { game, stake, identities, ...file });
        expect(report).toMatchObject({ conforms: true, files: [file] });
      }
    }
  });

  test('is audited, reported and read with the results of the plain one', async () => {
    const identities = [key.identity];
    const audit = await auditBlocks([packed], { game, identities });
    expect(audit.blocks[0]?.tests).toEqual((await auditBlocks([plain], { game })).blocks[0]?.tests);
    const tickets = await openBlockTickets(folder, game, identities);
    expect(await tickets.records([1, 77])).toEqual(
      await (await openBlockTickets(plain, game)).records([1, 77]),
    );
    const { page } = await reportBlock(packed, { game, identities, isPublic: true });
    expect(page).toContain('age -d -i &lt;identity&gt;');
  });

  test.each([
    ['no identity', undefined, 'an encrypted file, and no identity; contents not checked'],
    ['another one', 'other', /^a file that none of the identities opens: .*; contents not checked/],
  ])('has its manifest and folder checked with %s, and says so', async (_, which, words) => {
    const identities = which === undefined ? undefined : [other.identity];
    for (const threads of [1, 2]) {
      const report = await verifyBlock(folder, { game, identities, threads });
      expect(report).toMatchObject({
        conforms: false,
        files: [],
        findingCounts: [{ code: 'file-encrypted', count: 2 }],
        checked: expect.arrayContaining(['the manifest and the folder']),
      });
      expect(report.findings[0]?.found).toMatch(words);
      expect(report.notChecked[0]).toBe(
        'tickets.ndjson.age: contents not checked, because no identity opens it',
      );
    }
    const bySeed = await verifyBlockFromSeed(folder, seed, { game, identities });
    expect(bySeed.findingCounts).toEqual([{ code: 'file-encrypted', count: 2 }]);
    const needed = { code: 'identity-needed' };
    await expect(auditBlocks([folder], { game, identities })).rejects.toMatchObject(needed);
    await expect(reportBlock(folder, { game, identities, isPublic: true })).rejects.toMatchObject(
      needed,
    );
    const reading = openBlockTickets(folder, game, identities).then((source) => source.prizes());
    await expect(reading).rejects.toMatchObject(needed);
  });

  test.each(TICKET_FORMATS)('is streamed with the bytes of the file (%s)', async (format) => {
    for (const compression of [undefined, 'gzip'] as const) {
      const pieces: Buffer[] = [];
      const { manifest } = await streamBlock(request, {
        ...{ format, compression, encryptTo: [key.recipient] },
        write: (bytes) => {
          expect(bytes.length).toBeGreaterThan(0);
          pieces.push(Buffer.from(bytes));
          return Promise.resolve();
        },
      });
      const content = runAge(['-d', '-i', keyPath], Buffer.concat(pieces));
      const unpacked = compression === undefined ? content : gunzipSync(content);
      expect(hashOf(unpacked)).toBe(hashesOf(plain)[`tickets.${format}`]);
      const made = compression === undefined ? folder : packed;
      expect(manifest.files).toEqual(
        manifestOf(made).files.filter((file) => file.format === format),
      );
    }
  });
});

describe('the report on a block that was encrypted', () => {
  const request = sampleRequest('rows-plain');

  test('says what could be checked without an identity, and what could not', async () => {
    const options = { outputFolder: newFolder(), encryptTo: [key.recipient] };
    const { report } = await generateBlock(request, options);
    expect(report.checked).toContain('every ticket against the rules, before it was encrypted');
    expect(report.checked).toContain(
      'the encrypted bytes of every file, read back from the disk: they are those that were written',
    );
    expect(report.notChecked[0]).toMatch(/^that the files can be decrypted: /);
    expect(report).toMatchObject({ conforms: true, tickets: 1000, winningTickets: 172 });
    expect(report.files).toEqual(
      manifestOf(join(options.outputFolder, 'rows-plain-100-e1-b1')).files,
    );
  });

  test('says more where an identity is there to decrypt it', async () => {
    const options = { outputFolder: newFolder(), encryptTo: [key.recipient] };
    const { report } = await generateBlock(request, { ...options, identities: [key.identity] });
    expect(report.checked).toContain('size, record count and hash of every file');
    expect(report.notChecked).toHaveLength(1);
  });

  test('refuses a block that the identity which is there does not open', async () => {
    const options = { outputFolder: newFolder(), encryptTo: [other.recipient] };
    const made = generateBlock(request, { ...options, identities: [key.identity] });
    await expect(made).rejects.toBeInstanceOf(ConformanceError);
    expect(namesIn(options.outputFolder)).toEqual([]);
  });

  test.each([
    ['bad-recipient', { encryptTo: ['age1wrong'] }],
    ['bad-recipient', { encryptTo: [] }],
  ])('refuses %s before anything is written: %j', async (code, options) => {
    const outputFolder = newFolder();
    const made = generateBlock(request, { outputFolder, ...options });
    await expect(made).rejects.toMatchObject({ code });
    expect(namesIn(outputFolder)).toEqual([]);
  });
});

describe('an encrypted block that is there already', () => {
  const request = sampleRequest('rows-plain');
  let outputFolder: string;
  let folder: string;
  let asked: GenerateOptions;

  beforeAll(async () => {
    outputFolder = newFolder();
    asked = { outputFolder, encryptTo: [key.recipient] };
    folder = await generate(request, asked);
  });

  test('is kept where an identity can tell that it is right', async () => {
    const before = hashesOf(folder);
    const again = await generateBlock(request, { ...asked, identities: [key.identity] });
    expect([again.kept, again.report.conforms]).toEqual([true, true]);
    expect(hashesOf(folder)).toEqual(before);
  });

  test.each([[undefined], ['other']])('is refused with identity %s', async (which) => {
    const before = hashesOf(folder);
    const identities = which === undefined ? undefined : [other.identity];
    await expect(generateBlock(request, { ...asked, identities })).rejects.toMatchObject({
      code: 'target-exists',
      message: `${folder} is there already, encrypted, and no identity opens it; give one with --identity, or use --force to replace it`,
    });
    expect(hashesOf(folder)).toEqual(before);
  });

  test('is refused where a plain one is asked for', async () => {
    const plain = { outputFolder, identities: [key.identity] };
    await expect(generateBlock(request, plain)).rejects.toMatchObject({
      code: 'target-exists',
      message: expect.stringContaining('it was made from other formats'),
    });
  });

  test('is replaced by force, and reported where it is damaged', async () => {
    const own = newFolder();
    const options = { outputFolder: own, encryptTo: [key.recipient], identities: [key.identity] };
    const made = await generate(request, options);
    truncateSync(join(made, 'tickets.csv.age'), 1000);
    const error = await generateBlock(request, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error).toMatchObject({
      report: { findingCounts: [{ code: 'file-encryption', count: 1 }] },
    });
    await generate(request, { ...options, identities: undefined, force: true });
    expect((await generateBlock(request, options)).kept).toBe(true);
  });
});

describe('an encrypted file', () => {
  const request = sampleRequest('lagon-mini');
  const { game } = request;
  let folder: string;
  let csv: string;

  beforeAll(async () => {
    const options = { encryptTo: [key.recipient], formats: ['csv'], compression: 'gzip' } as const;
    folder = await generate(request, options);
    csv = join(folder, 'tickets.csv.gz.age');
  });

  test('with other content, encrypted to the same, is judged as a plain one is', async () => {
    const right = readFileSync(csv);
    for (const [content, code] of [
      [Buffer.from('no gzip'), 'file-compression'],
      [decrypted(csv).subarray(0, 3000), 'file-compression'],
    ] as const) {
      writeFileSync(csv, await encryptBytes(content, [key.recipient]));
      const report = await verifyBlock(folder, { game, identities: [key.identity] });
      expect(report.findingCounts).toEqual([{ code, count: 1 }]);
    }
    writeFileSync(csv, right);
  });

  test('that is damaged once it has been verified is refused by the audit', async () => {
    const [file] = manifestOf(folder).files;
    const right = readFileSync(csv);
    let done = 0;
    const onBytes = (bytes: number): void => {
      done += bytes;
      if (done === file?.bytes) writeFileSync(csv, right.subarray(0, -1));
    };
    const audited = auditBlocks([folder], { game, identities: [key.identity], onBytes });
    await expect(audited).rejects.toMatchObject({ code: 'not-a-block' });
    writeFileSync(csv, right);
  });
});
