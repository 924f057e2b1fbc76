import { expect } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../core/assert.js';
import { judgeAll } from '../verify/audit/audit-blocks.js';
import { loadDistributions } from '../verify/audit/distributions.js';
import type { GridPicture } from '../view/grid-picture.js';
import type { ContractCheck, DrawnRecord, MechanicLab } from './mechanic-parts.js';

/** Tickets that the audit check reads: enough to tell a wrong law, few enough to be quick. */
const AUDITED_TICKETS = 12_000;

/** Outcomes that are pictured: all of most games. */
const PICTURED_OUTCOMES = 300;

/** The audit's own rate of false alarms; the seed is fixed, so a right mechanic passes always or never. */
const ALPHA = 1e-6;

/** The letters of a game, and one that it most often does not have. */
function lettersOf({ game }: MechanicLab): string {
  return [...game.symbols.map(({ code }) => code), 'Z'].join('');
}

/** One ticket drawn of any outcome, as its line. */
function anyLine(lab: MechanicLab): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.nat(lab.outcomes.length - 1), fc.nat())
    .map(([outcome, seed]) => lab.lines([outcome], seed));
}

/** Holds the evaluator's tables against its careful judgement of one line. */
function expectAgreement(lab: MechanicLab, line: Uint8Array): readonly unknown[] {
  const { evaluator } = lab;
  const { window, record, length } = lab.decode(line);
  expect(length).toBe(line.length);
  const { grids } = JSON.parse(Buffer.from(line).toString('latin1')) as DrawnRecord;
  const { faults, evaluation } = evaluator.explain(grids);
  const index = evaluator.evaluate(window, record);
  if (faults.length > 0) expect(index).toBe(-1);
  else expect(evaluator.evaluations[index]).toEqual(evaluation);
  return faults;
}

