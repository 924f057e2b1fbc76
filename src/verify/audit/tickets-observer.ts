import { assert, defined } from '../../core/assert.js';
import type { Game, Stake } from '../../definitions/game.js';
import { planOutcomes, rulesOf } from '../../definitions/mechanics.js';
import type { ReadTicket } from '../../formats/record-feed.js';
import type { Evaluation, Evaluator } from '../evaluator.js';
import { makeEvaluator } from '../evaluators.js';
import { evaluationKey } from '../tickets-judge.js';
import { TicketHash } from './ticket-hash.js';
import type { Observations, SymbolAudit, SymbolObserver, WinCount } from './observations.js';

/** Counts what the tests need while the tickets of a verified block go by. */
export class TicketsObserver {
  readonly #game: Game;
  readonly #evaluator: Evaluator;
  readonly #outcomes: Observations['outcomes'];
  readonly #outcomesByKey: ReadonlyMap<string, number>;
  /** By evaluation index of the evaluator: the index of the outcome. */
  readonly #outcomeOfEvaluation: number[] = [];
  readonly #outcomeOf: Uint16Array;
  readonly #fieldLengths = new Map<number, WinCount>();
  readonly #keys: Float64Array;
  readonly #rests: Uint32Array;
  readonly #hash: TicketHash;
  readonly #symbols: SymbolObserver;
  #count = 0;

  constructor(input: { readonly game: Game; readonly stake: Stake; readonly audit: SymbolAudit }) {
    const { game, stake, audit } = input;
    this.#game = game;
    this.#evaluator = makeEvaluator(game, stake);
    this.#outcomes = planOutcomes(game, stake).outcomes;
    this.#outcomesByKey = new Map(
      this.#outcomes.map((outcome, index) => [evaluationKey(outcome), index]),
    );
    this.#outcomeOf = new Uint16Array(game.blockSize);
    this.#keys = new Float64Array(game.blockSize);
    this.#rests = new Uint32Array(game.blockSize);
    this.#hash = new TicketHash(game.grid.columns);
    this.#symbols = audit.observer();
  }

  /** Takes the next ticket; tickets come in the order of their numbers. */
  take({ window, record, end }: ReadTicket): void {
    const ticket = this.#count;
    assert(
      record.ticket === ticket + 1,
      () => `ticket ${record.ticket} came as number ${ticket + 1}`,
    );
    const evaluation = this.#evaluator.evaluate(window, record);
    const outcome = (this.#outcomeOfEvaluation[evaluation] ??= this.#outcomeIndex(
      this.#evaluator.evaluations[evaluation],
    ));
    this.#outcomeOf[ticket] = outcome;
    this.#countField(end - (record.rowStarts[0] ?? 0), record.prizeCents > 0);
    this.#hash.take(window.view, record.rowStarts, record.gridCount * this.#game.grid.rows);
    this.#keys[ticket] = this.#hash.key;
    this.#rests[ticket] = this.#hash.rest;
    this.#symbols.take(window, record, outcome);
    this.#count += 1;
  }

  /** All that was counted, once the last ticket has been taken. */
  finish(): Observations {
    assert(this.#count === this.#outcomeOf.length, () => `only ${this.#count} tickets came`);
    return {
      outcomes: this.#outcomes,
      featureName: rulesOf(this.#game).featureName,
      outcomeOf: this.#outcomeOf,
      fieldLengths: this.#fieldLengths,
      fingerprints: { keys: this.#keys, rests: this.#rests },
      symbols: this.#symbols,
    };
  }

  #outcomeIndex(evaluation: Evaluation | undefined): number {
    const known = defined(evaluation, 'the evaluation of a verified ticket');
    return defined(this.#outcomesByKey.get(evaluationKey(known)), 'the outcome of a ticket');
  }

  #countField(length: number, isWinner: boolean): void {
    let count = this.#fieldLengths.get(length);
    if (count === undefined) {
      count = { tickets: 0, winners: 0 };
      this.#fieldLengths.set(length, count);
    }
    count.tickets += 1;
    if (isWinner) count.winners += 1;
  }
}
