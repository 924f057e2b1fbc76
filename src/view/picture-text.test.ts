import { describe, expect, test } from '@jest/globals';
import type { Game } from '../definitions/game.js';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { pictureText, type PictureOptions } from './picture-text.js';
import { ticketPictures } from './ticket-picture.js';

const plain = (text: string): string => text;

const OPTIONS: PictureOptions = {
  language: 'en',
  style: { title: plain, win: plain, trigger: plain },
  width: 200,
  blockName: 'a-block',
};

/** A record without its number, and the game at one euro that it belongs to. */
interface Shown {
  readonly game: Game;
  readonly prize: number;
  readonly combination: string;
  readonly grids: readonly (readonly string[])[];
}

function drawn(
  { game, prize, combination, grids }: Shown,
  options: Partial<PictureOptions> = {},
): string {
  const stake = game.stakes.find(({ stakeCents }) => stakeCents === 100);
  if (stake === undefined) throw new Error('no such stake');
  const record = { ticket: 1234, prize_cents: prize, combination, grids };
  return ticketPictures([record], { game, stake })
    .map((picture) => pictureText(picture, { ...OPTIONS, ...options }))
    .join();
}

/** The game with other names for its symbols. */
function withNames(game: Game, names: Readonly<Record<string, string>>): Game {
  const symbols = game.symbols.map((symbol) => ({
    ...symbol,
    id: names[symbol.code] ?? symbol.id,
  }));
  return { ...game, symbols };
}

const ELDORADO: Shown = {
  game: sampleRowsGame('eldorado-mini'),
  prize: 2000,
  combination: '5B+4B+4B',
  grids: [
    ['BBBBB', 'PSVED', 'BBEBB'],
    ['DBPBS', 'SPVBB', 'PSVDB'],
    ['BDBBB', 'SPVBB', 'PSVDB'],
  ],
};

const LAGON: Shown = {
  game: sampleCollectGame('lagon-mini'),
  prize: 100,
  combination: '4',
  grids: [
    ['TTTTCE', 'NVCENV', 'CENVPH'],
    ['PCPEPN', 'VPCENV', 'CENVTH'],
    ['HCHEHN', 'VHCENV', 'CENVTP'],
  ],
};

describe('a ticket with EXTRA stages', () => {
  test('is drawn with its stages in order, its rows marked without colours, its sum worked out', () => {
    expect(drawn(ELDORADO)).toBe(
      `Ticket 1,234 of a-block: wins 20.00 EUR (5B+4B+4B)

Main grid
┌───────────┬───────────┬───────────┬───────────┬───────────┐
│[bracelet] │[bracelet] │[bracelet] │[bracelet] │[bracelet] │ = 10.00
│ pyramide  │ soleil    │ vase      │*EXTRA*    │ pendentif │
│[bracelet] │[bracelet] │*EXTRA*    │[bracelet] │[bracelet] │ = 5.00
└───────────┴───────────┴───────────┴───────────┴───────────┘

EXTRA stage 1
┌───────────┬───────────┬───────────┬───────────┬───────────┐
│ pendentif │ bracelet  │ pyramide  │ bracelet  │ soleil    │
│ soleil    │ pyramide  │ vase      │ bracelet  │ bracelet  │
│ pyramide  │ soleil    │ vase      │ pendentif │ bracelet  │
└───────────┴───────────┴───────────┴───────────┴───────────┘

EXTRA stage 2
┌───────────┬───────────┬───────────┬───────────┬───────────┐
│[bracelet] │ pendentif │[bracelet] │[bracelet] │[bracelet] │ = 5.00
│ soleil    │ pyramide  │ vase      │ bracelet  │ bracelet  │
│ pyramide  │ soleil    │ vase      │ pendentif │ bracelet  │
└───────────┴───────────┴───────────┴───────────┴───────────┘

 5 bracelet   10.00
 4 bracelet    5.00
 4 bracelet    5.00
 prize (EUR)  20.00
`,
    );
  });

  test('is drawn in French', () => {
    const text = drawn(ELDORADO, { language: 'fr', width: 40 });
    expect(text.split('\n').filter((line) => /\p{L}/u.test(line) && !line.startsWith('│'))).toEqual(
      [
        'Unité de jeu 1\u{202f}234 de a-block : gagne 20,00 € (5B+4B+4B)',
        'Grille principale',
        'Étape Extra 1',
        'Étape Extra 2',
        'Symboles : B bracelet, D pendentif, E EXTRA, P pyramide, S soleil, V vase',
        ' 5 bracelet  10,00',
        ' 4 bracelet   5,00',
        ' 4 bracelet   5,00',
        ' lot (€)     20,00',
      ],
    );
    expect(text).toContain('│[B]│[B]│*E*│[B]│[B]│ = 5,00\n');
  });

  test('that loses says so', () => {
    const loser = { ...ELDORADO, prize: 0, combination: '', grids: [['PSVBD', 'PSVBD', 'PSVBD']] };
    const text = drawn(loser);
    expect(text).toMatch(/^Ticket 1,234 of a-block: loses\n\nMain grid\n┌/);
    expect(text).toMatch(/\n\nno winning combination\n$/);
    expect(drawn(loser, { language: 'fr' })).toMatch(/\n\naucune combinaison gagnante\n$/);
  });
});

