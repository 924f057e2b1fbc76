import type { Game, Stake } from '../definitions/game.js';
import { featureWords } from '../definitions/features.js';
import { planOutcomes, rulesOf } from '../definitions/mechanics.js';
import type { ByteWindow, DecodedRecord } from '../formats/record-decoder.js';
import { printable } from '../core/errors.js';
import { formatCount } from '../core/money.js';
import type { LooseRecord } from './careful-reader.js';
import type { Evaluation, Evaluator, Fault } from './evaluator.js';
import { makeEvaluator } from './evaluators.js';
import type { FindingCode, FindingLog, FindingPlace } from './finding.js';
import { shapeFaults } from './grid-shape.js';
import { TicketNumbers } from './ticket-numbers.js';

/** How many tickets of a file have one evaluation. */
export interface Tally extends Evaluation {
  readonly count: number;
}

/** A kind of ticket that was met: what it amounts to, and how often it came. */
interface Kind {
  readonly evaluation: Evaluation;
  readonly combinationBytes: Uint8Array;
  /** Whether the definition's law has such an outcome. */
  readonly isLawful: boolean;
  count: number;
}

/** Tells evaluations apart. */
export function evaluationKey({ prizeCents, combination, feature }: Evaluation): string {
  return `${prizeCents}|${combination}|${feature}`;
}

/**
 * Holds tickets against the rules: their numbers, their symbols, and what they say of themselves.
 * Right tickets go through {@link takeRight}; all others through {@link takeLoose}, which explains.
 */
export class TicketsJudge {
  readonly #game: Game;
  readonly #log: FindingLog;
  readonly #evaluator: Evaluator;
  readonly #numbers: TicketNumbers;
  readonly #lawfulKeys: ReadonlySet<string>;
  readonly #tierPrizes: ReadonlySet<number>;
  /** By evaluation index of the evaluator. */
  readonly #kinds: Kind[] = [];
  readonly #kindsByKey = new Map<string, Kind>();

  constructor(input: { readonly game: Game; readonly stake: Stake; readonly log: FindingLog }) {
    const { game, stake, log } = input;
    this.#game = game;
    this.#log = log;
    this.#evaluator = makeEvaluator(game, stake);
    this.#numbers = new TicketNumbers(game.blockSize);
    this.#lawfulKeys = new Set(planOutcomes(game, stake).outcomes.map(evaluationKey));
    this.#tierPrizes = new Set([0, ...stake.tiers.map(({ prizeCents }) => prizeCents)]);
  }

