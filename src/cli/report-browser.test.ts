import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { generateBlock } from '../block/generate-block.js';
import { formatCount, formatEuros } from '../core/money.js';
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from '../testing/browser.js';
import { runInside } from '../testing/command-line.js';
import { definitionPath, folderMaker, sampleRequest } from '../testing/sample-requests.js';
import type { VerifyReport } from '../verify/report.js';
import type { TicketPicture } from '../view/ticket-picture.js';

const makeFolder = folderMaker();

/** The files of a block of a sample game, reported on for both kinds of readers. */
interface Reported {
  readonly folder: string;
  readonly own: string;
  readonly published: string;
  readonly verified: VerifyReport;
}

async function reportOn(name: 'eldorado-mini' | 'lagon-mini'): Promise<Reported> {
  const outputFolder = makeFolder();
  const { folder } = await generateBlock(sampleRequest(name), { outputFolder });
  const definition = ['--definition', definitionPath(name)];
  const own = join(outputFolder, 'own.html');
  const published = join(outputFolder, 'public.html');
  const made = [
    await runInside(['report', folder, ...definition, '-o', own]),
    await runInside(['report', folder, ...definition, '-o', published, '--public']),
  ];
  expect(made.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const { stdout } = await runInside(['verify', folder, ...definition, '--json']);
  return { folder, own, published, verified: JSON.parse(stdout) as VerifyReport };
}

/** The value that a figure's path leads to, such as `tiers.0.foundCount`. */
function valueAt(report: VerifyReport, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], report);
}

/** A figure as a page writes it: thousands apart, cents as euros. */
function written(path: string, value: unknown): string {
  if (path === 'conforms') return value === true ? 'The block conforms' : 'does not conform';
  if (typeof value === 'string') return value;
  const number = Number(value);
  return path.endsWith('Cents') ? formatEuros(number) : formatCount(number);
}

/** A ticket of the sample, and the symbol that it is played with where there is one to choose. */
interface Turn {
  readonly index: number;
  readonly choice: string | undefined;
}

/**
 * Plays tickets to their ends, as a player would. Returns what the page says last of each. All of it from
 * within: hundreds of tickets' worth of clicks would take minutes from outside.
 */
async function play(page: Page, turns: readonly Turn[]): Promise<readonly string[]> {
  return page.evaluate(`${JSON.stringify(turns)}.map(({ index, choice }) => {
    const player = document.querySelector('#player');
    const select = player.querySelector('select');
    select.value = String(index);
    select.dispatchEvent(new Event('change'));
    const radios = [...player.querySelectorAll('input[type=radio]')];
    radios.find(({ value }) => value === choice)?.click();
    for (let next = player.querySelector('.all'); next !== null; ) {
      next.click();
      next = player.querySelector('.next') ?? player.querySelector('.all');
    }
    return player.querySelector('[role=status]').textContent;
  })`);
}

function expectedResult({ prizeCents }: TicketPicture): string {
  if (prizeCents === 0) return 'The ticket wins nothing.';
  return `The ticket wins ${written('Cents', prizeCents)} EUR.`;
}

/** The symbols that a ticket can be played with; `undefined` where there is none to choose. */
function waysToPlay(ticket: TicketPicture | undefined): readonly (string | undefined)[] {
  const choices = (ticket?.grids ?? []).flatMap(({ role }) =>
    role.kind === 'choice' ? [role.name] : [],
  );
  return choices.length === 0 ? [undefined] : choices;
}

/** What a page shows under the names of figures. */
async function figuresOf(page: Page): Promise<readonly (readonly [string, string])[]> {
  return page.evaluate(
    "[...document.querySelectorAll('[data-figure]')].map((e) => [e.dataset.figure, e.textContent])",
  );
}

const PHONE = { width: 360, height: 740 };

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
});

