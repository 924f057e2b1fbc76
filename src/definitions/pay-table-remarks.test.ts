import { describe, expect, test } from '@jest/globals';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { gameIds, loadGame } from './load-game.js';
import { payTableRemarks } from './pay-table-remarks.js';

const PAY_TABLE = '/stakes/0/pay_table';

describe('a pay table', () => {
  test('that pays less for more of the chosen symbol is remarked, count by count', () => {
    const game = sampleCollectGame(
      'collect-bare',
      [`${PAY_TABLE}/0/count`, 7],
      [`${PAY_TABLE}/1/count`, 8],
    );
    expect(payTableRemarks(game)).toEqual([
      '/stakes/0/pay_table pays less for 8 than for 7: is that what the regulation says?',
    ]);
  });

  test('that pays less for more in a row is remarked with the symbol', () => {
    const game = sampleRowsGame(
      'rows-plain',
      [`${PAY_TABLE}/2/count`, 3],
      [`${PAY_TABLE}/3/count`, 4],
    );
    expect(payTableRemarks(game)).toEqual([
      '/stakes/0/pay_table pays less for 4 B than for 3 B: is that what the regulation says?',
    ]);
  });

  test('that pays as much for more, or more, is not', () => {
    expect(payTableRemarks(sampleCollectGame('collect-bare'))).toEqual([]);
    const same = sampleRowsGame('rows-plain', [`${PAY_TABLE}/1/prize_cents`, 4000]);
    expect(payTableRemarks(same)).toEqual([]);
    expect(gameIds().map(loadGame).flatMap(payTableRemarks)).toEqual([]);
  });
});
