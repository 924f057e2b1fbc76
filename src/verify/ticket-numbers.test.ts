import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TicketNumbers } from './ticket-numbers.js';

/** Takes numbers one after the other; `undefined` is a line whose number cannot be read. */
function take(blockSize: number, numbers: readonly (number | undefined)[]) {
  const followed = new TicketNumbers(blockSize);
  const codes = numbers.map((number) => {
    if (number !== undefined) return followed.take(number);
    followed.takeUnreadable();
    return undefined;
  });
  return { codes, missing: followed.missing(), next: followed.next };
}

describe('ticket numbers', () => {
  test('are right from 1 to the last', () => {
    expect(take(4, [1, 2, 3, 4])).toEqual({
      codes: [undefined, undefined, undefined, undefined],
      missing: [],
      next: 5,
    });
  });

  const ORDER = 'ticket-order';
  const REPEATED = 'ticket-repeated';
  const RANGE = 'ticket-range';
  type Case = readonly [
    string,
    readonly (number | undefined)[],
    /** By place in the list. */
    codes: Readonly<Record<number, string>>,
    missing: readonly (readonly [number, number])[],
  ];

  test.each<Case>([
    ['two exchanged', [1, 3, 2, 4, 5], { 1: ORDER, 2: ORDER }, []],
    ['one moved back', [1, 4, 2, 3, 5], { 1: ORDER, 2: ORDER }, []],
    ['one moved forward', [2, 3, 4, 1, 5], { 0: ORDER, 3: ORDER }, []],
    ['one left out', [1, 3, 4, 5], { 1: ORDER }, [[2, 2]]],
    ['the first left out', [2, 3, 4, 5], { 0: ORDER }, [[1, 1]]],
    ['the last left out', [1, 2], {}, [[3, 5]]],
    [
      'two runs left out',
      [2, 4, 5],
      { 0: ORDER, 1: ORDER },
      [
        [1, 1],
        [3, 3],
      ],
    ],
    ['one that comes twice', [1, 1, 2, 3, 4, 5], { 1: REPEATED }, []],
    ['one in the place of another', [1, 1, 3, 4, 5], { 1: REPEATED }, [[2, 2]]],
    [
      'one early and again in its turn',
      [1, 3, 2, 3, 4],
      { 1: ORDER, 2: ORDER, 3: REPEATED },
      [[5, 5]],
    ],
    ['one out of range for another', [1, 6, 3, 4, 5], { 1: RANGE }, [[2, 2]]],
    ['one out of range too many', [1, 0, 2, 3, 4, 5], { 1: RANGE }, []],
    ['one that cannot be read', [1, undefined, 3, 4, 5], {}, [[2, 2]]],
    ['two that cannot be read and are too many', [1, undefined, undefined, 2, 3, 4, 5], {}, []],
    [
      'one that cannot be read, and another left out behind it',
      [1, undefined, 3, 5],
      { 3: ORDER },
      [
        [2, 2],
        [4, 4],
      ],
    ],
    ['one that cannot be read for two', [1, undefined, 4, 5], { 2: ORDER }, [[2, 3]]],
  ])('with %s', (_, numbers, codes, missing) => {
    const taken = take(5, numbers);
    expect(taken.codes).toEqual(numbers.map((__, index) => codes[index]));
    expect(taken.missing).toEqual(missing);
  });

  test.each([0, -1, 6, 1.5, 2 ** 53, Number.NaN, Infinity])(
    'refuse %d in a block of 5',
    (number) => {
      expect(take(5, [1, number, 2]).codes).toEqual([undefined, 'ticket-range', undefined]);
    },
  );

  test('that are due are those that are taken without a finding', () => {
    const anyNumber = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 20 }), (numbers) => {
        const followed = new TicketNumbers(8);
        for (const number of numbers) {
          if (number === undefined) followed.takeUnreadable();
          else {
            const isDue = followed.isDue(number);
            expect(followed.take(number) === undefined).toBe(isDue);
          }
        }
      }),
    );
  });

  test('are repeated, out of range or missing exactly as a list of all says', () => {
    const anyNumber = fc.option(fc.integer({ min: -1, max: 14 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 40 }), (numbers) => {
        const { codes, missing } = take(12, numbers);
        const seen = new Set<number>();
        numbers.forEach((number, index) => {
          if (number === undefined) return;
          const isInRange = number >= 1 && number <= 12;
          expect(codes[index] === 'ticket-range').toBe(!isInRange);
          expect(codes[index] === 'ticket-repeated').toBe(isInRange && seen.has(number));
          if (isInRange) seen.add(number);
        });
        const listed = missing.flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, index) => first + index),
        );
        const absent = Array.from({ length: 12 }, (_, index) => index + 1);
        expect(listed).toEqual(absent.filter((number) => !seen.has(number)));
        // Runs are as long as they can be.
        missing.slice(1).forEach(([first], index) => {
          expect(first).toBeGreaterThan(missing[index]![1] + 1);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('have something said of them whenever they do not come in order', () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: 10 }, (_, index) => index + 1),
      {
        minLength: 10,
      },
    );
    fc.assert(
      fc.property(order, (numbers) => {
        const { codes, missing } = take(10, numbers);
        const isInOrder = numbers.every((number, index) => number === index + 1);
        expect(codes.every((code) => code === undefined)).toBe(isInOrder);
        expect(missing).toEqual([]);
      }),
    );
  });

  test('in the reverse order are followed without long searches', () => {
    const blockSize = 300_000;
    const followed = new TicketNumbers(blockSize);
    let findings = 0;
    for (let number = blockSize; number >= 1; number -= 1) {
      if (followed.take(number) !== undefined) findings += 1;
    }
    expect(findings).toBe(blockSize);
    expect(followed.missing()).toEqual([]);
  });
});
