import * as actualCrypto from 'node:crypto';
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import * as actualFiles from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FaultyFiles } from '../testing/faulty-files.js';
import { sampleKey } from '../testing/sample-keys.js';
import { folderMaker, namesIn } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
let spoilSignature = false;
jest.unstable_mockModule('node:crypto', () => ({
  ...actualCrypto,
  sign: (algorithm: null, bytes: Uint8Array, privateKey: actualCrypto.KeyObject): Buffer => {
    const signature = actualCrypto.sign(algorithm, bytes, privateKey);
    return spoilSignature ? signature.reverse() : signature;
  },
}));
const { signFiles } = await import('./place-signatures.js');

const newFolder = folderMaker();

/** RFC 8032, section 7.1, test 2. */
const RFC = {
  secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  message: '72',
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};
const { key } = sampleKey(Buffer.from(RFC.secret, 'hex'));
const MANIFEST = 'manifest.json';
const NAME = `${MANIFEST}.${key.id}.sig`;
/** Left by an owner on another machine, of which nobody can know whether it is gone. */
const UNKNOWN = `${NAME}.new-4711-0123456789ab-${'a'.repeat(32)}`;

/** The order of the group, RFC 8032, section 5.1. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

const hashOf = (...pieces: readonly Uint8Array[]): Buffer =>
  actualCrypto.createHash('sha512').update(Buffer.concat(pieces)).digest();
const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** A key's secret number, and the point that is its public half. */
function halvesOf(secret: Buffer): { readonly scalar: bigint; readonly point: Buffer } {
  const bytes = hashOf(secret).subarray(0, 32);
  bytes[0]! &= 0xf8;
  bytes[31] = (bytes[31]! & 0x7f) | 0x40;
  return {
    scalar: littleEndian(bytes),
    point: Buffer.from(sampleKey(secret).key.spki).subarray(-32),
  };
}

/** A right signature that no standard signer makes: a second key is its nonce. */
function otherSignature(secret: Buffer, message: Buffer): Buffer {
  const [own, nonce] = [halvesOf(secret), halvesOf(Buffer.alloc(32, 'n'))];
  const challenge = littleEndian(hashOf(nonce.point, own.point, message));
  const answer = (nonce.scalar + challenge * own.scalar) % ORDER;
  const hex = answer.toString(16).padStart(64, '0');
  return Buffer.concat([nonce.point, Buffer.from(hex, 'hex').reverse()]);
}

let folder: string;

beforeEach(() => {
  files.arm();
  spoilSignature = false;
  folder = newFolder();
  writeFileSync(join(folder, MANIFEST), Buffer.from(RFC.message, 'hex'));
});

const at = (name: string): string => join(folder, name);
const signatureIn = (name: string): string => readFileSync(at(name)).toString('hex');

