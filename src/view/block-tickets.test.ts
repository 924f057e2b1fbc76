import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadGame } from '../definitions/load-game.js';
import {
  encodeTickets,
  textOf,
  ticketsBytes,
  ticketsOf,
  validBlock,
  withClaims,
  withCompression,
  withFile,
  withOnly,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { folderMaker } from '../testing/sample-requests.js';
import { openBlockTickets } from './block-tickets.js';

const newFolder = folderMaker();

const COLLECT = await validBlock('collect-bare');
const ROWS = await validBlock('eldorado-mini');

/** Tickets in a file whose hash the manifest states, whatever they are. */
function withNdjson(block: BlockCopy, text: string): BlockCopy {
  return withFile(block, 'tickets.ndjson', text);
}

/** What is said where all prizes, and then one record, are asked for. */
async function messageOf(opened: Promise<unknown>): Promise<string> {
  const error: unknown = await opened.then(
    () => 'nothing went wrong',
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'InputError' });
  const { code, message } = error as { readonly code: string; readonly message: string };
  return `${code}: ${message}`;
}

describe('the tickets of a block on the disk', () => {
  test.each<[string, BlockCopy]>([
    ['grids for each choice', COLLECT],
    ['EXTRA stages', ROWS],
    ['compressed files', withCompression(ROWS)],
    ['CSV only', withOnly(COLLECT, 'csv')],
    ['NDJSON only', withOnly(ROWS, 'ndjson')],
    ['CSV only, compressed', withCompression(withOnly(ROWS, 'csv'))],
  ])('are read out of a block with %s', async (_, block) => {
    const source = await openBlockTickets(writeBlock(block, newFolder()), block.game);
    const expected = ticketsOf(block.manifest.game === 'eldorado-mini' ? ROWS : COLLECT);
    const { tickets, blockSize } = { tickets: expected, blockSize: block.game.blockSize };
    expect(Array.from(await source.prizes())).toEqual(tickets.map((ticket) => ticket.prize_cents));
    const numbers = [blockSize, 1, 77, 1];
    expect(await source.records(numbers)).toEqual(numbers.map((number) => tickets[number - 1]));
    expect(source.name).toBe(`${block.game.id}-100-e1-b1`);
    expect([source.game, source.stake]).toEqual([block.game, block.stake]);
  });

  test('are found by the path of the manifest too', async () => {
    const folder = writeBlock(COLLECT, newFolder(), 'under-another-name');
    const source = await openBlockTickets(join(folder, 'manifest.json'), COLLECT.game);
    expect(await source.records([5])).toEqual([ticketsOf(COLLECT)[4]]);
    expect(source.name).toBe('collect-bare-100-e1-b1');
  });
});

