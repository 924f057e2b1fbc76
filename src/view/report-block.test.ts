import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { parseDefinition } from '../definitions/load-game.js';
import {
  ticketsOf,
  validBlock,
  withClaims,
  withCompression,
  withOrder,
  withTicket,
  withTickets,
  writeBlock,
  type BlockCopy,
} from '../testing/broken-blocks.js';
import { parsePage, type ParsedPage } from '../testing/parsed-page.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { folderMaker, sampleRequest } from '../testing/sample-requests.js';
import { loadReportAssets } from './report-assets.js';
import { reportBlock } from './report-block.js';
import { collectReport, type ReportData } from './report/report-data.js';
import { reportPage } from './report/report-page.js';

const newFolder = folderMaker();

/** A report on a block of a game of the user's own. */
interface Reported {
  readonly text: string;
  readonly page: ParsedPage;
  readonly passes: boolean;
  readonly folder: string;
}

async function report(block: BlockCopy, { isPublic = false } = {}): Promise<Reported> {
  const folder = writeBlock(block, newFolder());
  return reportFolder(folder, { game: block.game, isPublic });
}

async function reportFolder(
  folder: string,
  options: Parameters<typeof reportBlock>[1],
): Promise<Reported> {
  const { page, passes } = await reportBlock(folder, options);
  return { text: page, page: parsePage(page), passes, folder };
}

const SECRET = ['Quotas', 'Order', 'Pick-out', 'Play a ticket'];
const OF_ANY = ['Identity', 'Check it again', 'Signed'];

