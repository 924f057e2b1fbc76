import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Decrypter, Encrypter } from 'age-encryption';
import { decryptAge } from '../formats/decrypt-age.js';
import { payloadBytes } from '../formats/age-payload.js';
import {
  encryptBytes,
  newAgeKey,
  runAge,
  writeIdentityFile,
  type AgeKey,
} from '../testing/age-lab.js';
import { folderMaker } from '../testing/sample-requests.js';

const newFolder = folderMaker();
const CHUNK = 65_536;

/** Around the ends of chunks. */
const LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1];

let key: AgeKey;
let path: string;

beforeAll(async () => {
  key = await newAgeKey();
  path = writeIdentityFile(newFolder(), key);
});

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function decrypt(file: Uint8Array, pieceLength = file.length): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const source = (async function* () {
    for (let at = 0; at < file.length; at += pieceLength) {
      yield await Promise.resolve(file.subarray(at, at + pieceLength));
    }
  })();
  for await (const piece of decryptAge(source, [key.identity])) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describe.each(LENGTHS)('a content of %d bytes', (length) => {
  const plain = randomBytes(length);

  test('that we encrypt is read by age, by its library and by us', async () => {
    const file = await encryptBytes(plain, [key.recipient]);
    expect(hashOf(runAge(['-d', '-i', path], file))).toBe(hashOf(plain));
    const decrypter = new Decrypter();
    decrypter.addIdentity(key.identity);
    expect(hashOf(await decrypter.decrypt(Uint8Array.from(file)))).toBe(hashOf(plain));
    expect(hashOf(await decrypt(file))).toBe(hashOf(plain));
  });

  test('that age or its library encrypts is read by us', async () => {
    const theirs = runAge(['-r', key.recipient], plain);
    const encrypter = new Encrypter();
    encrypter.addRecipient(key.recipient);
    for (const file of [theirs, await encrypter.encrypt(Uint8Array.from(plain))]) {
      expect(hashOf(await decrypt(file))).toBe(hashOf(plain));
      expect(hashOf(await decrypt(file, 1000))).toBe(hashOf(plain));
    }
  });

  test('has the length that can be told beforehand, as that of age', async () => {
    const ours = await encryptBytes(plain, [key.recipient]);
    expect(ours.length).toBe(runAge(['-r', key.recipient], plain).length);
    const headerLength = ours.length - payloadBytes(length);
    expect(ours.subarray(0, headerLength).toString('latin1')).toMatch(
      /^age-encryption\.org\/v1\n-> X25519 \S{43}\n\S{43}\n--- \S{43}\n$/,
    );
  });
});

describe('an encrypter', () => {
  test.each([[[1]], [[CHUNK]], [[1, CHUNK, 3 * CHUNK]], [[CHUNK - 1, 2]], [[100_000, 5000]]])(
    'takes pieces of %j bytes',
    async (lengths) => {
      const plain = randomBytes(lengths[0] === 1 && lengths.length === 1 ? 70_000 : 5 * CHUNK);
      const file = await encryptBytes(plain, [key.recipient], lengths);
      expect(hashOf(await decrypt(file))).toBe(hashOf(plain));
    },
  );

  test('never makes the same bytes twice', async () => {
    const plain = Buffer.alloc(CHUNK);
    const files = [
      await encryptBytes(plain, [key.recipient]),
      await encryptBytes(plain, [key.recipient]),
    ];
    const ends = files.map((file) => file.subarray(-CHUNK).toString('hex'));
    expect(ends[0]).not.toBe(ends[1]);
  });

  test('encrypts to several, each of whom can read it', async () => {
    const other = await newAgeKey();
    const plain = randomBytes(1000);
    const file = await encryptBytes(plain, [key.recipient, other.recipient]);
    for (const each of [key, other]) {
      const own = writeIdentityFile(newFolder(), each);
      expect(hashOf(runAge(['-d', '-i', own], file))).toBe(hashOf(plain));
    }
  });
});
