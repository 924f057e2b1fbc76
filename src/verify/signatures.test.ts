import { createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { signatureName, type PublicKey } from '../formats/signature.js';
import { validBlock, writeBlock, type BlockCopy } from '../testing/broken-blocks.js';
import { sampleKey, type SampleKey } from '../testing/sample-keys.js';
import { folderMaker } from '../testing/sample-requests.js';
import { FindingLog } from './finding.js';
import { checkSignatures } from './signatures.js';
import type { VerifyReport } from './report.js';
import { verifyBlock } from './verify-block.js';

const newFolder = folderMaker();
const OPERATOR = sampleKey('a');
const AUDITOR = sampleKey('b');
const MANIFEST = 'manifest.json';
const NAME = signatureName(MANIFEST, OPERATOR.key.id);

let block: BlockCopy;
let plain: VerifyReport;
let folder: string;

beforeAll(async () => {
  block = await validBlock('collect-bare');
  plain = await verifyBlock(writeBlock(block, newFolder()), { game: block.game });
});

beforeEach(() => {
  folder = writeBlock(block, newFolder());
});

/** Signs without the code that is under test. */
function signatureOf(file: string, { privatePem }: SampleKey): Buffer {
  return sign(null, readFileSync(join(folder, file)), createPrivateKey(privatePem));
}

function signs(who: SampleKey, file = MANIFEST): void {
  writeFileSync(join(folder, signatureName(file, who.key.id)), signatureOf(file, who));
}

async function verify(...trusted: readonly SampleKey[]): Promise<VerifyReport> {
  const trustedKeys = trusted.map(({ key }): PublicKey => ({ id: key.id, spki: key.spki }));
  return verifyBlock(folder, { game: block.game, trustedKeys });
}

function newWords(report: VerifyReport): readonly (readonly string[])[] {
  return (['checked', 'notChecked'] as const).map((list) =>
    report[list].filter((words) => !plain[list].includes(words)),
  );
}

const right = (who: SampleKey, file = MANIFEST): string =>
  `the signature of ${file} by key ${who.key.id}`;
const untrusted = (who: SampleKey): string =>
  `the signature by key ${who.key.id}: give its public key with --trusted-key`;

describe('signatures of a block', () => {
  test('that has none are not spoken of', async () => {
    expect(plain.conforms).toBe(true);
    expect(JSON.stringify(await verify())).toBe(JSON.stringify(plain));
    expect(JSON.stringify(plain)).not.toContain('signature');
  });

  test('are checked where the key is trusted, and named where it is not', async () => {
    signs(OPERATOR);
    signs(AUDITOR);
    expect(newWords(await verify(OPERATOR, AUDITOR))).toEqual([
      [right(OPERATOR), right(AUDITOR)],
      [],
    ]);
    const one = await verify(AUDITOR);
    expect([one.conforms, newWords(one)]).toEqual([
      true,
      [[right(AUDITOR)], [untrusted(OPERATOR)]],
    ]);
    const none = await verify();
    expect(none.conforms).toBe(true);
    expect(newWords(none)).toEqual([[], [untrusted(AUDITOR), untrusted(OPERATOR)].sort()]);
  });

  test('by a key that is trusted twice are checked once', async () => {
    signs(OPERATOR);
    expect(newWords(await verify(OPERATOR, OPERATOR))).toEqual([[right(OPERATOR)], []]);
  });

  test('by more keys than can be named are counted', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => sampleKey(Buffer.alloc(32, index)));
    for (const key of keys) signs(key);
    const [, words = []] = newWords(await verify());
    expect(words).toHaveLength(9);
    expect(words.at(-1)).toBe('the signatures by 12 more keys');
  });

  test('say nothing of a file that looks like one by a key that is not trusted', async () => {
    signs(OPERATOR);
    writeFileSync(join(folder, signatureName(MANIFEST, AUDITOR.key.id)), 'garbage');
    const report = await verify(OPERATOR);
    expect([report.conforms, newWords(report)]).toEqual([
      true,
      [[right(OPERATOR)], [untrusted(AUDITOR)]],
    ]);
  });
});

