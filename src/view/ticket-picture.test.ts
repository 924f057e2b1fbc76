import { describe, expect, test } from '@jest/globals';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { ticketPictures, type TicketPicture } from './ticket-picture.js';

type Grids = readonly (readonly string[])[];

/** The picture of a ticket of Eldorado, small, at one euro. */
function rowsPicture(prizeCents: number, combination: string, grids: Grids): TicketPicture {
  const game = sampleRowsGame('eldorado-mini');
  const stake = game.stakes.find(({ stakeCents }) => stakeCents === 100);
  if (stake === undefined) throw new Error('no such stake');
  const record = { ticket: 7, prize_cents: prizeCents, combination, grids };
  const [picture] = ticketPictures([record], { game, stake });
  if (picture === undefined) throw new Error('no picture');
  return picture;
}

/** Rows of a grid with its marks: `[B]` wins, `*E*` opens a stage. */
function marked({ grids }: TicketPicture): readonly (readonly string[])[] {
  return grids.map(({ rows }) =>
    rows.map((row) =>
      row
        .map(({ code, isWinning, isTrigger }) =>
          isWinning ? `[${code}]` : isTrigger ? `*${code}*` : code,
        )
        .join(''),
    ),
  );
}

describe('the picture of rows', () => {
  const picture = rowsPicture(2000, '5B+4B+4B', [
    ['BBBBB', 'PSVED', 'BBEBB'],
    ['DBPBS', 'SPVBB', 'PSVDB'],
    ['BDBBB', 'SPVBB', 'PSVDB'],
  ]);

  test('has the main grid and then its EXTRA stages in order', () => {
    expect(picture.grids.map(({ role }) => role)).toEqual([
      { kind: 'main' },
      { kind: 'extra', stage: 1 },
      { kind: 'extra', stage: 2 },
    ]);
  });

  test('marks what wins and what opens a stage, and nothing else', () => {
    expect(marked(picture)).toEqual([
      ['[B][B][B][B][B]', 'PSV*E*D', '[B][B]*E*[B][B]'],
      ['DBPBS', 'SPVBB', 'PSVDB'],
      ['[B]D[B][B][B]', 'SPVBB', 'PSVDB'],
    ]);
  });

  test('says row by row what wins, five never as four too, and sums it up', () => {
    const wins = picture.grids.map(({ rowWins }) => rowWins.map((win) => win?.prizeCents));
    expect(wins).toEqual([
      [1000, undefined, 500],
      [undefined, undefined, undefined],
      [500, undefined, undefined],
    ]);
    expect(picture.grids.map((grid) => grid.wins.length)).toEqual([2, 0, 1]);
    expect([picture.prizeCents, picture.symbolsCents]).toEqual([2000, 2000]);
  });

  test('wins nothing with four EXTRA symbols in a row', () => {
    const four = rowsPicture(0, '', [['EEEEP', 'PSVBD', 'PSVBD']]);
    expect(marked(four)[0]?.[0]).toBe('*E**E**E**E*P');
    expect(four.symbolsCents).toBe(0);
  });

  test('tells a record that disagrees with its symbols', () => {
    const wrong = rowsPicture(1500, '4V', [['BBBBP', 'PSVBD', 'PSVBD']]);
    expect(wrong).toMatchObject({ prizeCents: 1500, symbolsCents: 500, combination: '4V' });
  });

  test('shows a letter that is no symbol as it is, which wins nothing and is a fault', () => {
    const wrong = rowsPicture(0, '', [['XXXXX', 'PSVBD', 'PSVBD']]);
    expect(wrong.grids[0]?.rows[0]?.[0]).toEqual({
      code: 'X',
      name: 'X',
      isWinning: false,
      isTrigger: false,
    });
    expect(wrong.faults.map(({ code, grid, row }) => [code, grid, row])).toContainEqual([
      'symbol',
      1,
      1,
    ]);
  });

  test('has faults where EXTRA symbols and stages do not agree, and none on a right ticket', () => {
    expect(picture.faults).toEqual([]);
    const wrong = rowsPicture(0, '', [['PSVED', 'PSVBD', 'PSVBD']]);
    expect(wrong.faults.map(({ code }) => code)).toEqual(['stage-count']);
  });
});

describe('the picture of choices', () => {
  const game = sampleCollectGame('lagon-mini');
  const stake = game.stakes.find(({ stakeCents }) => stakeCents === 100);
  const GRIDS = [
    ['TTTTCE', 'NVCENV', 'CENVPH'],
    ['PCPEPN', 'VPCENV', 'CENVTH'],
    ['HCHEHN', 'VHCENV', 'CENVTP'],
  ];
  const pictured = (grids: Grids): TicketPicture => {
    if (stake === undefined) throw new Error('no such stake');
    const record = { ticket: 9, prize_cents: 100, combination: '4', grids };
    const [picture] = ticketPictures([record], { game, stake });
    if (picture === undefined) throw new Error('no picture');
    return picture;
  };

  test('has a grid for each, in the order of the choices, with its symbols marked and counted', () => {
    const picture = pictured(GRIDS);
    expect(picture.grids.map(({ role }) => role)).toEqual([
      { kind: 'choice', code: 'T', name: 'tortue' },
      { kind: 'choice', code: 'P', name: 'perle' },
      { kind: 'choice', code: 'H', name: 'hibiscus' },
    ]);
    expect(marked(picture)).toEqual([
      ['[T][T][T][T]CE', 'NVCENV', 'CENVPH'],
      ['[P]C[P]E[P]N', 'V[P]CENV', 'CENVTH'],
      ['[H]C[H]E[H]N', 'V[H]CENV', 'CENVTP'],
    ]);
    expect(picture.grids.map(({ chosenCount }) => chosenCount)).toEqual([4, 4, 4]);
    expect(picture.grids.map(({ wins }) => wins.map((win) => win.prizeCents))).toEqual([
      [100],
      [100],
      [100],
    ]);
    expect([picture.symbolsCents, picture.faults]).toEqual([100, []]);
  });

  test('marks nothing where three of a symbol are too few', () => {
    const losing = pictured([['TTTVCE', 'NVCENV', 'CENVPH'], ...GRIDS.slice(1)]);
    expect(marked(losing)[0]).toEqual(['TTTVCE', 'NVCENV', 'CENVPH']);
    expect(losing.grids[0]).toMatchObject({ chosenCount: 3, wins: [] });
    expect(losing.faults.map(({ code }) => code)).toContain('choices-differ');
  });

  test('shows a grid too many as one of no choice', () => {
    const picture = pictured([...GRIDS, ['TTTTCE', 'NVCENV', 'CENVPH']]);
    expect(picture.grids[3]).toMatchObject({ role: { code: '' }, chosenCount: 0, wins: [] });
    expect(picture.faults.map(({ code }) => code)).toContain('grid-count');
  });
});
