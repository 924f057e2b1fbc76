import { defined } from '../core/assert.js';
import type { Game } from '../definitions/game.js';
import { randomStream, type RandomStream } from '../engine/random-stream.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import { NAIVE_HEADERS, readNaively, writeNaively, type NaiveTicket } from './naive-records.js';

/** A block that was broken, and how. */
export interface Mutation {
  readonly kind: string;
  readonly bytes: Uint8Array;
}

/** The stream of one mutation: its seed alone makes it again. */
export function mutationStream(seed: number): RandomStream {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(seed);
  return randomStream('chacha20', key);
}

/** Breaks bytes somewhere, without a thought for what they mean. */
export function mutateBytes(bytes: Uint8Array, stream: RandomStream): Mutation {
  const kinds = Object.keys(BYTE_MUTATIONS);
  const kind = defined(kinds[stream.uniform(kinds.length)], 'a kind of mutation');
  const mutate = defined(BYTE_MUTATIONS[kind], 'a mutation');
  return { kind, bytes: mutate(bytes, stream) };
}

type ByteMutation = (bytes: Uint8Array, stream: RandomStream) => Uint8Array;

const MOST_SLICE = 400;

/** A place in the bytes, and the end of a slice from there on. */
function slice(bytes: Uint8Array, stream: RandomStream): readonly [from: number, to: number] {
  const from = stream.uniform(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + stream.uniform(MOST_SLICE))];
}

const splice = (
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  inserted: Uint8Array,
): Uint8Array => Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(to)]);

const BYTE_MUTATIONS: Readonly<Record<string, ByteMutation>> = {
  'one bit flipped': (bytes, stream) => {
    const at = stream.uniform(bytes.length);
    return splice(bytes, [at, at + 1], Uint8Array.of((bytes[at] ?? 0) ^ (1 << stream.uniform(8))));
  },
  'one byte replaced': (bytes, stream) => {
    const at = stream.uniform(bytes.length);
    const other = ((bytes[at] ?? 0) + 1 + stream.uniform(255)) % 256;
    return splice(bytes, [at, at + 1], Uint8Array.of(other));
  },
  'one byte put in': (bytes, stream) => {
    const at = stream.uniform(bytes.length + 1);
    return splice(bytes, [at, at], Uint8Array.of(stream.uniform(256)));
  },
  'one byte taken out': (bytes, stream) => {
    const at = stream.uniform(bytes.length);
    return splice(bytes, [at, at + 1], new Uint8Array(0));
  },
  'a slice taken out': (bytes, stream) => splice(bytes, slice(bytes, stream), new Uint8Array(0)),
  'a slice doubled': (bytes, stream) => {
    const [from, to] = slice(bytes, stream);
    return splice(bytes, [to, to], bytes.subarray(from, to));
  },
  'a slice filled with one byte': (bytes, stream) => {
    const [from, to] = slice(bytes, stream);
    return splice(bytes, [from, to], new Uint8Array(to - from).fill(stream.uniform(256)));
  },
  'a slice copied over another': (bytes, stream) => {
    const [from, to] = slice(bytes, stream);
    const at = stream.uniform(bytes.length - (to - from) + 1);
    return splice(bytes, [at, at + to - from], bytes.slice(from, to));
  },
  'the end cut off': (bytes, stream) => bytes.slice(0, stream.uniform(bytes.length)),
  'something appended': (bytes, stream) => {
    const [from, to] = slice(bytes, stream);
    return Buffer.concat([bytes, bytes.subarray(from, to)]);
  },
};

/**
 * Changes what tickets say, and writes them down in the right form: every line stays right to the
 * byte.
 */