describe('signing', () => {
  test('makes the signature of RFC 8032, for its owner only', async () => {
    expect(await signFiles(folder, key)).toEqual([{ name: NAME, outcome: 'made' }]);
    expect(namesIn(folder)).toEqual([MANIFEST, NAME]);
    expect(signatureIn(NAME)).toBe(RFC.signature);
    expect(statSync(at(NAME)).mode & 0o777).toBe(0o600);
  });

  test('signs the commitment too where there is one, and nothing else', async () => {
    writeFileSync(at('commitment.json'), '{}');
    writeFileSync(at('tickets.csv'), '');
    const commitment = `commitment.json.${key.id}.sig`;
    expect(await signFiles(folder, key)).toEqual([
      { name: NAME, outcome: 'made' },
      { name: commitment, outcome: 'made' },
    ]);
    expect(signatureIn(commitment)).not.toBe(signatureIn(NAME));
  });

  test('keeps what is there, and does not touch it', async () => {
    await signFiles(folder, key);
    const { ino, mtimeMs } = statSync(at(NAME));
    expect(await signFiles(folder, key, { force: true })).toEqual([
      { name: NAME, outcome: 'kept' },
    ]);
    expect(statSync(at(NAME))).toMatchObject({ ino, mtimeMs });
  });

  test('of several keys lies side by side', async () => {
    const { key: other } = sampleKey('b');
    await signFiles(folder, key);
    await signFiles(folder, other);
    expect(namesIn(folder)).toEqual([MANIFEST, `${MANIFEST}.${other.id}.sig`, NAME].sort());
  });

  test.each([
    ['of other bytes', (): Buffer => actualCrypto.randomBytes(64)],
    ['cut short', (): Buffer => Buffer.from(RFC.signature, 'hex').subarray(1)],
    ['with a line end', (): Buffer => Buffer.from(`${RFC.signature}0a`, 'hex')],
    ['empty', (): Buffer => Buffer.alloc(0)],
  ])('replaces one %s by force only', async (_, bytes) => {
    const wrong = bytes();
    writeFileSync(at(NAME), wrong);
    await expect(signFiles(folder, key)).rejects.toMatchObject({
      code: 'target-exists',
      message: `${at(NAME)} is there already and is no signature of this ${MANIFEST}; find out why, then replace it with gen-block sign --force`,
    });
    expect(readFileSync(at(NAME))).toEqual(wrong);
    expect(await signFiles(folder, key, { force: true })).toEqual([
      { name: NAME, outcome: 'replaced' },
    ]);
    expect(signatureIn(NAME)).toBe(RFC.signature);
    expect(namesIn(folder)).toEqual([MANIFEST, NAME]);
  });

  test('leaves another signature that is right, even by force', async () => {
    const other = otherSignature(Buffer.from(RFC.secret, 'hex'), Buffer.from(RFC.message, 'hex'));
    writeFileSync(at(NAME), other);
    for (const force of [false, true]) {
      await expect(signFiles(folder, key, { force })).rejects.toMatchObject({
        code: 'target-exists',
        message: `${at(NAME)} is another signature by the same key, and right; move it away, or leave it and do not sign again`,
      });
    }
    expect(readFileSync(at(NAME))).toEqual(other);
    expect(namesIn(folder)).toEqual([MANIFEST, NAME]);
  });

  test('follows no link that lies in the place of a signature', async () => {
    const elsewhere = join(newFolder(), 'elsewhere');
    writeFileSync(elsewhere, 'not ours');
    symlinkSync(elsewhere, at(NAME));
    await expect(signFiles(folder, key)).rejects.toMatchObject({ code: 'target-exists' });
    await signFiles(folder, key, { force: true });
    expect([readFileSync(elsewhere, 'utf8'), signatureIn(NAME)]).toEqual([
      'not ours',
      RFC.signature,
    ]);
  });

  test('takes away a signature that does not come back as it should, and says so', async () => {
    spoilSignature = true;
    await expect(signFiles(folder, key)).rejects.toMatchObject({
      name: 'MachineError',
      message: expect.stringMatching(
        /\.sig does not fit what lies beside it: somebody has changed/,
      ),
    });
    expect(namesIn(folder)).toEqual([MANIFEST]);
  });

  test('of bytes that have changed since they were verified is refused', async () => {
    const verified = [{ name: MANIFEST, bytes: Buffer.from('other bytes') }];
    await expect(signFiles(folder, key, { files: verified })).rejects.toMatchObject({
      code: 'EIO',
    });
    expect(namesIn(folder)).toEqual([MANIFEST]);
  });
});

describe('a machine that fails', () => {
  test('at any call leaves no signature or a right one, and the next run mends it', async () => {
    const clean = folder;
    await signFiles(clean, key);
    files.arm();
    const target = newFolder();
    cpSync(at(MANIFEST), join(target, MANIFEST));
    folder = target;
    await signFiles(folder, key);
    const count = files.calls.length;
    expect(count).toBeGreaterThan(10);
    const ends: string[] = [];
    for (let nth = 1; nth <= count; nth += 1) {
      folder = newFolder();
      cpSync(join(clean, MANIFEST), at(MANIFEST));
      files.arm({ nth, code: 'EIO' });
      const end = await signFiles(folder, key).then(
        () => 'signed',
        (error: unknown) => (error as Error).name,
      );
      ends.push(end);
      const left = namesIn(folder).filter((name) => name === NAME);
      expect(left.map(signatureIn)).toEqual(left.map(() => RFC.signature));
      files.arm();
      expect((await signFiles(folder, key)).map(({ name }) => name)).toEqual([NAME]);
      expect(signatureIn(NAME)).toBe(RFC.signature);
    }
    expect(new Set(ends)).toEqual(new Set(['signed', 'MachineError']));
  });

  test('without hard links signs as well', async () => {
    files.arm({ call: 'link', nth: 1, code: 'EPERM' });
    expect(await signFiles(folder, key)).toEqual([{ name: NAME, outcome: 'made' }]);
    expect(namesIn(folder)).toEqual([MANIFEST, NAME]);
  });
});

describe('what a run that was killed has left', () => {
  test('is taken away where it is known to be gone, and only there', async () => {
    const { ownerTag } = await import('./owner.js');
    const [, world = ''] = ownerTag().split('-');
    // The highest number that a process can have on Linux is far below.
    const dead = `${NAME}.new-99999999-${world}-${'b'.repeat(32)}`;
    const alive = `${NAME}.new-${ownerTag()}-${'c'.repeat(32)}`;
    for (const name of [dead, alive, UNKNOWN]) writeFileSync(at(name), 'half');
    await signFiles(folder, key);
    expect(namesIn(folder)).toEqual([MANIFEST, NAME, UNKNOWN, alive].sort());
  });
});