/** What the evaluator must keep. */
export const evaluatorChecks: readonly ContractCheck[] = [
  {
    title: 'both paths of its evaluator agree, on right tickets and on altered ones',
    check(lab) {
      const { game } = lab;
      const letters = lettersOf(lab);
      const alteration = fc.record({ at: fc.nat(), letter: fc.nat(letters.length - 1) });
      fc.assert(
        fc.property(anyLine(lab), fc.array(alteration, { maxLength: 3 }), (line, alterations) => {
          const { bytes, record, length } = lab.decode(line);
          const rowCount = record.gridCount * game.grid.rows;
          for (const { at, letter } of alterations) {
            const row = record.rowStarts[at % rowCount] ?? 0;
            bytes[row + (at % game.grid.columns)] = letters.charCodeAt(letter);
          }
          expectAgreement(lab, bytes.subarray(0, length));
        }),
        { numRuns: 300 },
      );
    },
  },
  {
    title: 'its evaluator refuses a ticket with a grid more or less at its end, on both paths',
    check(lab) {
      fc.assert(
        fc.property(anyLine(lab), fc.boolean(), (line, isMore) => {
          const record = JSON.parse(line.toString()) as DrawnRecord;
          const grids = isMore
            ? [...record.grids, ...record.grids.slice(-1)]
            : record.grids.slice(0, -1);
          if (grids.length === 0) return;
          const altered = Buffer.from(`${JSON.stringify({ ...record, grids })}\n`);
          expect(expectAgreement(lab, altered)).not.toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
  },
  {
    title: 'its evaluator refuses letters that the game does not have, on both paths',
    check(lab) {
      const foreign = defined(
        Array.from('ZYXWVUTSRQPONMLKJIHGFEDCBA').find(
          (letter) => !lab.game.symbols.some(({ code }) => code === letter),
        ) ?? '?',
        'a letter',
      );
      fc.assert(
        fc.property(anyLine(lab), fc.nat(), (line, at) => {
          const { bytes, record, length } = lab.decode(line);
          const row = record.rowStarts[at % (record.gridCount * lab.game.grid.rows)] ?? 0;
          bytes[row + (at % lab.game.grid.columns)] = foreign.charCodeAt(0);
          expect(expectAgreement(lab, bytes.subarray(0, length))).not.toEqual([]);
        }),
        { numRuns: 50 },
      );
    },
  },
];

/** What is won in the grids of a picture: in each grid alike where they are choices, else in all. */
function wonCents(grids: readonly GridPicture[]): readonly number[] {
  const won = grids.map(({ wins }) => wins.reduce((sum, { prizeCents }) => sum + prizeCents, 0));
  const areChoices = grids.every(({ role }) => role.kind === 'choice');
  return areChoices ? [...new Set(won)] : [won.reduce((sum, cents) => sum + cents, 0)];
}

/** A grid marks cells where it wins, and only there; what rows win is what the grid wins. */
function expectMarks({ rows, rowWins, wins }: GridPicture): void {
  const marks = rows.map((row) => row.some(({ isWinning }) => isWinning));
  expect(marks.includes(true)).toBe(wins.length > 0);
  if (rowWins.length === 0) return;
  expect(rowWins.filter((win) => win !== undefined)).toEqual(wins);
  expect(rowWins.map((win) => win !== undefined)).toEqual(marks);
}

/** What the picture must keep. */
export const pictureChecks: readonly ContractCheck[] = [
  {
    title: 'its picture shows every cell, and wins what the evaluator says',
    check(lab) {
      const { game, stake, outcomes, evaluator, parts } = lab;
      const names = new Map(game.symbols.map(({ code, id }) => [code, id]));
      const all = outcomes.map((_, index) => index).slice(0, PICTURED_OUTCOMES);
      for (const { grids } of lab.records(all, 1)) {
        const { evaluation } = evaluator.explain(grids);
        const pictures = parts.drawGrids(grids, { game, stake });
        const shown = pictures.map(({ rows }) =>
          rows.map((row) => row.map(({ code, name }) => `${code} ${name}`)),
        );
        const drawn = grids.map((rows) =>
          rows.map((row) => Array.from(row, (code) => `${code} ${names.get(code) ?? ''}`)),
        );
        expect(shown).toEqual(drawn);
        expect(wonCents(pictures)).toEqual([evaluation.prizeCents]);
        for (const picture of pictures) expectMarks(picture);
        const words = pictures.flatMap(({ wins }) =>
          wins.map(({ count, symbol }) => `${count}${symbol ?? ''}`),
        );
        const won = evaluation.combination.split('+').filter((word) => word !== '');
        expect(new Set(words)).toEqual(new Set(won));
      }
    },
  },
  {
    title: 'its picture draws tickets that are against the rules, too',
    check(lab) {
      const { game, stake, parts } = lab;
      const letters = lettersOf(lab);
      const row = fc
        .array(fc.constantFrom(...Array.from(letters)), {
          minLength: game.grid.columns,
          maxLength: game.grid.columns,
        })
        .map((cells) => cells.join(''));
      const grid = fc.array(row, { minLength: game.grid.rows, maxLength: game.grid.rows });
      fc.assert(
        fc.property(fc.array(grid, { minLength: 1, maxLength: 8 }), (grids) => {
          expect(parts.drawGrids(grids, { game, stake })).toHaveLength(grids.length);
        }),
        { numRuns: 50 },
      );
    },
  },
];

/** What the audit part must keep: it measures the symbols, by the law that the synthesizer draws from. */
export const auditChecks: readonly ContractCheck[] = [
  {
    title: 'its symbols are drawn by the law that its audit holds them against',
    isForOneStake: true,
    async check(lab) {
      const laws = await loadDistributions();
      const observer = lab.parts.makeAudit().observer();
      let tickets = 0;
      await lab.readPlanned(AUDITED_TICKETS, ({ window, record }, outcome) => {
        observer.take(window, record, outcome);
        tickets += 1;
      });
      const tests = judgeAll(observer.measure(), laws);
      expect(tests.length).toBeGreaterThan(0);
      const extreme = tests.filter(({ pValue }) => pValue <= ALPHA / tests.length);
      expect(extreme).toEqual([]);
      const classes = observer.collisionClasses();
      expect(
        classes.reduce((sum, { tickets: ofClass }) => sum + ofClass, 0),
      ).toBeGreaterThanOrEqual(tickets);
      for (const { chance } of classes) expect(chance > 0 && chance <= 1).toBe(true);
    },
  },
];