describe('a ticket with choices', () => {
  test('is drawn with all of them side by side', () => {
    expect(drawn(LAGON, { width: 80 })).toBe(
      `Ticket 1,234 of a-block: wins 1.00 EUR (4)

 Choice: tortue             Choice: perle              Choice: hibiscus
 ┌───┬───┬───┬───┬───┬───┐  ┌───┬───┬───┬───┬───┬───┐  ┌───┬───┬───┬───┬───┬───┐
 │[T]│[T]│[T]│[T]│ C │ E │  │[P]│ C │[P]│ E │[P]│ N │  │[H]│ C │[H]│ E │[H]│ N │
 │ N │ V │ C │ E │ N │ V │  │ V │[P]│ C │ E │ N │ V │  │ V │[H]│ C │ E │ N │ V │
 │ C │ E │ N │ V │ P │ H │  │ C │ E │ N │ V │ T │ H │  │ C │ E │ N │ V │ T │ P │
 └───┴───┴───┴───┴───┴───┘  └───┴───┴───┴───┴───┴───┘  └───┴───┴───┴───┴───┴───┘
 4 tortue = 1.00            4 perle = 1.00             4 hibiscus = 1.00

Symbols: C coquillage, E etoile, H hibiscus, N noix, P perle, T tortue, V vague

 prize (EUR)  1.00
`,
    );
  });

  test('is drawn with names where they have room', () => {
    const [, , roles = '', frame = '', first = ''] = drawn(LAGON, { width: 260 }).split('\n');
    expect(roles.trim().split(/ {2,}/)).toEqual([
      'Choice: tortue',
      'Choice: perle',
      'Choice: hibiscus',
    ]);
    expect(frame.split('┌')).toHaveLength(4);
    expect(first).toContain('│[tortue]    │[tortue]    │[tortue]    │[tortue]    │ coquillage │');
  });

  test('is drawn one below the other where even letters have no room beside', () => {
    const text = drawn(LAGON, { width: 60 });
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('Choice: '))).toHaveLength(3);
    expect(lines.filter((line) => line === '┌───┬───┬───┬───┬───┬───┐')).toHaveLength(3);
    expect(text).toContain(
      'Symbols: C coquillage, E etoile, H hibiscus, N noix, P perle, T tortue, V vague\n',
    );
  });
});

