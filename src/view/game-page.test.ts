import { describe, expect, test } from '@jest/globals';
import type { DefinitionSource } from '../definitions/definition.js';
import { checkDefinition } from '../definitions/check-definition.js';
import { findStake, gameIds, loadDefinedGame, type DefinedGame } from '../definitions/load-game.js';
import { sampleDefinition, type Edit, type SampleName } from '../testing/sample-definitions.js';
import { gameFacts } from './game-facts.js';
import { gamePage, gamesPage } from './game-page.js';
import type { LanguageId } from './language.js';
import { pageMarkdown } from './page-markdown.js';
import { pageText } from './page-text.js';
import type { Page } from './page.js';

function sample(name: SampleName, ...edits: readonly Edit[]): DefinedGame {
  const definition = sampleDefinition(name, ...edits);
  const { game, problems } = checkDefinition(definition);
  if (game === undefined) throw new Error(JSON.stringify(problems));
  return { definition, game };
}

function textOf(page: Page): string {
  return pageText(page, (text) => text);
}

function pageOf(defined: DefinedGame, language: LanguageId, stakeCents = 100): Page {
  return gamePage(gameFacts(defined, [findStake(defined.game, stakeCents)]), language);
}

const SHIPPED = gameIds().map(loadDefinedGame);

describe('the page of a game in English', () => {
  // Held against a calculation by hand: mean 0.50, squares 5,240, deviation 2.23; 92 tickets above 1.00.
  test('says all about a small game', () => {
    expect(textOf(pageOf(sample('rows-plain'), 'en'))).toBe(
      `Rows plain

A block has 1,000 tickets (policy of the operator).
A grid has 2 rows of 4 cells (policy of the operator).
Symbols: A apple, B banana, C cherry (policy of the operator).
Definition SHA-256 dffab32a8b63788520c24e2b043fd140790c6cf1618b886ecc0a7efc1931e6d3

At 1.00 EUR a ticket: prize table of a block (policy of the operator)
 prize (EUR)  tickets  total (EUR)        odds  share of prizes
       40.00        2        80.00    1 in 500          16.00 %
       10.00       10       100.00    1 in 100          20.00 %
        6.00       20       120.00     1 in 50          24.00 %
        2.00       60       120.00  1 in 16.67          24.00 %
        1.00       80        80.00  1 in 12.50          16.00 %
  all prizes      172       500.00   1 in 5.81         100.00 %

Pay-out 50.00 %: prizes of 500.00 EUR out of sales of 1,000.00 EUR.
Winning tickets 17.20 %, 1 in 5.81.
Tickets that win more than their price 9.20 %, 1 in 10.87.
Volatility 2.23: the standard deviation of a ticket's prize, in stakes.

What pays (policy of the operator)
 combination  pays (EUR)
 4 apple           40.00
 3 apple           10.00
 4 banana           5.00
 3 banana           3.00
 4 cherry           2.00
 3 cherry           1.00

How each prize comes about (policy of the operator)
 prize (EUR)  combination  worked out (EUR)  tickets expected
       40.00  4A           40.00                         2.00
       10.00  3A           10.00                         6.67
              4B+4B        5.00 + 5.00                   3.33
        6.00  4B+3C        5.00 + 1.00                  10.00
              3B+3B        3.00 + 3.00                  10.00
        2.00  4C           2.00                         40.00
              3C+3C        1.00 + 1.00                  20.00
        1.00  3C           1.00                         80.00

EXTRA stages (policy of the operator)
 stages  tickets expected  of all tickets  of them winning  EXTRA symbols, grid by grid
      0          1,000.00        100.00 %          17.20 %  0

Expected numbers are averages over many blocks; those of one block differ from them by a few tickets at most.
`,
    );
  });

  test('cites the articles of the regulation, and says what the operator decided', () => {
    const [eldorado, lagon] = SHIPPED.map((defined) => textOf(pageOf(defined, 'en')));
    expect(eldorado).toContain('A block has 900,000 tickets (article 2).');
    expect(eldorado).toContain('At 1.00 EUR a ticket: prize table of a block (article 3.2)\n');
    expect(eldorado).toContain('What pays (article 4.4)\n');
    expect(eldorado).toContain('EXTRA stages (policy of the operator)\n');
    expect(lagon).toContain('At 1.00 EUR a ticket: prize table of a block (article 3.2)\n');
    expect(lagon).toContain('Tickets that win more than their price 15.54 %, 1 in 6.44.');
  });

  test('says so where fields have several sources', () => {
    const defined = sample('rows-plain');
    const facts = gameFacts(defined);
    const page = gamePage({ ...facts, sources: { ...facts.sources, symbols: [] } }, 'en');
    expect(textOf(page)).toContain('C cherry (sources: see the definition).\n');
  });

  test('calls policy what is policy part by part, and nothing else', () => {
    const note = 'decided';
    const parts = ['losing_counts', 'unchosen_cap', 'neutral_cap'].map((field) => ({
      pointer: `/policy/${field}`,
      source: 'policy' as const,
      note,
    }));
    const { definition, game } = sample('lagon-mini');
    const others = definition.sources.filter(({ pointer }) => !pointer.startsWith('/policy'));
    const textWith = (sources: readonly DefinitionSource[]): string =>
      textOf(pageOf({ definition: { ...definition, sources }, game }, 'en'));
    expect(textWith([...others, ...parts])).toContain(
      'Chosen symbols in a grid (policy of the operator)\n',
    );
    const regulation = {
      pointer: '/policy/neutral_cap',
      source: 'regulation',
      article: '5',
    } as const;
    expect(textWith([...others, ...parts.slice(0, 2), regulation])).toContain(
      'Chosen symbols in a grid (sources: see the definition)\n',
    );
  });

  test.each<[string, readonly Edit[], string]>([
    [
      'lagon-mini',
      [['/policy/neutral_cap', 5]],
      'at most 3 of each symbol that was not chosen, at most 5 of each neutral symbol',
    ],
    [
      'lagon-mini',
      [['/policy/neutral_cap', null]],
      'at most 3 of each symbol that was not chosen, any number of each neutral symbol',
    ],
    ['collect-bare', [], 'any number of each symbol that was not chosen'],
  ])('says which caps %s has with %j', (name, edits, caps) => {
    expect(textOf(pageOf(sample(name as SampleName, ...edits), 'en'))).toContain(
      `\nBeside the chosen symbols, each grid has ${caps} (policy of the operator).\n`,
    );
  });

  test('says so where no ticket wins more than its price', () => {
    const facts = gameFacts(sample('rows-plain'));
    const stakes = facts.stakes.map((stake) => ({ ...stake, ticketsAboveStake: 0 }));
    expect(textOf(gamePage({ ...facts, stakes }, 'en'))).toContain(
      'No ticket wins more than its price.',
    );
  });

  test('has the ways to a prize only where there are several', () => {
    expect(textOf(pageOf(sample('eldorado-mini'), 'en'))).toContain('How each prize comes about');
    expect(textOf(pageOf(sample('lagon-mini'), 'en'))).not.toContain('How each prize comes about');
  });

  test('shows of what is rare as many decimals as it takes', () => {
    const lines = textOf(pageOf(sample('eldorado-mini'), 'en')).split('\n');
    const shown = (combination: string): string | undefined =>
      lines
        .find((line) => line.includes(` ${combination} `))
        ?.split(/ {2,}/)
        .at(-1);
    // 1 ticket of 100 euros: 27 in 100,000 by way of five rows more.
    expect(shown('5V+5B+5B+5B+5B+5B')).toMatch(/^0\.000\d$/);
    expect(shown('4P+4P')).toBe('0.33');
    expect(shown('5D+4D')).toBe('96.67');
  });

  test('says where EXTRA symbols stand, with their parts where these differ', () => {
    const edit: Edit = ['/policy/extra_stages/2/vectors/0/weight', 3];
    const text = textOf(pageOf(sample('eldorado-mini', edit), 'en'));
    expect(text).toMatch(/\n +2 .* {2}(1 1 0|2 0 0) \(75\.00 %\), (1 1 0|2 0 0) \(25\.00 %\)\n/);
    expect(text).toMatch(/\n +1 .* {2}1 0\n/);
  });
});

