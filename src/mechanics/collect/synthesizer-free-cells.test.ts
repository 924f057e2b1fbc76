import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { enumerateDraws, GivenWords, seededStream } from '../../testing/random-streams.js';
import { readRows } from '../../testing/row-reading.js';
import { RandomStream } from '../../engine/random-stream.js';
import { FreeCells } from './synthesizer-free-cells.js';

const ALPHABET = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Letters that are not in alphabetical order, so that the definition's order shows. */
function letters(count: number): readonly string[] {
  return ALPHABET.slice(0, count).toReversed();
}

interface Shape {
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
}

/** The segments of a row, by the rule: as long as at most 65,536 fillings allow, the rest last. */
function segmentsOf({ count, columns }: Shape): readonly number[] {
  let longest = 1;
  while (count ** (longest + 1) <= 65_536 && longest < columns) longest += 1;
  const segments: number[] = [];
  for (let left = columns; left > 0; left -= longest) segments.push(Math.min(longest, left));
  return segments;
}

/** Makes what draws one grid after the other: its rows as texts. */
function rowsDrawer({ count, rows, columns }: Shape): (stream: RandomStream) => readonly string[] {
  const cells = new FreeCells(letters(count), { rows, columns });
  const packed = new Float64Array(rows);
  return (stream) => {
    cells.draw(stream, packed, 0);
    return readRows(packed, rows);
  };
}

/** The text of a filling's rank: its digits in base `count`, each a letter. */
function fillingOf(rank: number, length: number, count: number): string {
  let text = '';
  for (let cell = 0, rest = rank; cell < length; cell += 1, rest = Math.floor(rest / count)) {
    text = letters(count)[rest % count]! + text;
  }
  return text;
}

describe.each([
  { count: 1, rows: 2, columns: 5, segments: [5] },
  { count: 4, rows: 3, columns: 8, segments: [8] },
  { count: 4, rows: 3, columns: 6, segments: [6] },
  { count: 5, rows: 2, columns: 8, segments: [6, 2] },
  { count: 8, rows: 1, columns: 6, segments: [5, 1] },
  { count: 16, rows: 2, columns: 4, segments: [4] },
  { count: 17, rows: 2, columns: 4, segments: [3, 1] },
  { count: 25, rows: 3, columns: 7, segments: [3, 3, 1] },
  { count: 26, rows: 1, columns: 8, segments: [3, 3, 2] },
])('$count free symbols in $rows rows of $columns cells', (shape) => {
  const { count, rows, segments } = shape;
  const drawRows = rowsDrawer(shape);

  test('are drawn in segments as long as 65,536 fillings allow', () => {
    expect(segmentsOf(shape)).toEqual(segments);
    const [first] = enumerateDraws(drawRows);
    const ofOneRow = segments.map((length) => count ** length);
    expect(first!.bounds).toEqual(Array.from({ length: rows }, () => ofOneRow).flat());
  });

  test('stand as the drawn fillings say, in lexicographic order of their ranks', () => {
    const bounds = Array.from({ length: rows }, () => segments).flat();
    fc.assert(
      fc.property(
        fc.tuple(...bounds.map((length) => fc.nat({ max: count ** length - 1 }))),
        (ranks) => {
          const words = ranks.map((rank, index) => wordFor(rank, count ** bounds[index]!));
          const source = new GivenWords(count === 1 ? [] : words);
          const found = drawRows(new RandomStream(source));
          const texts = ranks.map((rank, index) => fillingOf(rank, bounds[index]!, count));
          expect(found.join('')).toBe(texts.join(''));
        },
      ),
      { seed: 8, numRuns: 20 },
    );
  });

  /** A word out of the middle of those that draw a value, which no bound refuses. */
  function wordFor(value: number, bound: number): number {
    return Math.floor(((value + 0.5) / bound) * 2 ** 32);
  }
});

test.each([
  { count: 17, rows: 1, columns: 4, ways: 83_521 },
  { count: 3, rows: 2, columns: 3, ways: 729 },
])(
  'over all draws, $count symbols in $rows rows of $columns cells fill them in every way once',
  (shape) => {
    const drawRows = rowsDrawer(shape);
    const found = new Set<string>();
    let runs = 0;
    for (const { result } of enumerateDraws((stream) => drawRows(stream).join())) {
      found.add(result);
      runs += 1;
    }
    expect(runs).toBe(shape.ways);
    expect(found.size).toBe(shape.ways);
  },
);

test('no free symbol draws nothing and writes nothing', () => {
  const rows = Float64Array.of(1, 2, 3);
  new FreeCells([], { rows: 3, columns: 6 }).draw(new RandomStream(new GivenWords([])), rows, 0);
  expect([...rows]).toEqual([1, 2, 3]);
});

test.each([4, 17])(
  '%i free symbols are written from the given row on, and nowhere else',
  (count) => {
    const cells = new FreeCells(letters(count), { rows: 2, columns: 4 });
    const whole = new Float64Array(8).fill(7);
    // A part of a larger memory, as the rows of a chunk may be.
    const rows = whole.subarray(1, 7);
    cells.draw(seededStream('in the middle'), rows, 2);
    expect([...whole.slice(0, 3), ...whole.slice(5)]).toEqual([7, 7, 7, 7, 7, 7]);
    for (const row of readRows(rows.subarray(2), 2)) expect(row).toMatch(/^[A-Q]{4}$/);
  },
);
