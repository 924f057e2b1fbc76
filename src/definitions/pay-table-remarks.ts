import type { Game, PayLine } from './game.js';

/**
 * What looks odd in a pay table and is no mistake by any rule: fewer symbols that pay more than one
 * further. A regulation can say so; a copy that has two lines mixed up says so too.
 */
export function payTableRemarks({ stakes }: Pick<Game, 'stakes'>): readonly string[] {
  return stakes.flatMap(({ payTable }, index) => {
    const lines = payTable.toSorted((a, b) => a.count - b.count);
    const odd = lines.flatMap((line) => {
      const before = lines.findLast(
        (other) => other.symbol === line.symbol && other.count < line.count,
      );
      if (before === undefined || before.prizeCents <= line.prizeCents) return [];
      return [`pays less for ${lineText(line)} than for ${lineText(before)}`];
    });
    const place = `/stakes/${index}/pay_table`;
    return odd.map((words) => `${place} ${words}: is that what the regulation says?`);
  });
}

/** `8`, or `4 A` where a line names its symbol. */
function lineText({ symbol, count }: PayLine): string {
  return symbol === undefined ? String(count) : `${count} ${symbol}`;
}