describe('a page', () => {
  let own: Reported;

  beforeAll(async () => {
    own = await report(await validBlock('eldorado-mini'));
  });

  test('of a right block has all its parts', () => {
    expect(own.passes).toBe(true);
    expect(own.page.texts('h2')).toEqual([
      'Identity',
      'Prizes',
      'Signed',
      'Quotas',
      'EXTRA stages',
      'Order',
      'Symbols',
      'Pick-out',
      'Statistics',
      'Play a ticket',
      'Check it again',
    ]);
    expect(own.page.texts('.verdict')).toEqual([expect.stringMatching(/^The block conforms:/)]);
  });

  test('names no address and nothing to be loaded', () => {
    expect(own.text).not.toMatch(/https?:\/\/|@import|url\(/);
    expect(own.page.texts('[src], [href], link, iframe, object, embed, form')).toEqual([]);
  });

  test('lets no script run but the one that it has, by its hash', () => {
    const [policy] = own.page.attributes('meta[http-equiv]', 'content');
    const script = /<script>(?<text>.*?)<\/script>/s.exec(own.text)?.groups?.['text'] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    expect(own.page.attributes('script', 'type')).toEqual(['application/json', null]);
  });

  test('says how to check it again, with the definition that is needed', () => {
    const [commands = ''] = own.page.texts('pre');
    const name = 'eldorado-mini-100-e1-b1';
    const files = own.page.rows('Its tickets files').map((row) => row[0]);
    expect(commands.split('\n')).toEqual([
      `gen-block verify ${name} --definition <definition>`,
      expect.stringContaining(`gen-block verify ${name} --definition <definition> --seed-file`),
      `gen-block audit ${name} --definition <definition>`,
      ...files.map((file = '') => `sha256sum ${name}/${file}`),
      `gen-block report ${name} --definition <definition> -o report.html`,
    ]);
  });

  test('does not say where the block lies', () => {
    expect(own.text).not.toContain(own.folder.split('/').at(-2));
  });

  test('of a game without stages has neither quotas nor pictures of them', async () => {
    const { page } = await report(await validBlock('rows-plain'));
    expect(page.texts('h2')).not.toContain('Quotas');
    const captions = page.texts('figcaption');
    expect(captions.filter((caption) => caption.includes('EXTRA'))).toEqual([]);
    expect(captions.filter((caption) => caption.startsWith('Symbols'))).toHaveLength(2);
  });
});

describe('text that carries markup', () => {
  const HOSTILE = `</script><img src=x onerror="alert('&amp;')"><!--`;
  // All of it but the leading space is allowed in the name of a game.
  const MARKED = /[<>&"']/;

  test('is the name of a game and nothing else', async () => {
    const definition = sampleDefinition('collect-bare', ['/name', HOSTILE]);
    const game = parseDefinition(JSON.stringify(definition), 'here');
    const request = sampleRequest('collect-bare', { game });
    const { folder } = await generateBlock(request, { outputFolder: newFolder() });
    const { page } = await reportFolder(folder, { game, isPublic: false });
    const title = `${HOSTILE} at 1.00 EUR, emission 1, block 1`;
    expect([page.texts('title'), page.texts('h1')]).toEqual([[title], [title]]);
    expect(page.texts('img, [onerror]')).toEqual([]);
    expect(game.name).toMatch(MARKED);
  });

  const KEYS_OF_TABLES = ['group', 'featureName'];

  /** The same data with other words wherever there are some. */
  function withTexts(value: unknown): unknown {
    if (typeof value === 'string') return HOSTILE;
    if (Array.isArray(value)) return value.map((part: unknown) => withTexts(part));
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    // Groups are what tests are counted by, and a feature's name is what its words are found by.
    const parts = Object.entries(value).map(([key, part]: [string, unknown]) => {
      return [key, KEYS_OF_TABLES.includes(key) ? part : withTexts(part)] as const;
    });
    return Object.fromEntries(parts);
  }

  test.each([
    ['a right block', async () => validBlock('eldorado-mini')],
    ['a broken block', async () => withTicket(await validBlock('rows-plain'), 3, { ticket: 4 })],
  ])('stays text wherever it may stand in what is known of %s', async (_, make) => {
    const block = await make();
    const folder = writeBlock(block, newFolder());
    const data = await collectReport(folder, { game: block.game, isPublic: false });
    const assets = loadReportAssets();
    const options = { isPublic: false, assets, toolVersion: HOSTILE };
    const right = parsePage(reportPage(data, options));
    const hostile = parsePage(reportPage(withTexts(data) as ReportData, options));
    expect(hostile.texts('img, [onerror]')).toEqual([]);
    for (const selector of ['script', 'style', 'section', 'table', 'tr', 'td', 'figure']) {
      const counted = [right, hostile].map((page) => page.texts(selector).length);
      expect([selector, counted[1]]).toEqual([selector, counted[0]]);
    }
    expect(hostile.texts('td').filter((text) => text === HOSTILE).length).toBeGreaterThan(3);
  });
});

describe('a block that does not conform', () => {
  async function broken(): Promise<BlockCopy> {
    const block = await validBlock('eldorado-mini');
    const winner = ticketsOf(block).find(({ prize_cents }) => prize_cents === 500_000);
    return withTicket(block, winner?.ticket ?? 0, { prize_cents: 200 });
  }

  test('has a page with its findings and their places, and no figures of its order', async () => {
    const block = await broken();
    const { page, passes, text, folder } = await report(block);
    expect(passes).toBe(false);
    expect(page.texts('.verdict')).toEqual(['The block does not conform.']);
    const titles = page.texts('h2');
    expect(titles).toEqual(expect.arrayContaining([...OF_ANY, 'Findings', 'Prizes']));
    expect(titles).not.toEqual(expect.arrayContaining(['Statistics']));
    expect(titles.filter((title) => SECRET.includes(title))).toEqual([]);
    const prizes = page.rows('The first of each kind').filter(([code]) => code === 'prize');
    expect(prizes).toContainEqual([
      'prize',
      expect.stringMatching(/^tickets\.ndjson, line \d+, byte \d+, ticket \d+$/),
      '500000 cents by its symbols',
      '200 cents',
    ]);
    const counts = page.rows('How many of each kind');
    expect(counts).toContainEqual(['prize', '2']);
    // Nor does it tell where the block lies.
    expect(text).not.toContain(folder);
    expect(text).toContain('the statistics of the block: it does not conform');
    expect(page.texts('svg, script')).toEqual([]);
  });

  test('says in its prize table which counts differ', async () => {
    const { page } = await report(await broken());
    const rows = page.rows('The prize table').map(([prize, , , , verdict]) => [prize, verdict]);
    expect(rows).toContainEqual(['5,000.00', 'as stated']);
    const losing = await validBlock('eldorado-mini');
    const [other] = ticketsOf(losing).filter(({ prize_cents }) => prize_cents === 0);
    const top = ticketsOf(losing).find(({ prize_cents }) => prize_cents === 1_000_000);
    const without = withTicket(losing, top?.ticket ?? 0, { ...other, ticket: top?.ticket ?? 0 });
    const { page: differs } = await report(without);
    const [first, ...others] = differs.rows('The prize table');
    expect(first).toEqual(['10,000.00', '1', '0', '0.00', 'differs']);
    expect(others.at(-1)?.[4]).toBe('differs');
  });

  test('keeps in public to how many findings there are', async () => {
    const { page, text, passes } = await report(await broken(), { isPublic: true });
    expect(passes).toBe(false);
    expect(page.rows('How many of each kind')).toContainEqual(['prize', '2']);
    expect(page.rows('The first of each kind')).toEqual([]);
    expect(text).not.toMatch(/ticket \d|line \d|byte \d/);
  });

  test('has a page even where its manifest cannot be read', async () => {
    const block = await validBlock('rows-plain');
    const folder = writeBlock(block, newFolder());
    writeFileSync(join(folder, 'manifest.json'), '{"format":');
    const { page, passes } = await reportFolder(folder, { game: block.game, isPublic: false });
    expect(passes).toBe(false);
    expect(page.texts('h1')).toEqual(['Report on a block that cannot be identified']);
    expect(page.texts('h2')).toEqual(['Identity', 'Findings', 'Signed', 'Check it again']);
    expect(page.rows('The first of each kind').length).toBeGreaterThan(0);
  });

  test('has a page where its manifest claims other counts than there are', async () => {
    const block = await validBlock('rows-plain');
    const tiers = block.manifest.tiers.map((tier) => ({ ...tier, count: tier.count + 1 }));
    const { page, passes } = await report(withClaims(block, { tiers }));
    expect([passes, page.texts('.verdict')]).toEqual([false, ['The block does not conform.']]);
    expect(page.rows('The first of each kind').length).toBeGreaterThan(0);
  });
});

describe('a block that conforms and alarms', () => {
  async function sorted(): Promise<BlockCopy> {
    const block = await validBlock('rows-plain');
    return withOrder(
      block,
      ticketsOf(block).toSorted((a, b) => b.prize_cents - a.prize_cents),
    );
  }

  test('says so, and shows the tests and the order', async () => {
    const { page, passes } = await report(await sorted());
    expect(passes).toBe(false);
    expect(page.texts('.verdict')).toEqual(['The block conforms, but its statistics alarm.']);
    expect(page.texts('h2')).toEqual(expect.arrayContaining(['Order', 'Statistics']));
    expect(page.texts('h2')).not.toContain('Findings');
    const order = page.rows('Tests by what they look at').find(([group]) => group === 'order');
    expect(Number(order?.[2])).toBeGreaterThan(0);
    const least = page.rows('The 10 smallest p-values');
    expect(least).toHaveLength(10);
    expect(least[0]?.[0]).toMatch(/^\d(\.\d)?e-\d+$/);
  });

  test('does not show in public what alarms', async () => {
    const { page, passes } = await report(await sorted(), { isPublic: true });
    expect(passes).toBe(false);
    expect(page.texts('.verdict')).toEqual(['The block conforms, but its statistics alarm.']);
    const groups = new Set(page.rows('The').map((row) => row[1]));
    expect([...groups].filter((group) => group === 'order' || group === 'pick-out')).toEqual([]);
  });
});

test.each([
  ['compressed', withCompression, 'gzip -dc'],
  [
    'of one format',
    (block: BlockCopy): BlockCopy => {
      const files = block.manifest.files.filter(({ format }) => format === 'csv');
      const bytes = new Map([...block.files].filter(([name]) => name === 'tickets.csv'));
      return { ...withClaims(block, { files }), files: bytes };
    },
    'sha256sum',
  ],
])('a block that is %s has the same report but for its files', async (_, change, command) => {
  const block = await validBlock('rows-plain');
  const whole = await report(block);
  const changed = change(block);
  const { page, passes } = await report(changed);
  expect(passes).toBe(true);
  expect(page.rows('Its tickets files')).toEqual(
    changed.manifest.files.map(({ name, sha256 }) => [name, '1,000', expect.anything(), sha256]),
  );
  const commands = page.texts('pre')[0]?.split('\n').slice(3, -1) ?? [];
  expect(commands).toHaveLength(changed.manifest.files.length);
  for (const line of commands) expect(line).toMatch(new RegExp(`^${command} `));
  const figures = (of: ParsedPage): unknown =>
    ['figure', '#tickets', 'caption'].map((selector) => of.texts(selector));
  expect(figures(page)).toEqual(figures(whole.page));
});

test('a page has the style and the player that the build has made', () => {
  const { style, script } = loadReportAssets();
  const read = (name: string): string =>
    readFileSync(new URL(`../../dist/report/${name}`, import.meta.url), 'utf8').trim();
  expect([style, script]).toEqual([read('report.css'), read('player.js')]);
});

test('a block that is exchanged while its page is made has no page', async () => {
  const block = await validBlock('rows-plain');
  const [folder, other] = [newFolder(), newFolder()];
  const path = writeBlock(block, folder);
  const exchanged = writeBlock(withOrder(block, ticketsOf(block).toReversed()), other);
  const sizes = ['tickets.ndjson', 'tickets.csv', 'tickets.ndjson'].map(
    (name) => statSync(join(path, name)).size,
  );
  // Both files are verified, and the first is read once more for the tests.
  let left = sizes.reduce((sum, size) => sum + size, 0);
  const onBytes = (bytes: number): void => {
    left -= bytes;
    if (left > 0) return;
    renameSync(path, join(folder, 'away'));
    renameSync(exchanged, path);
  };
  await expect(reportBlock(path, { game: block.game, isPublic: false, onBytes })).rejects.toThrow(
    /was changed after it had been verified/,
  );
  expect(left).toBe(0);
});

test('a total that is not the stated one is not said to be, though as many tickets win', async () => {
  const block = await validBlock('rows-plain');
  const tickets = ticketsOf(block);
  const [first = tickets[0]!, ...others] = tickets.filter(({ prize_cents }) => prize_cents > 0);
  const richer = others.find(({ prize_cents }) => prize_cents > first.prize_cents)!;
  const exchanged = tickets.map((ticket) =>
    ticket === first ? { ...richer, ticket: first.ticket } : ticket,
  );
  const { page } = await report(withTickets(block, exchanged));
  const [, stated, found, , verdict] = page.rows('The prize table').at(-1) ?? [];
  expect([found, verdict]).toEqual([stated, 'differs']);
});