export function mutateTickets(
  bytes: Uint8Array,
  { game, format }: { readonly game: Game; readonly format: TicketFormat },
  stream: RandomStream,
): Mutation {
  const header = NAIVE_HEADERS[format];
  const lines = Buffer.from(bytes.subarray(header.length)).toString('ascii').trimEnd().split('\n');
  const kinds = Object.keys(TICKET_MUTATIONS);
  const kind = defined(kinds[stream.uniform(kinds.length)], 'a kind of mutation');
  const mutate = defined(TICKET_MUTATIONS[kind], 'a mutation');
  const at = stream.uniform(lines.length);
  const other = (at + 1 + stream.uniform(lines.length - 1)) % lines.length;
  const read = (index: number): NaiveTicket =>
    defined(readNaively(lines[index] ?? '', format), 'a right record');
  const pair: Pair = { first: read(at), second: read(other), game, stream };
  mutate(pair);
  lines[at] = writeNaively(pair.first, format);
  lines[other] = writeNaively(pair.second, format);
  return { kind, bytes: Buffer.from(`${header}${lines.join('\n')}\n`, 'ascii') };
}

/** Two tickets of the block, of which a mutation changes one or both. */
interface Pair {
  first: NaiveTicket;
  second: NaiveTicket;
  readonly game: Game;
  readonly stream: RandomStream;
}

function some<T>(list: readonly T[], stream: RandomStream): T {
  return defined(list[stream.uniform(list.length)], 'an item');
}

/** Puts another letter of the game into a cell of a ticket. */
function changeCell({ first, game, stream }: Pair, letter?: string): void {
  const grid = some(first.grids, stream);
  const row = stream.uniform(grid.length);
  const cells = Array.from(grid[row] ?? '');
  const cell = stream.uniform(cells.length);
  const others = game.symbols.map(({ code }) => code).filter((code) => code !== cells[cell]);
  cells[cell] = letter ?? some(others, stream);
  grid[row] = cells.join('');
}

const TICKET_MUTATIONS: Readonly<Record<string, (pair: Pair) => void>> = {
  'a cell changed': (pair) => {
    changeCell(pair);
  },
  'three cells changed': (pair) => {
    for (let times = 0; times < 3; times += 1) changeCell(pair);
  },
  'a letter of no symbol': (pair) => {
    changeCell(pair, 'Z');
  },
  'a row made of one symbol': ({ first, game, stream }) => {
    const grid = some(first.grids, stream);
    const { code } = some(game.symbols, stream);
    grid[stream.uniform(grid.length)] = code.repeat(game.grid.columns);
  },
  'two rows exchanged': ({ first, stream }) => {
    const grid = some(first.grids, stream);
    grid.reverse();
  },
  'the grids in another order': ({ first }) => {
    first.grids.reverse();
  },
  'a grid doubled': ({ first, stream }) => {
    first.grids.push([...some(first.grids, stream)]);
  },
  'a grid taken out': ({ first }) => {
    first.grids.pop();
  },
  'a row taken out': ({ first, stream }) => {
    some(first.grids, stream).pop();
  },
  'another prize': ({ first, second, stream }) => {
    first.prize_cents =
      first.prize_cents === second.prize_cents ? stream.uniform(100_000) + 1 : second.prize_cents;
  },
  'another combination': ({ first, stream }) => {
    first.combination = some(
      ['4V', '5P+4D', '4', '11', '', '4V+4V'].filter((text) => text !== first.combination),
      stream,
    );
  },
  'another ticket number': ({ first, second }) => {
    first.ticket = second.ticket;
  },
  'two numbers exchanged': ({ first, second }) => {
    [first.ticket, second.ticket] = [second.ticket, first.ticket];
  },
  'one ticket copied over another, numbers right': (pair) => {
    pair.first = { ...pair.second, ticket: pair.first.ticket };
  },
  'two tickets exchanged, numbers right': (pair) => {
    const { first, second } = pair;
    pair.first = { ...second, ticket: first.ticket };
    pair.second = { ...first, ticket: second.ticket };
  },
  'a prize moved with its combination but without its grids': ({ first, second }) => {
    const { prize_cents, combination } = first;
    Object.assign(first, { prize_cents: second.prize_cents, combination: second.combination });
    Object.assign(second, { prize_cents, combination });
  },
};