describe('a trusted key', () => {
  const invalid = (found: string): object => ({
    code: 'signature-invalid',
    place: { file: NAME },
    expected: right(OPERATOR),
    found,
  });
  const OTHER_BYTES = invalid('a signature of other bytes, or by another key');

  test.each<[string, () => void, object]>([
    [
      'that has not signed',
      () => undefined,
      { ...OTHER_BYTES, code: 'signature-missing', found: 'no such file' },
    ],
    [
      'whose signature is another key’s',
      () => writeFileSync(join(folder, NAME), signatureOf(MANIFEST, AUDITOR)),
      OTHER_BYTES,
    ],
    [
      'whose signature has one other bit',
      () => {
        const bytes = signatureOf(MANIFEST, OPERATOR);
        bytes[63]! ^= 0x10;
        writeFileSync(join(folder, NAME), bytes);
      },
      OTHER_BYTES,
    ],
    [
      'whose signature is of another file',
      () => writeFileSync(join(folder, NAME), signatureOf('tickets.csv', OPERATOR)),
      OTHER_BYTES,
    ],
    [
      'whose signature is cut short',
      () => writeFileSync(join(folder, NAME), signatureOf(MANIFEST, OPERATOR).subarray(1)),
      invalid('63 bytes'),
    ],
    ['whose signature is empty', () => writeFileSync(join(folder, NAME), ''), invalid('0 bytes')],
    [
      'whose signature is followed by something',
      () => {
        const bytes = Buffer.concat([signatureOf(MANIFEST, OPERATOR), Buffer.alloc(9_000_000)]);
        writeFileSync(join(folder, NAME), bytes);
      },
      invalid('more than 64 bytes'),
    ],
  ])('%s is a finding', async (_, prepare, finding) => {
    prepare();
    const report = await verify(OPERATOR);
    expect([report.conforms, report.findings]).toEqual([false, [finding]]);
    expect(newWords(report)).toEqual([[], []]);
    // Whoever does not trust it has nothing against the block.
    expect((await verify()).conforms).toBe(true);
  });

  test.each<[string, (path: string) => void]>([
    ['a link', (path) => symlinkSync(join(folder, '..', 'elsewhere'), path)],
    ['a folder', (path) => mkdirSync(path)],
  ])('has not signed where %s lies in the place of its signature', async (_, prepare) => {
    writeFileSync(join(folder, '..', 'elsewhere'), signatureOf(MANIFEST, OPERATOR));
    prepare(join(folder, NAME));
    const codes = (await verify(OPERATOR)).findingCounts.map(({ code }) => code);
    expect(codes.toSorted()).toEqual(['file-unexpected', 'signature-missing']);
  });

  test('has signed the manifest as it was', async () => {
    signs(OPERATOR);
    const path = join(folder, MANIFEST);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/"tool_version":"[^"]*"/, '"tool_version":"9.9.9"'));
    expect((await verify()).conforms).toBe(true);
    expect((await verify(OPERATOR)).findings).toEqual([OTHER_BYTES]);
  });

  test('has not signed one block with the signature of another', async () => {
    const other = await validBlock('collect-bare', { seed: 'another' });
    signs(OPERATOR);
    const signature = readFileSync(join(folder, NAME));
    folder = writeBlock(other, newFolder());
    signs(OPERATOR);
    expect((await verify(OPERATOR)).conforms).toBe(true);
    writeFileSync(join(folder, NAME), signature);
    expect((await verify(OPERATOR)).findings).toEqual([OTHER_BYTES]);
  });
});

describe('a commitment', () => {
  const COMMITMENT = 'commitment.json';
  const COMMITMENT_NAME = signatureName(COMMITMENT, OPERATOR.key.id);
  const finding = (code: string, found: string): object => ({
    code,
    place: { file: COMMITMENT_NAME },
    expected: right(OPERATOR, COMMITMENT),
    found,
  });

  /** Only what comes of the signatures. */
  async function check(): Promise<{
    readonly checked: readonly string[];
    readonly found: unknown;
  }> {
    const log = new FindingLog();
    const bytes = readFileSync(join(folder, MANIFEST));
    const report = await checkSignatures(
      { ...plain, checked: [] },
      { folder, bytes },
      { trustedKeys: [OPERATOR.key], log },
    );
    return { checked: report.checked, found: report.findings };
  }

  beforeEach(() => {
    writeFileSync(join(folder, COMMITMENT), '{"root":"00"}\n');
    signs(OPERATOR);
  });

  test('must be signed where there is one', async () => {
    expect(await check()).toEqual({
      checked: [right(OPERATOR)],
      found: [finding('signature-missing', 'no such file')],
    });
    signs(OPERATOR, COMMITMENT);
    expect(await check()).toEqual({
      checked: [right(OPERATOR), right(OPERATOR, COMMITMENT)],
      found: [],
    });
  });

  test('must not be changed, nor go, once it is signed', async () => {
    signs(OPERATOR, COMMITMENT);
    writeFileSync(join(folder, COMMITMENT), '{"root":"01"}\n');
    const other = 'a signature of other bytes, or by another key';
    expect((await check()).found).toEqual([finding('signature-invalid', other)]);
    rmSync(join(folder, COMMITMENT));
    const gone = 'a signature, and no commitment.json that it could be of';
    expect((await check()).found).toEqual([finding('signature-invalid', gone)]);
  });

  test('is none where it is a link, or too long', async () => {
    signs(OPERATOR, COMMITMENT);
    const found = [
      finding('signature-invalid', 'a signature, and no commitment.json that it could be of'),
    ];
    writeFileSync(join(folder, COMMITMENT), Buffer.alloc(8 * 1024 * 1024 + 1));
    signs(OPERATOR, COMMITMENT);
    expect((await check()).found).toEqual(found);
    rmSync(join(folder, COMMITMENT));
    symlinkSync(MANIFEST, join(folder, COMMITMENT));
    expect((await check()).found).toEqual(found);
  });
});
