import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ENGINE_IDS } from '../core/algorithm.js';
import { randomStream } from './random-stream.js';
import {
  encodeLabel,
  seedCommitment,
  seedKey,
  streamKey,
  type BlockIdentity,
  type StreamPurpose,
} from './stream-key.js';

const SEED = Buffer.from('a seed for tests');

const IDENTITY: BlockIdentity = {
  gameId: 'eldorado',
  definitionSha256: 'dbdfa18992f9330a66310d1a9de62f42dafbc82116b07c0421169dd5bfac7100',
  engine: 'seedrandom',
  stakeCents: 100,
  emission: 1,
  block: 1,
};

const PURPOSES: readonly StreamPurpose[] = ['quotas', 'shuffle', 'grids'];

/** A label out of its description: a 32-bit big-endian length before each field's UTF-8 bytes. */
function describedLabel(fields: readonly string[]): string {
  return fields
    .map((field) => {
      const bytes = Buffer.from(field, 'utf8');
      return bytes.length.toString(16).padStart(8, '0') + bytes.toString('hex');
    })
    .join('');
}

function hmacHex(key: Uint8Array, labelHex: string): string {
  return createHmac('sha256', key).update(Buffer.from(labelHex, 'hex')).digest('hex');
}

describe('a label', () => {
  test('is the length of each field and its bytes', () => {
    const label = encodeLabel(['ab', '', 'é']).toString('hex');
    expect(label).toBe('000000026162' + '00000000' + '00000002c3a9');
  });

  test('can be taken apart into the fields that it was made of', () => {
    const anyField = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant(''));
    fc.assert(
      fc.property(fc.array(anyField, { maxLength: 12 }), (fields) => {
        expect(takeApart(encodeLabel(fields))).toEqual(fields);
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test('differs where only the border between two fields does', () => {
    const labels = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c']];
    const texts = labels.map((fields) => encodeLabel(fields).toString('hex'));
    expect(new Set(texts).size).toBe(labels.length);
  });

  function takeApart(label: Buffer): readonly string[] {
    const fields: string[] = [];
    let position = 0;
    while (position < label.length) {
      const start = position + 4;
      position = start + label.readUInt32BE(position);
      fields.push(label.toString('utf8', start, position));
    }
    expect(position).toBe(label.length);
    return fields;
  }
});

describe("the seed's key", () => {
  test('is the SHA-256 of a prefix and the seed', () => {
    const bytes = Buffer.concat([Buffer.from('gen-block seed'), Buffer.of(0), SEED]);
    expect(seedKey(SEED)).toEqual(createHash('sha256').update(bytes).digest());
  });

  test('is not the plain SHA-256 of the seed', () => {
    expect(seedKey(SEED)).not.toEqual(createHash('sha256').update(SEED).digest());
  });

  test('takes the bytes as they are, with no normalisation', () => {
    const composed = Buffer.from('\u00e9');
    const decomposed = Buffer.from('e\u0301');
    expect(composed.toString().normalize()).toBe(decomposed.toString().normalize());
    expect(seedKey(composed)).not.toEqual(seedKey(decomposed));
    expect(seedKey(Buffer.from('x'))).not.toEqual(seedKey(Buffer.from('x\n')));
  });
});

describe("a stream's key", () => {
  test.each([
    {},
    { engine: 'chacha20' as const },
    { gameId: 'lagon-paradis', stakeCents: 50, emission: 20, block: 300 },
  ])('is the HMAC that the description tells, with %j', (changes) => {
    const identity = { ...IDENTITY, ...changes };
    for (const purpose of PURPOSES) {
      for (const chunk of [0, 219]) {
        const label = describedLabel([
          'gen-block stream',
          '1',
          identity.gameId,
          identity.definitionSha256,
          identity.engine,
          `${identity.stakeCents}`,
          `${identity.emission}`,
          `${identity.block}`,
          purpose,
          `${chunk}`,
        ]);
        const key = streamKey(seedKey(SEED), identity, purpose, chunk);
        expect(key.toString('hex')).toBe(hmacHex(seedKey(SEED), label));
        expect(key).toHaveLength(32);
      }
    }
  });

  test('changes with every field', () => {
    const key = seedKey(SEED);
    const keys = [
      streamKey(key, IDENTITY, 'grids', 0),
      streamKey(seedKey(Buffer.from('another')), IDENTITY, 'grids', 0),
      streamKey(key, { ...IDENTITY, gameId: 'eldorad' }, 'grids', 0),
      streamKey(key, { ...IDENTITY, definitionSha256: '0'.repeat(64) }, 'grids', 0),
      streamKey(key, { ...IDENTITY, engine: 'chacha20' }, 'grids', 0),
      streamKey(key, { ...IDENTITY, stakeCents: 200 }, 'grids', 0),
      streamKey(key, { ...IDENTITY, emission: 2 }, 'grids', 0),
      streamKey(key, { ...IDENTITY, block: 2 }, 'grids', 0),
      streamKey(key, IDENTITY, 'quotas', 0),
      streamKey(key, IDENTITY, 'shuffle', 0),
      streamKey(key, IDENTITY, 'grids', 1),
    ];
    expect(new Set(keys.map((item) => item.toString('hex'))).size).toBe(keys.length);
  });

  test('is not the same where digits move from one number to the next', () => {
    const key = seedKey(SEED);
    const first = streamKey(key, { ...IDENTITY, emission: 1, block: 12 }, 'grids', 3);
    const others = [
      streamKey(key, { ...IDENTITY, emission: 11, block: 2 }, 'grids', 3),
      streamKey(key, { ...IDENTITY, emission: 12, block: 1 }, 'grids', 3),
      streamKey(key, { ...IDENTITY, stakeCents: 1001, emission: 1, block: 2 }, 'grids', 3),
    ];
    for (const other of others) expect(other).not.toEqual(first);
  });
});

describe('the commitment', () => {
  test('is the HMAC that the description tells', () => {
    const label = describedLabel(['gen-block seed commitment', '1']);
    expect(seedCommitment(seedKey(SEED))).toBe(hmacHex(seedKey(SEED), label));
  });

  test("is neither the seed's key nor the key of any stream", () => {
    const key = seedKey(SEED);
    const others = new Set([key.toString('hex')]);
    for (const purpose of PURPOSES) {
      for (let chunk = 0; chunk < 300; chunk += 1) {
        others.add(streamKey(key, IDENTITY, purpose, chunk).toString('hex'));
      }
    }
    expect(others.size).toBe(901);
    expect(others.has(seedCommitment(key))).toBe(false);
  });

  test('differs from seed to seed', () => {
    const seeds = ['a', 'aa', 'b', 'a ', ' a', 'A'];
    const commitments = seeds.map((seed) => seedCommitment(seedKey(Buffer.from(seed))));
    expect(new Set(commitments).size).toBe(seeds.length);
  });
});

describe.each(ENGINE_IDS)('with the engine %s', (engine) => {
  const identity = { ...IDENTITY, engine };

  test('seeds that the seedrandom package folds together give different streams', () => {
    const seeds = ['a', 'aa', 'aaa', 'abab', 'ab', 'x'.repeat(256), 'x'.repeat(512), 'א', '\u00d0'];
    const beginnings = seeds.map((seed) => {
      const key = streamKey(seedKey(Buffer.from(seed)), identity, 'shuffle', 0);
      const stream = randomStream(engine, key);
      return [stream.nextWord(), stream.nextWord()].join();
    });
    expect(new Set(beginnings).size).toBe(seeds.length);
  });

  test('all streams of a block begin differently', () => {
    const key = seedKey(SEED);
    const beginnings = new Set<string>();
    for (const purpose of PURPOSES) {
      for (let chunk = 0; chunk < 50; chunk += 1) {
        const stream = randomStream(engine, streamKey(key, identity, purpose, chunk));
        beginnings.add([stream.nextWord(), stream.nextWord()].join());
      }
    }
    expect(beginnings.size).toBe(150);
  });
});