describe.each(['eldorado-mini', 'lagon-mini'] as const)('a report on a block of %s', (name) => {
  let reported: Reported;
  let pages: Readonly<Record<'own' | 'published', OpenPage>>;
  let sample: readonly TicketPicture[];

  beforeAll(async () => {
    reported = await reportOn(name);
    pages = {
      own: await openPage(browser, reported.own),
      published: await openPage(browser, reported.published),
    };
    sample = JSON.parse(
      (await pages.own.page.locator('#tickets').textContent()) ?? '',
    ) as TicketPicture[];
  });

  afterAll(async () => {
    for (const { page } of Object.values(pages)) await page.close();
  });

  /** Opens the page anew, as it is before anything was played. */
  async function reload(screen = { width: 1200, height: 900 }): Promise<Page> {
    const { page } = pages.own;
    await page.setViewportSize(screen);
    await page.reload();
    return page;
  }

  test.each(['own', 'published'] as const)(
    'shows the figures of the verification (%s)',
    async (which) => {
      const figures = await figuresOf(pages[which].page);
      expect(figures.length).toBeGreaterThan(20);
      for (const [path, text] of figures) {
        const value = written(path, valueAt(reported.verified, path));
        expect([path, text]).toEqual([path, expect.stringContaining(value)]);
      }
    },
  );

  test.each(['own', 'published'] as const)(
    'has nothing that is hard to use for some people (%s)',
    async (which) => {
      const { page } = pages[which];
      // The other game's page has the same parts; it is looked at below, once it has been played.
      if (name === 'eldorado-mini') expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      const unnamed = await page.locator('svg:not([aria-label])').count();
      expect([unnamed, await page.locator('figure svg[role=img]').count()]).toEqual([
        0,
        await page.locator('svg').count(),
      ]);
    },
  );

  test('plays every ticket of its sample to the end, with each choice', async () => {
    const page = await reload();
    const prizes = new Set(sample.map(({ prizeCents }) => prizeCents));
    // Some of each tier, and losing ones.
    expect(prizes).toEqual(new Set([...reported.verified.tiers.map((tier) => tier.prizeCents), 0]));
    const turns = sample.flatMap((ticket, index) =>
      waysToPlay(ticket).map((choice): Turn => ({ index, choice })),
    );
    const results = await play(page, turns);
    expect(results).toEqual(
      turns.map(({ index }) => expect.stringContaining(expectedResult(sample[index]!))),
    );
  });

  test('is played by the keyboard alone', async () => {
    const page = await reload();
    const [ticket] = sample;
    await page.locator('#player select').focus();
    await page.keyboard.press('Tab');
    if (ticket?.grids[0]?.role.kind === 'choice') {
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const nameAt = (row: number, column: number): string => {
      const cell = ticket?.grids[0]?.rows[row]?.[column];
      return `${cell?.code ?? ''} ${cell?.name ?? ''}`;
    };
    const opened = (label: string): Promise<number> =>
      page.getByRole('button', { name: label }).count();
    expect(await opened(`row 1, column 1: ${nameAt(0, 0)}`)).toBe(1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await opened(`row 2, column 2: ${nameAt(1, 1)}`)).toBe(1);
    // Where the ticket goes on, there is the focus.
    const grids = ticket?.grids ?? [];
    const rounds = grids[0]?.role.kind === 'choice' ? 1 : grids.length;
    for (let round = 1; round <= rounds; round += 1) {
      await page.locator('#player .all').focus();
      await page.keyboard.press('Enter');
      if (round < rounds) await page.keyboard.press('Enter');
    }
    expect(await page.evaluate('document.activeElement.textContent')).toContain('The ticket wins');
    await reload();
    if (grids[0]?.role.kind === 'choice') await page.getByRole('radio').first().check();
    await page.locator('#player .cell').first().focus();
    // What is at the border stays there.
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.className')).toContain('cell');
  });

  test('tells of opened and winning cells in words', async () => {
    const page = await reload(PHONE);
    const index = sample.findIndex(({ prizeCents, grids }) => {
      return prizeCents > 0 && (grids.at(-1)?.wins.length ?? 0) > 0;
    });
    const [choice] = waysToPlay(sample[index]);
    await page.locator('#player select').selectOption(String(index));
    if (choice !== undefined) await page.getByRole('radio', { name: choice }).check();
    await play(page, [{ index, choice }]);
    const grids = sample[index]?.grids ?? [];
    const last = choice === undefined ? grids.at(-1) : grids[0];
    expect(await page.getByRole('button', { name: /, winning$/ }).count()).toBe(
      last?.rows.flat().filter((cell) => cell.isWinning).length,
    );
    expect(await page.getByRole('button', { name: /covered$/ }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('prints on A4 without the player', async () => {
    const page = await reload();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#player').isVisible()).toBe(false);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    await page.emulateMedia({ media: null });
    // A4 in points.
    expect(pdf.toString('latin1')).toMatch(/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
  });

  test('complains of nothing and asks for nothing in all of this', () => {
    expect([pages.own.complaints, pages.published.complaints]).toEqual([[], []]);
  });

  test('runs nothing but its own script', async () => {
    const text = readFileSync(reported.own, 'utf8');
    const altered = join(makeFolder(), 'altered.html');
    writeFileSync(altered, text.replace('</main>', '<script>document.title = "x"</script></main>'));
    const { page, complaints } = await openPage(browser, altered);
    expect(await page.title()).not.toBe('x');
    expect(complaints.join()).toContain('Content Security Policy');
  });

  test('shows nothing that tells where prizes are, where it is made for publication', async () => {
    const titlesOf = ({ page }: OpenPage): Promise<string[]> =>
      page.locator('h2').allTextContents();
    const secrets = ['Quotas', 'Order', 'Pick-out', 'Play a ticket'];
    const published = await titlesOf(pages.published);
    expect(published.filter((title) => secrets.includes(title))).toEqual([]);
    const own = await titlesOf(pages.own);
    expect(own.filter((title) => secrets.includes(title))).toEqual(secrets);
    const { page } = pages.published;
    expect(await page.locator('#tickets, #player, script').count()).toBe(0);
    const tests = await page.locator('table td').allTextContents();
    expect(tests.join('\n')).not.toMatch(/the first at|drift|slices|streak|modulo|order: /);
  });

  test('is for its owner only, and the same when it is made again', async () => {
    expect(statSync(reported.own).mode & 0o777).toBe(0o600);
    const again = join(makeFolder(), 'again.html');
    const definition = ['--definition', definitionPath(name)];
    await runInside(['report', reported.folder, ...definition, '-o', again]);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(reported.own, 'utf8'));
  });
});
