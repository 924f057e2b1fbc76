import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Debian's browser; Playwright's own is not asked for. */
const EXECUTABLE = '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser, which is to be closed. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
}

/** A page that has been opened, and all that it complained about or asked for beside itself. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a file on the disk at the size of a screen. */
export async function openPage(
  browser: Browser,
  path: string,
  screen: { readonly width: number; readonly height: number } = { width: 1200, height: 900 },
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: screen });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== `file://${path}`) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  return { page, complaints };
}

/** What is hard or impossible to use for some people: one line for each kind, with its first place. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // A picture is one image, whose parts nobody is told of; they are many.
  const results = await page.evaluate<AxeResults>("axe.run({ exclude: ['svg[role=img] > *'] })");
  return results.violations.map(({ id, impact, nodes }) => {
    return `${impact ?? 'unknown'}: ${id}, ${nodes.length} times, such as ${nodes[0]?.html ?? ''}`;
  });
}