  /**
   * Judges a record that is right to the byte, by tables.
   *
   * @returns Whether nothing at all is wrong with it. If so it is counted; if not, nothing happened.
   */
  takeRight(window: ByteWindow, record: DecodedRecord): boolean {
    if (!this.#numbers.isDue(record.ticket)) return false;
    const index = this.#evaluator.evaluate(window, record);
    if (index < 0) return false;
    const kind = (this.#kinds[index] ??= this.#kindOf(this.#evaluator.evaluations[index]));
    if (!kind.isLawful || record.prizeCents !== kind.evaluation.prizeCents) return false;
    if (!hasCombination(window.bytes, record, kind.combinationBytes)) return false;
    this.#numbers.take(record.ticket);
    kind.count += 1;
    return true;
  }

  /** Judges a record as far as it could be read, and logs all that is wrong with it. */
  takeLoose(record: LooseRecord, place: FindingPlace): void {
    const at = { ...place, ticket: record.ticket };
    this.#judgeNumber(record.ticket, at);
    const misshapen = shapeFaults(this.#game.grid, record.grids);
    for (const fault of misshapen) this.#addFault(fault, at);
    if (misshapen.length > 0) return;
    const { faults, evaluation } = this.#evaluator.explain(record.grids);
    for (const fault of faults) this.#addFault(fault, at);
    this.#judgeClaims(record, evaluation, at);
    if (faults.length === 0) this.#judgeLawfulness(evaluation, at);
    this.#kindOf(evaluation).count += 1;
  }

  /** Takes a line out of which no ticket could be read. */
  takeUnreadable(): void {
    this.#numbers.takeUnreadable();
  }

  /** Logs the numbers that never came. */
  finish(file: string): void {
    for (const [first, last] of this.#numbers.missing()) {
      const expected =
        first === last
          ? `ticket ${first}`
          : `tickets ${first} to ${last} (${formatCount(last - first + 1)})`;
      const place = { file, ticket: first };
      this.#log.add({ code: 'ticket-missing', place, expected, found: 'none' });
    }
  }

  /** What was counted so far. */
  get tallies(): readonly Tally[] {
    return [...this.#kindsByKey.values()]
      .filter(({ count }) => count > 0)
      .map(({ evaluation, count }) => ({ ...evaluation, count }));
  }

  #kindOf(evaluation: Evaluation | undefined): Kind {
    const known = evaluation ?? { prizeCents: 0, combination: '', feature: -1 };
    const key = evaluationKey(known);
    let kind = this.#kindsByKey.get(key);
    if (kind === undefined) {
      const combinationBytes = Buffer.from(known.combination, 'ascii');
      const isLawful = this.#lawfulKeys.has(key);
      kind = { evaluation: known, combinationBytes, isLawful, count: 0 };
      this.#kindsByKey.set(key, kind);
    }
    return kind;
  }

  #judgeNumber(ticket: number, place: FindingPlace): void {
    const expected = this.#numbers.next;
    const code = this.#numbers.take(ticket);
    if (code === undefined) return;
    const words: Partial<Record<FindingCode, string>> = {
      'ticket-range': `1 to ${this.#game.blockSize}`,
      'ticket-repeated': 'each ticket once',
    };
    this.#add(code, place, words[code] ?? `ticket ${expected}`, `ticket ${ticket}`);
  }

  #judgeClaims(record: LooseRecord, evaluation: Evaluation, place: FindingPlace): void {
    const { prizeCents, combination } = evaluation;
    if (record.prizeCents !== prizeCents) {
      this.#add('prize', place, `${prizeCents} cents by its symbols`, `${record.prizeCents} cents`);
    }
    if (record.combination !== combination) {
      this.#add('combination', place, `"${combination}" by its symbols`, `"${record.combination}"`);
    }
  }

  #judgeLawfulness(evaluation: Evaluation, place: FindingPlace): void {
    const { prizeCents, combination, feature } = evaluation;
    if (!this.#tierPrizes.has(prizeCents)) {
      const expected = `0 or one of ${[...this.#tierPrizes].slice(1).join(', ')} cents`;
      this.#add('prize-tier', place, expected, `${prizeCents} cents`);
    } else if (!this.#lawfulKeys.has(evaluationKey(evaluation))) {
      const expected = "an outcome of the definition's law";
      const having = featureWords(rulesOf(this.#game).featureName, feature);
      const found = `${prizeCents} cents by "${combination}" with ${having}`;
      this.#add('outcome-excluded', place, expected, found);
    }
  }

  #addFault({ code, grid, row, expected, found }: Fault, place: FindingPlace): void {
    const inTicket = {
      ...(grid === undefined ? {} : { grid }),
      ...(row === undefined ? {} : { row }),
    };
    this.#add(code, { ...place, ...inTicket }, expected, found);
  }

  #add(code: FindingCode, place: FindingPlace, expected: string, found: string): void {
    this.#log.add({ code, place, expected, found: printable(found, 120) });
  }
}

function hasCombination(bytes: Uint8Array, record: DecodedRecord, expected: Uint8Array): boolean {
  const { combinationStart, combinationEnd } = record;
  if (combinationEnd - combinationStart !== expected.length) return false;
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[combinationStart + index] !== expected[index]) return false;
  }
  return true;
}
