import { expect, test } from '@jest/globals';
import {
  FINDING_CODES,
  FindingLog,
  SALE_FINDING_CODES,
  SEED_FINDING_CODES,
  SIGNATURE_FINDING_CODES,
  type FindingCode,
} from './finding.js';

function finding(code: FindingCode, ticket: number) {
  return { code, place: { ticket }, expected: 'one thing', found: 'another' };
}

test('a log counts every finding and keeps the first five of each code, in their order', () => {
  const log = new FindingLog();
  for (let ticket = 1; ticket <= 1000; ticket += 1) {
    log.add(finding('symbol', ticket));
    if (ticket % 100 === 0) log.add(finding('prize', ticket));
  }
  expect(log.total).toBe(1010);
  expect([...log.counts]).toEqual([
    ['symbol', 1000],
    ['prize', 10],
  ]);
  expect(log.examples.map(({ code, place }) => `${code} ${place.ticket ?? ''}`)).toEqual([
    'symbol 1',
    'symbol 2',
    'symbol 3',
    'symbol 4',
    'symbol 5',
    'prize 100',
    'prize 200',
    'prize 300',
    'prize 400',
    'prize 500',
  ]);
});

test('a log takes over what another has collected, as if it had been added one by one', () => {
  const [one, other, whole] = [new FindingLog(), new FindingLog(), new FindingLog()];
  for (let ticket = 1; ticket <= 20; ticket += 1) {
    const log = ticket <= 3 ? one : other;
    for (const code of ticket % 2 === 0 ? (['symbol'] as const) : (['symbol', 'prize'] as const)) {
      log.add(finding(code, ticket));
      whole.add(finding(code, ticket));
    }
  }
  one.addAll(other);
  expect([one.total, [...one.counts], one.examples]).toEqual([
    whole.total,
    [...whole.counts],
    whole.examples,
  ]);
});

test('an empty log has nothing', () => {
  const log = new FindingLog();
  expect([log.total, log.counts.size, log.examples]).toEqual([0, 0, []]);
});

test('every code of a finding is listed once', () => {
  const codes = [
    ...FINDING_CODES,
    ...SEED_FINDING_CODES,
    ...SIGNATURE_FINDING_CODES,
    ...SALE_FINDING_CODES,
  ];
  expect(new Set(codes).size).toBe(codes.length);
});
