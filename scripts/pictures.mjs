/*
 * Makes the pictures of the README: a ticket in a terminal, the top of a report, a ticket played in it.
 * All are of the block that the README's first command makes. Needs Debian's chromium.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL, URL } from 'node:url';
import { chromium } from 'playwright-core';
import { openBlockTickets } from '../dist/view/block-tickets.js';
import { pictureText } from '../dist/view/picture-text.js';
import { ticketPictures } from '../dist/view/ticket-picture.js';

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../bin/gen-block.js', import.meta.url));

/** Escape sequences as a terminal gets them, by their numbers, and the classes that show them on a page. */
const STYLES = { title: 1, win: 36, trigger: 33 };

const TERMINAL_PAGE = `<!doctype html><meta charset="utf-8"><style>
  body { background: #1c2126; margin: 0; }
  pre { color: #d7dbe0; display: inline-block; font: 15px/1.25 'DejaVu Sans Mono', monospace; margin: 0; padding: 16px; }
  .prompt { color: #8b949e; } .s1 { font-weight: bold; }
  .s36 { color: #56d4dd; font-weight: bold; }
  .s33 { color: #e3b341; }
</style><pre>`;

const folder = mkdtempSync(join(tmpdir(), 'gen-block-pictures-'));
try {
  await makePictures(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function makePictures(out) {
  run('generate', '-g', 'eldorado', '-s', '1', '--seed', 'demo', '-o', out, '-q');
  const block = join(out, 'eldorado-100-e1-b1');
  const report = join(out, 'report.html');
  run('report', block, '-o', report, '-q');
  mkdirSync(PICTURES, { recursive: true });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    await pictureTicket(browser, block, join(out, 'ticket.html'));
    await pictureReport(browser, report);
  } finally {
    await browser.close();
  }
}

function run(...argv) {
  execFileSync(process.execPath, [PROGRAM, ...argv], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The first ticket of 15 euros that wins in its main grid and in an EXTRA stage. */
async function pictureTicket(browser, block, place) {
  const source = await openBlockTickets(block);
  const prizes = await source.prizes();
  const numbers = Array.from(prizes, (_, index) => index + 1).filter((n) => prizes[n - 1] === 1500);
  const pictures = ticketPictures(await source.records(numbers), source);
  const picture = pictures.find(
    ({ grids }) => grids.length === 2 && grids.every(({ wins }) => wins.length > 0),
  );
  const mark = (number) => (text) => `\u{1b}[${number}m${text}\u{1b}[0m`;
  const style = Object.fromEntries(
    Object.entries(STYLES).map(([key, number]) => [key, mark(number)]),
  );
  const options = { language: 'en', style, width: 80, blockName: source.name };
  const prompt = `$ gen-block show output/${source.name} --ticket ${picture.ticket}`;
  const text = markup(pictureText(picture, options));
  writeFileSync(place, `${TERMINAL_PAGE}<span class="prompt">${prompt}</span>\n${text}</pre>`);
  const page = await browser.newPage({ deviceScaleFactor: 1.5 });
  await page.goto(pathToFileURL(place).href);
  await page.locator('pre').screenshot({ path: join(PICTURES, 'ticket.png') });
}

function markup(text) {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\u{1b}[0m', '</span>');
  return Object.values(STYLES).reduce(
    (marked, number) => marked.replaceAll(`\u{1b}[${number}m`, `<span class="s${number}">`),
    escaped,
  );
}

async function pictureReport(browser, report) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: join(PICTURES, 'report.png') });
  const plots = page.locator('figure');
  for (const [index, name] of [
    [0, 'report-order'],
    [4, 'report-symbols'],
  ]) {
    await plots.nth(index).screenshot({ path: join(PICTURES, `${name}.png`) });
  }
  const tickets = JSON.parse(await page.locator('#tickets').textContent());
  const index = tickets.findIndex(({ grids }) => grids.length === 2 && grids[0].wins.length > 0);
  await page.locator('#player select').selectOption(String(index));
  await page.getByRole('button', { name: 'Uncover all' }).click();
  await page.locator('#player').screenshot({ path: join(PICTURES, 'report-player.png') });
}
