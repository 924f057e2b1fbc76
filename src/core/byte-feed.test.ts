import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteFeed } from './byte-feed.js';

/** Pieces that hold only until the next one is asked for, as those of a file do. */
async function* shortLived(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const bytes = piece.slice();
    await Promise.resolve();
    yield bytes;
    bytes.fill(0xee);
  }
}

const anyPieces = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 12 });

describe('a feed of bytes', () => {
  test('gives all bytes in order, whatever lengths they come in and are taken in', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPieces,
        fc.array(fc.tuple(fc.boolean(), fc.nat(15)), { maxLength: 20 }),
        async (pieces, steps) => {
          const whole = Buffer.concat(pieces);
          const feed = new ByteFeed(shortLived(pieces));
          let done = 0;
          for (const [isTaken, length] of steps) {
            const bytes = isTaken ? await feed.take(length) : await feed.next(length + 1);
            expect(Buffer.from(bytes)).toEqual(whole.subarray(done, done + bytes.length));
            const mustBe = isTaken ? Math.min(length, whole.length - done) : bytes.length;
            expect(bytes.length).toBe(mustBe);
            if (!isTaken && bytes.length === 0) expect(done).toBe(whole.length);
            done += bytes.length;
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('takes back the end of what it gave, and gives it again', async () => {
    const feed = new ByteFeed(shortLived([Buffer.from('abcdef'), Buffer.from('gh')]));
    expect(Buffer.from(await feed.next(4)).toString()).toBe('abcd');
    feed.unread(3);
    expect(Buffer.from(await feed.next(99)).toString()).toBe('bcdef');
    feed.unread(1);
    expect(Buffer.from(await feed.take(99)).toString()).toBe('fgh');
    expect(await feed.next(1)).toHaveLength(0);
  });

  test('ends its source when it is closed', async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          await Promise.resolve();
          yield Uint8Array.of(1);
        }
      } finally {
        isEnded = true;
      }
    }
    const feed = new ByteFeed(endless());
    await feed.take(5);
    await feed.close();
    expect(isEnded).toBe(true);
  });
});
