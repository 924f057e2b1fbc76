import { describe, expect, test } from '@jest/globals';
import { defined } from '../core/assert.js';
import { ROW_BYTES } from '../core/row-text.js';
import type { Game } from '../definitions/game.js';
import type { MechanicRules, Outcome, TierLaw } from '../definitions/outcome-law.js';
import type { Synthesizer } from '../engine/synthesizer.js';
import { makeSymbolAudit } from '../verify/audit/symbol-audits.js';
import type { Evaluation, Evaluator } from '../verify/evaluator.js';
import { CONTRACT } from './mechanic-contract.js';
import { MechanicLab, registeredParts, streamOf, type MechanicParts } from './mechanic-parts.js';
import { sampleRowsGame } from './sample-definitions.js';
import { sampleRequest } from './sample-requests.js';

const { game } = sampleRequest('eldorado-mini');
const stake = defined(game.stakes[0], 'a stake');
const right = registeredParts(game, stake);

/** The rules with another law. */
function rulesWith(change: (tier: TierLaw, index: number) => TierLaw): Partial<MechanicParts> {
  const rules: MechanicRules = {
    ...right.rules,
    outcomeLaw: (...input) => right.rules.outcomeLaw(...input).map(change),
  };
  return { rules };
}

/** The rules with other outcomes. */
function outcomesWith(change: (outcome: Outcome) => Outcome): Partial<MechanicParts> {
  return rulesWith((tier) => ({
    ...tier,
    features: tier.features.map((feature) => ({
      ...feature,
      outcomes: feature.outcomes.map((item) => ({ ...item, outcome: change(item.outcome) })),
    })),
  }));
}

/** A synthesizer that does something else around the right one. */
function synthesizerWith(
  change: (inner: Synthesizer, outcomes: readonly Outcome[]) => Synthesizer['draw'],
): Partial<MechanicParts> {
  return {
    makeSynthesizer: (outcomes) => ({ draw: change(right.makeSynthesizer(outcomes), outcomes) }),
  };
}

/** An evaluator whose paths agree, and which lets some faults pass. */
function laxEvaluator(passes: (code: string) => boolean): Partial<MechanicParts> {
  const makeEvaluator = (): Evaluator => {
    const inner = right.makeEvaluator();
    const evaluations: Evaluation[] = [];
    const explain: Evaluator['explain'] = (grids) => {
      const { faults, evaluation } = inner.explain(grids);
      return { faults: faults.filter(({ code }) => !passes(code)), evaluation };
    };
    return {
      evaluations,
      explain,
      evaluate({ view }, { rowStarts, gridCount }) {
        const { rows, columns } = game.grid;
        const row = (index: number): string => {
          const bytes = Array.from({ length: columns }, (_, column) =>
            view.getUint8((rowStarts[index] ?? 0) + column),
          );
          return String.fromCharCode(...bytes);
        };
        const grids = Array.from({ length: gridCount }, (_, grid) =>
          Array.from({ length: rows }, (_row, index) => row(grid * rows + index)),
        );
        const { faults, evaluation } = explain(grids);
        return faults.length > 0 ? -1 : evaluations.push(evaluation) - 1;
      },
    };
  };
  return { makeEvaluator };
}

/** A picture that changes what the right one draws. */
function pictureWith(
  change: (grid: ReturnType<MechanicParts['drawGrids']>[number]) => typeof grid,
): Partial<MechanicParts> {
  return { drawGrids: (grids, context) => right.drawGrids(grids, context).map(change) };
}

/** A game whose policy is another, but whose outcomes are the same. */
const otherPolicy: Game = sampleRowsGame('eldorado-mini', [
  '/policy/extra_stages/2/vectors/0/weight',
  9,
]);