describe('a block is refused, with what to do', () => {
  const open = async (path: string, block = COLLECT): Promise<void> => {
    const source = await openBlockTickets(path, block.game);
    await source.prizes();
    await source.records([2]);
  };

  test('that needs a definition, or another one', async () => {
    const folder = writeBlock(COLLECT, newFolder());
    expect(await messageOf(openBlockTickets(folder))).toBe(
      'definition-needed: the block is of the game "collect-bare", which is not shipped; give its definition with --definition',
    );
    const foreign = `definition-needed: ${folder} was made from another definition than that of Eldorado; give its own with --definition`;
    expect(await messageOf(openBlockTickets(folder, loadGame('eldorado')))).toBe(foreign);
    const altered = { ...COLLECT.game, definitionSha256: 'f'.repeat(64) };
    expect(await messageOf(openBlockTickets(folder, altered))).toContain('from another definition');
  });

  test('that claims to be a shipped game and has another definition', async () => {
    const block = withClaims(COLLECT, { game: 'lagon-paradis' });
    const folder = writeBlock(block, newFolder());
    expect(await messageOf(openBlockTickets(folder))).toMatch(
      /^definition-needed: \S+ was made from another definition than that of Lagon Paradis;/,
    );
  });

  test('whose stake the game does not have', async () => {
    const folder = writeBlock(withClaims(COLLECT, { stake_cents: 300 }), newFolder());
    expect(await messageOf(open(folder))).toBe(
      'unknown-stake: Collect bare is not sold at 3.00 euros; choose a stake of 1.00',
    );
  });

  test.each([
    ['is no JSON', '{', /manifest\.json/],
    ['is no manifest', '{}', /; gen-block verify says all that is wrong with the manifest$/],
    ['steers the terminal', '{"\\u001b[2J":1,"\\u001b[2J":2}', /\\u\{1b\}/],
  ])('whose manifest %s', async (_, manifest, words) => {
    const folder = writeBlock(COLLECT, newFolder());
    writeFileSync(join(folder, 'manifest.json'), manifest);
    const message = await messageOf(open(folder));
    expect(message).toMatch(/^bad-manifest: [^\n]*$/);
    expect(message).toMatch(words);
    expect(message).not.toContain('\u001b');
  });

  test('whose file was changed', async () => {
    const folder = writeBlock(COLLECT, newFolder());
    const text = textOf(ticketsBytes(COLLECT, 'ndjson'));
    writeFileSync(
      join(folder, 'tickets.ndjson'),
      text.replace('"prize_cents":0', '"prize_cents":9'),
    );
    const expected = `not-a-block: ${folder}/tickets.ndjson is not the file of the manifest: its SHA-256 is another; gen-block verify says what is wrong with the block`;
    expect(await messageOf(open(folder))).toBe(expected);
    writeFileSync(join(folder, 'tickets.ndjson'), text.slice(0, -1));
    expect(await messageOf(open(folder))).toBe(expected);
    writeFileSync(join(folder, 'tickets.ndjson'), `${text}x`);
    expect(await messageOf(open(folder))).toBe(expected);
  });

  test('whose records are not right to the byte, as the manifest has them', async () => {
    const text = textOf(ticketsBytes(COLLECT, 'ndjson'));
    const folder = writeBlock(
      withNdjson(COLLECT, text.replace('"ticket":3,', '"ticket": 3,')),
      newFolder(),
    );
    expect(await messageOf(open(folder))).toBe(
      `not-a-block: ${folder}/tickets.ndjson: record 3 is not right to the byte; gen-block verify says what is wrong with the block`,
    );
  });

  test('whose tickets are not in order, or not all there', async () => {
    const [first, second, third, ...others] = ticketsOf(COLLECT);
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    const swapped = encodeTickets([first, third, second, ...others], 'ndjson');
    const folder = writeBlock(withNdjson(COLLECT, swapped), newFolder());
    expect(await messageOf(open(folder))).toContain(': its tickets are not in order; gen-block');
    const short = writeBlock(withNdjson(COLLECT, encodeTickets([first], 'ndjson')), newFolder());
    expect(await messageOf(open(short))).toContain(': ticket 2 is missing; gen-block');
  });

  test('whose cells hold what steers a terminal', async () => {
    const tickets = ticketsOf(COLLECT).map((ticket) =>
      ticket.ticket === 2 ? { ...ticket, grids: [['\u009b31mAB', 'ABCABC', 'ABCABC']] } : ticket,
    );
    const folder = writeBlock(withNdjson(COLLECT, encodeTickets(tickets, 'ndjson')), newFolder());
    expect(await messageOf(open(folder))).toBe(
      `not-a-block: ${folder}: ticket 2 has symbols that are no letters from A to Z; gen-block verify says what is wrong with the block`,
    );
  });

  test('whose compressed file is cut off', async () => {
    const block = withCompression(COLLECT);
    const folder = writeBlock(block, newFolder());
    const bytes = block.files.get('tickets.ndjson.gz') ?? new Uint8Array();
    writeFileSync(join(folder, 'tickets.ndjson.gz'), bytes.subarray(0, bytes.length / 2));
    expect(await messageOf(open(folder))).toMatch(/^not-a-block: \S+\/tickets\.ndjson\.gz: /);
  });

  test('behind a symbolic link, or where there is none', async () => {
    const parent = newFolder();
    const folder = writeBlock(COLLECT, parent);
    const link = join(parent, 'link');
    symlinkSync(folder, link);
    expect(await messageOf(open(link))).toBe(
      `not-a-block: ${link} is a symbolic link, which is not followed; name the real path`,
    );
    expect(await messageOf(open(join(parent, 'none')))).toBe(
      `not-found: there is no ${join(parent, 'none')}; check the path`,
    );
    expect(await messageOf(open(join(folder, 'tickets.csv')))).toMatch(
      /^not-a-block: \S+ is a tickets file and no block; name its folder or its manifest\.json$/,
    );
    expect(await messageOf(open(parent))).toMatch(
      /^not-a-block: there is no file \S+manifest\.json;/,
    );
  });

  test('whose tickets file is not there, or a symbolic link', async () => {
    const folder = writeBlock(COLLECT, newFolder());
    const file = join(folder, 'tickets.ndjson');
    unlinkSync(file);
    expect(await messageOf(open(folder))).toBe(
      `not-found: there is no file ${file}; check the path`,
    );
    symlinkSync(join(folder, 'tickets.csv'), file);
    expect(await messageOf(open(folder))).toBe(
      `not-found: ${file} is not a regular file; name the file itself`,
    );
  });
});
