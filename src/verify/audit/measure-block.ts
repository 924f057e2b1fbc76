import { measureDuplicates, sampleFingerprints, sortFingerprints } from './duplicates.js';
import type { Measurement } from './evidence.js';
import { measureGaps } from './measure-gaps.js';
import { measureOrder } from './measure-order.js';
import { measureSerial } from './measure-serial.js';
import { measureSorted } from './measure-sorted.js';
import type { CollisionClass, Fingerprints, Observations } from './observations.js';
import { classifyTickets } from './ticket-classes.js';
import { winRateEvidence } from './win-rate.js';
import { traceWinners, type WinnerTrace } from './winner-trace.js';

/** What an audit keeps of a block: the evidence for its tests, and what other blocks are held to. */
export interface MeasuredBlock {
  readonly measurements: readonly Measurement[];
  readonly trace: WinnerTrace;
  readonly sample: Fingerprints;
  readonly classes: readonly CollisionClass[];
}

/** Measures a block for every test. */
export function measureBlock(observations: Observations): MeasuredBlock {
  const { symbols, fieldLengths } = observations;
  const classes = classifyTickets(observations);
  const collisionClasses = symbols.collisionClasses();
  const sorted = sortFingerprints(observations, collisionClasses);
  const fields: Measurement = {
    name: 'win rate by length of the grids field',
    group: 'pick-out',
    evidence: winRateEvidence(
      [...fieldLengths].sort(([a], [b]) => a - b).map(([, count]) => count),
    ),
    isFixedByQuotas: true,
  };
  return {
    measurements: [
      ...measureOrder(classes),
      ...measureSerial(classes),
      ...measureSorted(observations),
      ...measureGaps(classes),
      ...symbols.measure(),
      fields,
      ...measureDuplicates(sorted),
    ],
    trace: traceWinners(classes.winning),
    sample: sampleFingerprints(sorted.rare),
    classes: sorted.rareClasses,
  };
}
