import { assert, defined } from '../../core/assert.js';
import type { ExtraVector, RowsGame } from '../../definitions/game.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import type { RandomStream } from '../../engine/random-stream.js';
import { SubsetTables } from '../../engine/subsets.js';
import type { Synthesizer, SynthesizerInput } from '../../engine/synthesizer.js';
import { WeightedChoice } from '../../engine/weighted-choice.js';
import { LOSING_ROW, Placements } from './synthesizer-placements.js';
import { makeRowTables, type RowTables } from './synthesizer-row-tables.js';

/** The drawing part of the rows mechanic. */
export function rowsSynthesizer({ game, stake, outcomes }: SynthesizerInput): Synthesizer {
  assert(game.mechanic === 'rows', `the rows synthesizer was given a ${game.mechanic} game`);
  return new RowsSynthesizer({ game, stake, outcomes });
}

type RowsInput = SynthesizerInput & { readonly game: RowsGame };

/** The law of an outcome's EXTRA vectors, and the placements that each vector leaves to it. */
interface OutcomeTables {
  readonly vectors: readonly ExtraVector[];
  readonly vectorChoice: WeightedChoice;
  /** By vector; made when first needed. */
  readonly placements: Map<number, Placements>;
}

class RowsSynthesizer implements Synthesizer {
  readonly #input: RowsInput;
  readonly #tables: RowTables;
  readonly #outcomeTables: readonly OutcomeTables[];
  /** 1 for losing outcomes without an EXTRA stage: their rows come out of one table. */
  readonly #isPlain: Uint8Array;
  readonly #subsets = new SubsetTables();
  /** The EXTRA symbols of each row of the grid in hand. */
  readonly #extraOfRow: Uint8Array;
  /** The row of each of its cells that EXTRA symbols can take. */
  readonly #rowOfFreeCell: Uint8Array;

  constructor(input: RowsInput) {
    this.#input = input;
    this.#tables = makeRowTables(input.game, input.stake);
    this.#outcomeTables = input.outcomes.map((outcome) => makeOutcomeTables(input.game, outcome));
    this.#isPlain = Uint8Array.from(input.outcomes, ({ composition, feature }) =>
      composition.length === 0 && feature === 0 ? 1 : 0,
    );
    const { rows, columns } = input.game.grid;
    this.#extraOfRow = new Uint8Array(rows);
    this.#rowOfFreeCell = new Uint8Array(rows * columns);
  }

  draw(outcomes: Uint16Array, stream: RandomStream, rows: Float64Array): number {
    const losing = this.#rowTable(LOSING_ROW, 0);
    const rowsPerGrid = this.#input.game.grid.rows;
    let end = 0;
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- which makes an object for every ticket
    for (let ticket = 0; ticket < outcomes.length; ticket += 1) {
      const outcome = outcomes[ticket] ?? 0;
      if (this.#isPlain[outcome] === 1) {
        for (let row = 0; row < rowsPerGrid; row += 1) {
          rows[end + row] = losing[stream.uniform(losing.length)] ?? 0;
        }
        end += rowsPerGrid;
      } else {
        end = this.#drawTicket(outcome, stream, rows, end);
      }
    }
    return end;
  }

  /** Draws a ticket that wins or has EXTRA stages. Returns where its rows end. */
  #drawTicket(outcome: number, stream: RandomStream, rows: Float64Array, start: number): number {
    const tables = defined(this.#outcomeTables[outcome], 'the tables of an outcome');
    const vectorIndex = tables.vectorChoice.pick(stream);
    const { extra } = defined(tables.vectors[vectorIndex], 'an EXTRA vector');
    const placements = this.#placementsOf(outcome, vectorIndex);
    const lines = placements.at(stream.uniform(placements.count));
    const rowsPerGrid = this.#extraOfRow.length;
    for (let grid = 0; grid < extra.length; grid += 1) {
      const firstRow = grid * rowsPerGrid;
      this.#spreadExtra(extra[grid] ?? 0, lines, firstRow, stream);
      for (let row = 0; row < rowsPerGrid; row += 1) {
        const line = lines[firstRow + row] ?? LOSING_ROW;
        const table = this.#rowTable(line, this.#extraOfRow[row] ?? 0);
        rows[start + firstRow + row] = table[stream.uniform(table.length)] ?? 0;
      }
    }
    return start + extra.length * rowsPerGrid;
  }

  /**
   * Gives a grid's EXTRA symbols to its rows: a uniform subset of the cells that winning rows leave
   * free, counted row after row. Which cell of its row each takes is drawn with the row.
   */
  #spreadExtra(count: number, lines: Int8Array, firstRow: number, stream: RandomStream): void {
    const extraOfRow = this.#extraOfRow.fill(0);
    if (count === 0) return;
    const rowOfFreeCell = this.#rowOfFreeCell;
    let freeCells = 0;
    for (let row = 0; row < extraOfRow.length; row += 1) {
      const end = freeCells + this.#freeCells(lines[firstRow + row] ?? LOSING_ROW);
      for (; freeCells < end; freeCells += 1) rowOfFreeCell[freeCells] = row;
    }
    const subsets = this.#subsets.get(freeCells, count);
    const start = subsets.locate(stream.uniform(subsets.count));
    for (let index = start; index < start + count; index += 1) {
      const row = rowOfFreeCell[subsets.order[index] ?? 0] ?? 0;
      extraOfRow[row] = (extraOfRow[row] ?? 0) + 1;
    }
  }

  #freeCells(line: number): number {
    const { game, stake } = this.#input;
    return game.grid.columns - (stake.payTable[line]?.count ?? 0);
  }

  #rowTable(line: number, extraCount: number): Float64Array {
    const tables = line === LOSING_ROW ? this.#tables.losing : this.#tables.winning[line];
    return defined(tables?.[extraCount], 'a table of rows');
  }

  #placementsOf(outcome: number, vectorIndex: number): Placements {
    const tables = defined(this.#outcomeTables[outcome], 'the tables of an outcome');
    let placements = tables.placements.get(vectorIndex);
    if (placements === undefined) {
      const { composition } = defined(this.#input.outcomes[outcome], 'an outcome');
      const { extra } = defined(tables.vectors[vectorIndex], 'an EXTRA vector');
      const { stake, game } = this.#input;
      placements = new Placements({ stake, grid: game.grid, composition, extra });
      tables.placements.set(vectorIndex, placements);
    }
    return placements;
  }
}

function makeOutcomeTables(game: RowsGame, outcome: Outcome): OutcomeTables {
  const law = game.policy.extraStages.find(({ stages }) => stages === outcome.feature);
  const { vectors } = defined(law, `the law of ${outcome.feature} EXTRA stages`);
  const vectorChoice = new WeightedChoice(vectors.map(({ weight }) => BigInt(weight)));
  return { vectors, vectorChoice, placements: new Map() };
}
