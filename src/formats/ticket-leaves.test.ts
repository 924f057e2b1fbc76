import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../core/assert.js';
import { newWasmKernel, PlainKernel, type Sha256Kernel } from '../core/sha256-kernel.js';
import { LeafFeed, TicketLeaves } from './ticket-leaves.js';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
const NAME = 'eldorado-100-e1-b1';

function definedLeaf(ticket: number, record: string): string {
  const salt = createHmac('sha256', KEY).update(String(ticket)).digest();
  const message = Buffer.concat([Uint8Array.of(0), salt, Buffer.from(`${NAME}\n${record}`)]);
  return createHash('sha256').update(message).digest('hex');
}

test('the salt of a ticket is the HMAC of its number in decimal', () => {
  const leaves = new TicketLeaves(KEY, NAME);
  for (const ticket of [1, 9, 10, 99, 100, 900_000, 999_999_999, 2 ** 53 - 1]) {
    const expected = createHmac('sha256', KEY).update(String(ticket)).digest('hex');
    const found = Buffer.from(leaves.salt(ticket)).toString('hex');
    expect({ ticket, found }).toEqual({ ticket, found: expected });
  }
});

const KERNELS: readonly [string, () => Sha256Kernel][] = [
  ['WebAssembly', () => defined(newWasmKernel(), 'WebAssembly with vectors')],
  ['TypeScript', () => new PlainKernel()],
];

describe.each(KERNELS)('leaves that %s hashes', (_, makeKernel) => {
  /** Hashes records that come in pieces, the first ticket being number 1. */
  function feed(pieces: readonly (readonly string[])[]): readonly string[] {
    const found: string[] = [];
    const taker = {
      push: (bytes: Uint8Array, at: number) => {
        found.push(Buffer.from(bytes.subarray(at, at + 32)).toString('hex'));
      },
    };
    const leaves = new LeafFeed(new TicketLeaves(KEY, NAME, makeKernel()), taker);
    for (const records of pieces) {
      leaves.push(Buffer.from(records.map((record) => `${record}\n`).join('')));
    }
    return found;
  }

  test('are those that are defined, of records short and long, in several pieces', () => {
    const records = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
      (ticket) => `{"ticket":${ticket},"grids":"${'x'.repeat(ticket ** 5)}"}`,
    );
    const expected = records.map((record, index) => definedLeaf(index + 1, record));
    expect(feed([records.slice(0, 1), [], records.slice(1)])).toEqual(expected);
  });

  test('are those that are defined, however the records are cut into pieces', () => {
    const piece = fc.array(fc.nat(300), { maxLength: 9 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (lengths) => {
        const pieces = lengths.map((each) => each.map((length) => 'y'.repeat(length)));
        const expected = pieces.flat().map((record, index) => definedLeaf(index + 1, record));
        expect(feed(pieces)).toEqual(expected);
      }),
    );
  });
});