describe('a ticket that is wrong', () => {
  const wrong = {
    ...ELDORADO,
    prize: 1500,
    combination: '4V',
    grids: [['BBBBP', 'PSXED', 'PSVBD']],
  };

  test('says what its record says and what its symbols amount to, and what is against the rules', () => {
    const text = drawn(wrong);
    expect(text).toContain('Ticket 1,234 of a-block: wins 15.00 EUR (4V)\n');
    expect(text).toContain(' prize (EUR)  5.00\n');
    expect(text).toContain(
      'Its record says 15.00 EUR, its symbols amount to 5.00 EUR: gen-block verify says more.\n',
    );
    expect(text).toMatch(/\nsymbol, grid 1, row 2: expected [^\n]+; found [^\n]+\n/);
    expect(text).toMatch(/\nstage-count: expected [^\n]+; found [^\n]+\n/);
  });

  test('says it in French, with nothing of the English left but the codes of findings', () => {
    const text = drawn(wrong, { language: 'fr' });
    expect(text).toContain(
      'L’enregistrement dit 15,00 €, les symboles font 5,00 € : gen-block verify en dit plus.\n',
    );
    expect(text).toContain(
      '\nContraire aux règles : symbol, grille 1, ligne 2 ; gen-block verify en dit plus.\n',
    );
    expect(text).not.toMatch(/expected|found|grid |row |record|EUR/);
  });

  test('lets nothing through that steers a terminal', () => {
    const steering = {
      ...ELDORADO,
      combination: '\u001b[2J',
      grids: [['\u009b\u001b\u0007\u202eB', 'PSVBD', 'PSVBD']],
    };
    for (const width of [20, 200]) {
      const text = drawn(steering, { width });
      // eslint-disable-next-line no-control-regex -- that there is none is the point
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(text).toContain('\\u{9b}');
    }
  });
});

describe('a frame', () => {
  /** Columns of a terminal, by a list of the letters that these tests use. */
  function columnsOf(line: string): number {
    const letters = Array.from(line.normalize('NFC'));
    return letters.length + letters.filter((letter) => '太陽花瓶'.includes(letter)).length;
  }

  test.each([
    ['plain names', {}],
    ['accents within letters', { B: 'br\u00e9c\u00e9', D: 'p\u00eacheur', E: '\u00c9toile' }],
    ['accents by themselves', { B: 'bre\u0301ce\u0301', D: 'pe\u0302cheur', E: 'E\u0301toile' }],
    ['wide letters', { B: '太陽', V: '花瓶', P: '太陽花瓶' }],
    ['a long name', { S: 'a'.repeat(60) }],
  ])('is straight with %s', (_, names) => {
    const game = withNames(ELDORADO.game, names);
    const lines = drawn({ ...ELDORADO, game }, { width: 999 })
      .split('\n')
      .filter((line) => /[│┌└]/.test(line))
      .map((line) => line.replace(/ = [\d.]+$/, ''));
    expect(lines).toHaveLength(15);
    expect(new Set(lines.map(columnsOf)).size).toBe(1);
    for (const name of Object.values(names)) {
      expect(lines.join('\n')).toContain(name.length > 40 ? `${name.slice(0, 40)}…` : name);
    }
  });

  test('is straight with colours, which change nothing but the colour', () => {
    const coloured = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[39m`;
    const style = { title: coloured(35), win: coloured(36), trigger: coloured(33) };
    const text = drawn(ELDORADO, { style });
    expect(text).toContain('\u001b[36m[bracelet]\u001b[39m');
    expect(text).toContain('\u001b[33m*EXTRA*\u001b[39m');
    // eslint-disable-next-line no-control-regex -- the colours are taken away
    expect(text.replaceAll(/\u001b\[\d+m/g, '')).toBe(drawn(ELDORADO));
  });

  test('has letters and a legend on a terminal that is one column too narrow for names', () => {
    const named = drawn(ELDORADO);
    const width = Math.max(...named.split('\n').map((line) => line.length));
    expect(drawn(ELDORADO, { width })).toBe(named);
    const lettered = drawn(ELDORADO, { width: width - 1 });
    expect(lettered).toContain('│[B]│[B]│[B]│[B]│[B]│ = 10.00\n');
    expect(lettered).toContain(
      '\nSymbols: B bracelet, D pendentif, E EXTRA, P pyramide, S soleil, V vase\n',
    );
  });
});
