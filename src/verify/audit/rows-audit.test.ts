import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { planBlock } from '../../block/plan-block.js';
import { ROW_BYTES } from '../../core/row-text.js';
import type { TicketChunk } from '../../core/ticket-chunk.js';
import type { RowsGame } from '../../definitions/game.js';
import { observePlanned } from '../../testing/observe-planned.js';
import { sampleRequest } from '../../testing/sample-requests.js';
import type { CountsEvidence, Measurement } from './evidence.js';
import { makeSymbolAudit } from './symbol-audits.js';

const planned = await planBlock(sampleRequest('eldorado-mini'));
const { game, stake } = planned;
const firstLetters = new Map<string, number>();
const observations = observePlanned(planned, makeSymbolAudit(game, stake), {
  alter: countFirstLetters,
});
const measured = observations.symbols.measure();

const tickets = observations.outcomeOf.length;

/** Counts the letters in the first cell of every ticket of a chunk, straight from its bytes. */
function countFirstLetters({ outcomes, rows }: TicketChunk): void {
  const bytes = new Uint8Array(rows.buffer);
  let row = 0;
  for (const outcome of outcomes) {
    const letter = String.fromCharCode(bytes[row * ROW_BYTES] ?? 0);
    firstLetters.set(letter, (firstLetters.get(letter) ?? 0) + 1);
    row += (planned.plan.outcomes[outcome]?.gridCount ?? 0) * game.grid.rows;
  }
}

function evidenceOf(name: string): Measurement['evidence'] {
  const found = measured.find((measurement) => measurement.name === name);
  return defined(found, `the test "${name}"`).evidence;
}

function totalsOf(name: string): { readonly observed: number; readonly expected: number } {
  const { strata } = evidenceOf(name) as CountsEvidence;
  const sum = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((total, value) => total + value, 0);
  const all = [...strata.values()];
  return {
    observed: sum(all.map(({ observed }) => sum(observed))),
    expected: sum(all.map(({ expected }) => sum(expected))),
  };
}

describe('the symbols of the rows mechanic', () => {
  test('are measured by tests with names of their own', () => {
    const names = measured.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('are expected as often as they are observed, in every table', () => {
    for (const { name, evidence } of measured) {
      if (evidence.kind !== 'counts') continue;
      const { observed, expected } = totalsOf(name);
      expect({ name, expected: expected.toFixed(6) }).toEqual({
        name,
        expected: observed.toFixed(6),
      });
    }
  });

  test('are all counted: every winning row, every EXTRA symbol, every vector', () => {
    const outcomes = Array.from(observations.outcomeOf, (index) =>
      defined(observations.outcomes[index], 'an outcome'),
    );
    const winning = outcomes.filter(({ prizeCents }) => prizeCents > 0);
    const single = winning.filter(({ composition }) => composition.length === 1).length;
    expect(totalsOf('places of single winning rows').observed).toBe(single);
    expect(
      totalsOf('EXTRA symbols in each grid of winning tickets').observed +
        totalsOf('EXTRA symbols in each grid of losing tickets').observed,
    ).toBe(tickets);
    const stages = totalsOf('win rate by EXTRA stages');
    expect(stages.observed).toBe(winning.length);
  });

  test('are told apart by where they are', () => {
    const cell = evidenceOf('cell 1.1 in the main grid of all tickets');
    if (cell.kind !== 'vector') throw new Error('cells are sums');
    game.symbols.forEach(({ code }, symbol) => {
      expect(cell.observed[symbol]).toBe(firstLetters.get(code));
    });
    expect(Array.from(cell.observed).reduce((sum, count) => sum + count)).toBe(tickets);
  });

  test('of tickets that may be the same are sorted by outcome and vector', () => {
    const classes = observations.symbols.collisionClasses();
    expect(classes.reduce((sum, { tickets: own }) => sum + own, 0)).toBe(tickets);
    const keys = classes.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(classes.every(({ chance }) => chance > 0 && chance < 1)).toBe(true);
  });

  test('have a law for every stage of the game', () => {
    const { policy } = game as RowsGame;
    const { strata } = evidenceOf('EXTRA symbols in each grid of losing tickets') as CountsEvidence;
    expect([...strata.keys()]).toEqual(policy.extraStages.map(({ stages }) => String(stages)));
  });
});

test('a game without EXTRA symbols is measured as well', async () => {
  const plain = await planBlock(sampleRequest('rows-plain'));
  const audit = makeSymbolAudit(plain.game, plain.stake);
  const names = observePlanned(plain, audit)
    .symbols.measure()
    .map(({ name }) => name);
  expect(names).toContain('near wins in the main grid of losing tickets');
});