/** What is broken, the part that is, and the check that must find it. */
const DEFECTS: readonly (readonly [string, Partial<MechanicParts>, string])[] = [
  [
    'rules that object to the game',
    {
      rules: { ...right.rules, check: () => [{ pointer: '/grid', found: '1', expected: '2' }] },
    },
    'its rules find nothing wrong with the game',
  ],
  [
    'a law that moves a ticket to another tier',
    rulesWith((tier, index) => ({ ...tier, count: tier.count + ([1, -1][index] ?? 0) })),
    'its law covers the whole block, tier by tier, and tells all outcomes apart',
  ],
  [
    'a law with two outcomes that look the same',
    outcomesWith((outcome) => ({ ...outcome, feature: 0 })),
    'its law covers the whole block, tier by tier, and tells all outcomes apart',
  ],
  [
    'outcomes that say they are made of something else',
    outcomesWith((outcome) => ({ ...outcome, combination: outcome.combination.toLowerCase() })),
    'its outcomes stand in their tiers, with their features, and pay what they are made of',
  ],
  [
    'a law that forgets a losing ticket',
    rulesWith((tier) => ({ ...tier, count: tier.count - (tier.prizeCents === 0 ? 1 : 0) })),
    'its quotas add up to the block for any seed',
  ],
  [
    'a synthesizer that writes a symbol over the first cell',
    synthesizerWith((inner) => (outcomes, stream, rows) => {
      const end = inner.draw(outcomes, stream, rows);
      new Uint8Array(rows.buffer)[0] = defined(game.symbols[0], 'a symbol').code.charCodeAt(0);
      return end;
    }),
    'its synthesizer makes of every outcome what its evaluator recognises',
  ],
  [
    'a synthesizer that writes a row too many',
    synthesizerWith((inner) => (outcomes, stream, rows) => {
      const end = inner.draw(outcomes, stream, rows);
      rows[end] = 0;
      return end;
    }),
    'its synthesizer writes the rows of its tickets, says how many, and no more',
  ],
  [
    'a synthesizer that counts wrong',
    synthesizerWith((inner) => (outcomes, stream, rows) => inner.draw(outcomes, stream, rows) - 1),
    'its synthesizer writes the rows of its tickets, says how many, and no more',
  ],
  [
    'a synthesizer that draws out of a stream of its own',
    synthesizerWith((inner) => {
      const own = streamOf(1);
      return (outcomes, _stream, rows) => inner.draw(outcomes, own, rows);
    }),
    'the same stream gives the same rows, whatever was drawn before',
  ],
  [
    'a synthesizer that draws no symbol by chance',
    synthesizerWith(
      (inner) => (outcomes, _stream, rows) => inner.draw(outcomes, streamOf(1), rows),
    ),
    'the same stream gives the same rows, whatever was drawn before',
  ],
  [
    'a careful judgement that finds no fault',
    {
      makeEvaluator: () => {
        const inner = right.makeEvaluator();
        return {
          evaluations: inner.evaluations,
          evaluate: (window, record) => inner.evaluate(window, record),
          explain: (grids) => ({ ...inner.explain(grids), faults: [] }),
        };
      },
    },
    'both paths of its evaluator agree, on right tickets and on altered ones',
  ],
  [
    'an evaluator that does not count stages',
    laxEvaluator((code) => ['stage-count', 'stage-reachability', 'extra-vector'].includes(code)),
    'its evaluator refuses a ticket with a grid more or less at its end, on both paths',
  ],
  [
    'an evaluator that knows all letters',
    laxEvaluator((code) => code === 'symbol'),
    'its evaluator refuses letters that the game does not have, on both paths',
  ],
  [
    'a picture that leaves out a win',
    pictureWith((grid) => ({ ...grid, wins: grid.wins.slice(1) })),
    'its picture shows every cell, and wins what the evaluator says',
  ],
  [
    'a picture that marks a cell too many',
    pictureWith((grid) => ({
      ...grid,
      rows: grid.rows.map((row) => row.map((cell) => ({ ...cell, isWinning: true }))),
    })),
    'its picture shows every cell, and wins what the evaluator says',
  ],
  [
    'a picture with its rows upside down',
    pictureWith((grid) => ({
      ...grid,
      rows: grid.rows.toReversed(),
      rowWins: grid.rowWins.toReversed(),
      wins: grid.wins.toReversed(),
    })),
    'its picture shows every cell, and wins what the evaluator says',
  ],
  [
    'a picture that takes every ticket for a right one',
    {
      drawGrids: (grids, context) => {
        expect(right.makeEvaluator().explain(grids).faults).toEqual([]);
        return right.drawGrids(grids, context);
      },
    },
    'its picture draws tickets that are against the rules, too',
  ],
  [
    'a synthesizer that sorts the rows of a grid',
    synthesizerWith((inner) => (outcomes, stream, rows) => {
      const end = inner.draw(outcomes, stream, rows);
      const bytes = Buffer.from(rows.buffer, rows.byteOffset, end * ROW_BYTES);
      for (let row = 0; row < end; row += game.grid.rows) {
        const grid = Array.from({ length: game.grid.rows }, (_, index) =>
          bytes.toString('latin1', (row + index) * ROW_BYTES, (row + index + 1) * ROW_BYTES),
        ).sort();
        bytes.write(grid.join(''), row * ROW_BYTES, 'latin1');
      }
      return end;
    }),
    'its symbols are drawn by the law that its audit holds them against',
  ],
  [
    'an audit by the law of another policy',
    { makeAudit: () => makeSymbolAudit(otherPolicy, stake) },
    'its symbols are drawn by the law that its audit holds them against',
  ],
];

/** Runs one check of the contract on the right parts, or on others in their place. */
async function runCheck(title: string, changes: Partial<MechanicParts> = {}): Promise<void> {
  const { check } = defined(
    CONTRACT.find((candidate) => candidate.title === title),
    `the check "${title}"`,
  );
  await check(new MechanicLab(game, stake, { ...right, ...changes }));
}

describe('the contract of mechanics', () => {
  test('has a defect that it finds for each of its checks', () => {
    const titles = DEFECTS.map(([, , title]) => title);
    expect(new Set(titles)).toEqual(new Set(CONTRACT.map(({ title }) => title)));
  });

  test.each(DEFECTS)('finds %s', async (_, changes, title) => {
    await expect(runCheck(title, changes)).rejects.toThrow();
  });

  test.each(CONTRACT)('lets right parts pass: $title', async ({ title }) => {
    await expect(runCheck(title)).resolves.toBeUndefined();
  });
});