describe('the page of a game in French', () => {
  /** What is no word of either language: names, codes, commands. */
  const NAMES = new Set(
    SHIPPED.flatMap(({ game }) => [game.id, game.name, ...game.symbols.map(({ id }) => id)])
      .flatMap((name) => wordsOf(name))
      .concat(wordsOf('SHA gen block games stake lang eldorado EXTRA')),
  );
  /** Words that are the same in both. */
  const SHARED = new Set(['article', 'total', 'paradis']);

  function wordsOf(text: string): readonly string[] {
    return (text.toLowerCase().match(/\p{L}{2,}/gu) ?? []).filter((word) => !/\d/.test(word));
  }

  const pagesIn = (language: LanguageId): readonly string[] => [
    textOf(
      gamesPage(
        SHIPPED.map((defined) => gameFacts(defined)),
        language,
      ),
    ),
    ...SHIPPED.map((defined) =>
      textOf(pageOf(defined, language, 200)).replace(/\b[0-9a-f]{64}\b/, ''),
    ),
  ];

  test('has no word of the English one left', () => {
    const english = new Set(pagesIn('en').flatMap(wordsOf));
    const left = pagesIn('fr')
      .flatMap(wordsOf)
      .filter((word) => english.has(word) && !NAMES.has(word) && !SHARED.has(word));
    expect(english.size).toBeGreaterThan(60);
    expect([...new Set(left)]).toEqual([]);
  });

  test('has French numbers: a narrow space, a comma, and no other separators', () => {
    const [, eldorado = '', lagon = ''] = pagesIn('fr');
    expect(eldorado).toContain('Un bloc compte 900\u{202f}000 unités de jeu (article 2).');
    expect(eldorado).toContain('20\u{202f}000,00');
    expect(eldorado).toContain('1 sur 9,18');
    expect(lagon).toContain('Taux de retour aux joueurs 70,00\u{a0}% :');
    for (const page of [eldorado, lagon]) {
      expect(page).not.toMatch(/\d\.\d\d\b/);
      expect(page).not.toMatch(/[1-9]\d*,\d{3}\b/);
      expect(page).not.toMatch(/\d \d{3}\b/);
    }
  });

  test('cites the articles, and says what the operator decided', () => {
    const [, eldorado = ''] = pagesIn('fr');
    expect(eldorado).toContain('Mise de 2,00 € : tableau de lots d’un bloc (article 3.3)');
    expect(eldorado).toContain('Étapes Extra (choix de l’opérateur)');
  });

  test('says which caps there are', () => {
    const [, eldorado = '', lagon = ''] = pagesIn('fr');
    expect(lagon).toContain(
      '\nÀ côté des symboles sélectionnés, chaque grille compte au plus 3 de chaque symbole non sélectionné, ',
    );
    expect(eldorado).not.toContain('symbole neutre');
  });
});

