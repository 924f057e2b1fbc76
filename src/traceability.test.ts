import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadDefinition } from './definitions/load-game.js';
import {
  FINDING_CODES,
  SALE_FINDING_CODES,
  SEED_FINDING_CODES,
  SIGNATURE_FINDING_CODES,
} from './verify/finding.js';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** The articles of both regulations, as they number them. */
const ARTICLES = [
  ...['1', '2', '3.1', '3.2', '3.3', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7'].map(
    (article) => `E ${article}`,
  ),
  ...['1', '2', '3.1', '3.2', '3.3', '4.1', '4.2', '4.3', '4.4', '4.5'].map(
    (article) => `L ${article}`,
  ),
];

interface Row {
  readonly subject: string;
  readonly implementation: string;
  readonly verification: string;
  readonly evidence: string;
}

/** The rows of a Markdown table, from its heading cell on. */
function rowsOfTable(page: string, heading: string): readonly Row[] {
  const table = page.slice(page.indexOf(`| ${heading} |`)).split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length > 2)
    .map((cells) => {
      const [implementation = '', verification = '', evidence = ''] = cells.slice(-4, -1);
      return { subject: cells[1] ?? '', implementation, verification, evidence };
    });
}

const PAGE = read('docs/traceability.md');
const ARTICLE_ROWS = rowsOfTable(PAGE, 'article');
const ROWS = [...ARTICLE_ROWS, ...rowsOfTable(PAGE, 'policy')];
const codeSpans = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

describe('the traceability page', () => {
  test('has every article of both regulations, and no other', () => {
    const named = new Set(ARTICLE_ROWS.flatMap(({ subject }) => subject.split(', ')));
    expect([...named].toSorted()).toEqual(ARTICLES.toSorted());
  });

  test('names findings that there are, and each of them at least once', () => {
    const named = new Set(ROWS.flatMap(({ verification }) => codeSpans(verification)));
    expect([...named].toSorted()).toEqual(
      [
        ...FINDING_CODES,
        ...SEED_FINDING_CODES,
        ...SIGNATURE_FINDING_CODES,
        ...SALE_FINDING_CODES,
      ].toSorted(),
    );
  });

  test('names only files that there are', () => {
    const spans = ROWS.flatMap((row) => codeSpans(row.implementation + row.evidence));
    const files = spans.filter((span) => span.startsWith('src/'));
    expect(files.length).toBeGreaterThan(ROWS.length);
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  test('names only fields that the definitions have', () => {
    const spans = ROWS.flatMap((row) => codeSpans(row.implementation));
    const fields = spans.filter((span) => span.startsWith('/'));
    const definitions = ['eldorado', 'lagon-paradis'].map((id) => loadDefinition(id));
    const missing = fields.filter((field) => !definitions.some((item) => hasField(item, field)));
    expect(missing).toEqual([]);
  });

  test.each(ROWS.filter(({ evidence }) => evidence !== 'none'))(
    'has evidence for "$subject" that stands in its test file',
    ({ evidence }) => {
      const [, file = '', title = ''] = /^`([^`]+)`: "(.+)"$/.exec(evidence) ?? [];
      expect(file).toMatch(/\.test\.ts$/);
      const titles = [...read(file).matchAll(/\b(?:test|describe)[^'"`]*['"`](.+)['"`]/g)];
      expect(titles.map(([, found = '']) => found).join('\n')).toContain(title);
    },
  );

  test('leaves no requirement without verification and evidence but the legal frame', () => {
    const empty = ROWS.filter(({ verification, evidence }) =>
      [verification, evidence].includes('none'),
    );
    expect(empty.map(({ subject }) => subject)).toEqual(['E 1, L 1']);
  });
});

/** Whether a value has the field of a JSON pointer in which `*` stands for any item of a list. */
function hasField(value: unknown, pointer: string): boolean {
  const [, first, ...rest] = pointer.split('/');
  if (first === undefined) return true;
  const left = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (first === '*') {
    return Array.isArray(value) && value.some((item: unknown) => hasField(item, left));
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return false;
  return hasField((value as Readonly<Record<string, unknown>>)[first], left);
}
