import type { Dice } from './dice.js';
import type { Expected } from './judge.js';
import type { Need } from './needs.js';
import type { Ended } from './run-program.js';
import type { Place, Workbench } from './workbench.js';

/** One fault: where it strikes, and what is right afterwards. */
export interface FaultCase {
  /** Says enough to repeat it by hand. */
  readonly label: string;
  readonly expected: Expected;
  /** Runs the program and lets the fault strike. */
  readonly strike: (place: Place) => Promise<Struck>;
  /** Ends the fault, so that the program can be run again. */
  readonly heal?: (place: Place) => Promise<void>;
  /** Gives back what was taken from the machine; also where something else has failed. */
  readonly cleanUp?: (place: Place) => Promise<void>;
}

/** What a fault has led to. */
export interface Struck {
  readonly ended: readonly Ended[];
  /** Whether the fault met the program at work, and did not come too late. */
  readonly isMet: boolean;
  /** What is known only afterwards of what stood there before. */
  readonly before?: Expected['before'];
  /** What the fault itself finds wrong, beside what the judge does. */
  readonly problems?: readonly string[];
}

/** What a kind of fault is tried with. */
export interface Trial {
  readonly bench: Workbench;
  readonly dice: Dice;
  /** How many faults are wanted; sweeps over all that there are take as many as there are. */
  readonly count: number;
}

/** A kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** What happens, in a few words. */
  readonly what: string;
  /** What the machine must have for it. */
  readonly needs: readonly Need[];
  /** How many faults the whole campaign lets strike; `Infinity` for all places that there are. */
  readonly wholeCount: number;
  /** The same within `npm test`; 0 where it is left to the whole campaign. */
  readonly smallCount: number;
  /** Whether nothing else may run beside it. */
  readonly isAlone?: boolean;
  /** A job file of its own, given the project's folder; that of the small blocks where it is left out. */
  readonly jobs?: (root: string) => object;
  /** The output folder within the fault's own one, where that must be another. */
  readonly out?: string;
  readonly cases: (trial: Trial) => Promise<readonly FaultCase[]>;
}
