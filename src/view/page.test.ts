import { describe, expect, test } from '@jest/globals';
import { pageMarkdown } from './page-markdown.js';
import { pageText } from './page-text.js';
import type { Page } from './page.js';

const PAGE: Page = {
  title: 'Games',
  sections: [
    { lines: ['One line.', 'Another.'] },
    {
      heading: 'A table',
      table: {
        columns: [{ title: 'name', align: 'left' }, { title: 'tickets' }],
        rows: [
          ['étoile', '1'],
          ['漢字', '1,000'],
        ],
      },
    },
  ],
};

const plain = (text: string): string => text;

describe('a page as text', () => {
  test('has its titles, lines and tables in order, with columns that stand straight', () => {
    expect(pageText(PAGE, plain)).toBe(
      [
        'Games',
        '',
        'One line.',
        'Another.',
        '',
        'A table',
        ' name    tickets',
        ' étoile        1',
        ' 漢字      1,000',
        '',
      ].join('\n'),
    );
  });

  test('marks titles and headings, and nothing else', () => {
    const marked = pageText(PAGE, (text) => `<${text}>`);
    expect(marked.match(/<[^>]*>/g)).toEqual(['<Games>', '<A table>']);
  });

  test('lets nothing through that steers a terminal, but in tables, whose words are its own', () => {
    const hostile = '\u001b]0;title\u0007\u202e';
    const text = pageText(
      { title: hostile, sections: [{ heading: hostile, lines: [hostile] }] },
      plain,
    );
    expect(text.split('\\u{1b}]0;title\\u{7}\\u{202e}')).toHaveLength(4);
    // eslint-disable-next-line no-control-regex -- that there is none is the point
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('a page as Markdown', () => {
  test('has headings, paragraphs and a table with its alignment', () => {
    expect(pageMarkdown(PAGE)).toBe(
      [
        '# Games',
        '',
        'One line.',
        '',
        'Another.',
        '',
        '## A table',
        '',
        '| name | tickets |',
        '| :-- | --: |',
        '| étoile | 1 |',
        '| 漢字 | 1,000 |',
        '',
      ].join('\n'),
    );
  });

  test.each(Array.from('\\`*_[]<>&|#~$'))('escapes %s wherever words stand', (character) => {
    const word = `a${character}b`;
    const page = {
      title: word,
      sections: [
        { heading: word, lines: [word], table: { columns: [{ title: word }], rows: [[word]] } },
      ],
    };
    const text = pageMarkdown(page);
    expect(text.split(`a\\${character}b`)).toHaveLength(6);
    expect(text.replaceAll(`\\${character}`, '')).not.toContain(`a${character}b`);
  });
});
