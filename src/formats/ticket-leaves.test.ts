import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
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

test('leaves are hashed as they are defined, of records short and long, in several pieces', () => {
  const records = [1, 2, 3, 4, 5].map(
    (ticket) => `{"ticket":${ticket},"grids":"${'x'.repeat(ticket ** 5)}"}`,
  );
  const found: string[] = [];
  const taker = {
    push: (bytes: Uint8Array, at: number) => {
      found.push(Buffer.from(bytes.subarray(at, at + 32)).toString('hex'));
    },
  };
  const feed = new LeafFeed(new TicketLeaves(KEY, NAME), taker);
  feed.push(Buffer.from(`${records.slice(0, 1).join('')}\n`));
  feed.push(Buffer.alloc(0));
  feed.push(Buffer.from(`${records.slice(1).join('\n')}\n`));
  expect(found).toEqual(records.map((record, index) => definedLeaf(index + 1, record)));
});