describe('a page as Markdown', () => {
  const HOSTILE = '<b>Zoë</b> | [x](a.eu) `c` *a* _b_ ~~s~~ $x$ &amp;';
  const page = pageOf(sample('rows-plain', ['/name', HOSTILE]), 'en');

  test('has one heading for each section, and a hostile name in none of its own', () => {
    const lines = pageMarkdown(page).split('\n');
    expect(lines[0]).toBe(
      '# \\<b\\>Zoë\\</b\\> \\| \\[x\\](a.eu) \\`c\\` \\*a\\* \\_b\\_ \\~\\~s\\~\\~ \\$x\\$ \\&amp;',
    );
    expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(
      1 + page.sections.filter(({ heading }) => heading !== undefined).length,
    );
  });

  test('has tables with as many cells in each row as columns', () => {
    for (const { table } of page.sections) {
      if (table === undefined) continue;
      const text = pageMarkdown({ title: '', sections: [{ table }] });
      const rows = text.split('\n').filter((line) => line.startsWith('|'));
      expect(rows).toHaveLength(table.rows.length + 2);
      for (const row of rows) expect(row.split('|')).toHaveLength(table.columns.length + 2);
    }
  });
});

describe('the list of the games', () => {
  test('has a line for each, and says how to see one', () => {
    const text = textOf(
      gamesPage(
        SHIPPED.map((defined) => gameFacts(defined)),
        'en',
      ),
    );
    const [, , , eldorado, lagon, , next] = text.split('\n');
    expect(eldorado?.trim().split(/ {2,}/)).toEqual([
      'eldorado',
      'Eldorado',
      '900,000',
      '0.50 / 1.00 / 2.00',
      '70.00 %',
      '1 in 5.95',
      '5,000.00 / 10,000.00 / 20,000.00',
    ]);
    expect(lagon?.trim().split(/ {2,}/)).toEqual([
      'lagon-paradis',
      'Lagon Paradis',
      '800,000',
      '0.50 / 1.00 / 2.00',
      '70.00 %',
      '1 in 4.70',
      '2,500.00 / 5,000.00 / 10,000.00',
    ]);
    expect(next).toBe('All about one: gen-block games eldorado --stake 1');
  });

  test('is empty where there are none', () => {
    expect(textOf(gamesPage([], 'en'))).not.toContain('gen-block');
  });
});
