import type { PlannedBlock } from '../block/plan-block.js';
import { ROW_BYTES } from '../core/row-text.js';
import type { TicketChunk } from '../core/ticket-chunk.js';
import type { Outcome } from '../definitions/outcome-law.js';
import { expandOutcomes } from '../engine/quotas.js';
import type { RandomStream } from '../engine/random-stream.js';
import { shuffle } from '../engine/shuffle.js';
import type { DrawingFaults } from './observe-planned.js';
import { seededStream } from './random-streams.js';

/** A defect of a block: of its order, or of the drawing of its symbols. */
export interface PlantedDefect {
  readonly name: string;
  /** The block with another order of its outcomes. */
  readonly plan?: (planned: PlannedBlock, stream: RandomStream) => PlannedBlock;
  readonly faults?: (planned: PlannedBlock, stream: RandomStream) => DrawingFaults;
}

/** The block and its faults once a defect has been planted; the same each time. */
export function plant(
  planned: PlannedBlock,
  defect: PlantedDefect,
): { readonly planned: PlannedBlock; readonly faults: DrawingFaults } {
  const stream = seededStream(`defect ${defect.name} of block ${planned.identity.block}`);
  return {
    planned: defect.plan?.(planned, stream) ?? planned,
    faults: defect.faults?.(planned, stream) ?? {},
  };
}

type Reorder = (sorted: number[], stream: RandomStream, planned: PlannedBlock) => number[];

/** A defect of the shuffle, which starts from the outcomes in their order. */
function shuffleDefect(name: string, reorder: Reorder): PlantedDefect {
  return {
    name,
    plan: (planned, stream) => {
      const sorted = [...expandOutcomes(planned.quotas)];
      return { ...planned, order: Uint16Array.from(reorder(sorted, stream, planned)) };
    },
  };
}

/** Fisher and Yates with another choice of the partner. */
function shuffleBy(items: number[], partner: (position: number) => number, last = 0): number[] {
  for (let position = items.length - 1; position > last; position -= 1) {
    const other = partner(position);
    const moved = items[position] ?? 0;
    items[position] = items[other] ?? 0;
    items[other] = moved;
  }
  return items;
}

function isWinning({ plan }: PlannedBlock): (outcome: number | undefined) => boolean {
  return (outcome = 0) => (plan.outcomes[outcome]?.prizeCents ?? 0) > 0;
}

/** A sort whose comparator is a coin. */
export const COMPARATOR_SORT = shuffleDefect('comparator sort', (sorted, stream) =>
  sorted.sort(() => stream.uniform(2) - 0.5),
);

/** Draws of so many bits, modulo the bound: the first values come more often. */
export function moduloShuffle(bits: number): PlantedDefect {
  return shuffleDefect(`${bits}-bit modulo`, (sorted, stream) =>
    shuffleBy(sorted, (position) => (stream.nextWord() >>> (32 - bits)) % (position + 1)),
  );
}

/** Every ticket changes places with any other, and not only with those that are left. */
export const SWAP_WITH_ANY = shuffleDefect('swap with any index', (sorted, stream) =>
  shuffleBy(sorted, () => stream.uniform(sorted.length)),
);

/** No ticket may stay where it is: a single cycle. */
export const SATTOLO = shuffleDefect("Sattolo's variant", (sorted, stream) =>
  shuffleBy(sorted, (position) => stream.uniform(position)),
);

/** The shuffle ends at the middle of the block. */
export const HALF_SHUFFLE = shuffleDefect('half-finished shuffle', (sorted, stream) =>
  shuffleBy(sorted, (position) => stream.uniform(position + 1), Math.floor(sorted.length / 2)),
);

/** So many of a hundred winning tickets stay where they were before the shuffle. */
export function unscrambled(percent: number): PlantedDefect {
  return shuffleDefect(`${percent} % of winners not scrambled`, (sorted, stream, planned) => {
    const wins = isWinning(planned);
    const places = sorted.flatMap((outcome, place) =>
      wins(outcome) && stream.uniform(1000) < percent * 10 ? [] : [place],
    );
    const moved = places.map((place) => sorted[place] ?? 0);
    shuffle(moved, stream);
    places.forEach((place, index) => (sorted[place] = moved[index] ?? 0));
    return sorted;
  });
}

/** Every book of a thousand tickets (in small blocks, of a ninetieth) has its share of winning ones. */
export const BALANCED_BOOKS = shuffleDefect('balanced books', (sorted, stream, planned) => {
  const wins = isWinning(planned);
  const winning = sorted.filter(wins);
  const losing = sorted.filter((outcome) => !wins(outcome));
  shuffle(winning, stream);
  shuffle(losing, stream);
  const books = Math.max(90, Math.floor(sorted.length / 1000));
  const part = (items: number[], book: number): number[] =>
    items.slice(
      Math.floor((book * items.length) / books),
      Math.floor(((book + 1) * items.length) / books),
    );
  return Array.from({ length: books }, (_, book) => {
    const own = [...part(winning, book), ...part(losing, book)];
    shuffle(own, stream);
    return own;
  }).flat();
});

/** So many winning tickets in a hundred are moved beside another one. */
export function clusteredWinners(percent: number): PlantedDefect {
  return {
    name: `${percent} % of winners clustered`,
    plan: (planned, stream) => {
      const order = planned.order.slice();
      const wins = isWinning(planned);
      for (let place = 0; place + 1 < order.length; place += 1) {
        if (!wins(order[place]) || wins(order[place + 1])) continue;
        if (stream.uniform(1000) >= percent * 10) continue;
        let other = stream.uniform(order.length);
        while (!wins(order[other])) other = stream.uniform(order.length);
        swap(order, place + 1, other);
      }
      return { ...planned, order };
    },
  };
}

/** The top tiers never come in the first part of the block. */
export function neverEarly(part: number, tiers: number): PlantedDefect {
  return {
    name: `top tiers never in the first ${100 * part} %`,
    plan: (planned, stream) => {
      const order = planned.order.slice();
      const early = Math.floor(order.length * part);
      const prizes = planned.stake.tiers.slice(0, tiers).map(({ prizeCents }) => prizeCents);
      const isTop = (place: number): boolean =>
        prizes.includes(planned.plan.outcomes[order[place] ?? 0]?.prizeCents ?? 0);
      for (let place = 0; place < early; place += 1) {
        while (isTop(place)) swap(order, place, early + stream.uniform(order.length - early));
      }
      return { ...planned, order };
    },
  };
}

function swap(items: Uint16Array, first: number, second: number): void {
  const moved = items[first] ?? 0;
  items[first] = items[second] ?? 0;
  items[second] = moved;
}

/** No losing ticket has an EXTRA symbol any more. */
export const EXTRA_ON_WINNERS: PlantedDefect = {
  name: 'EXTRA only on winners',
  plan: (planned) => {
    const { outcomes } = planned.plan;
    const plain = outcomes.findIndex(
      ({ prizeCents, feature }) => prizeCents === 0 && feature === 0,
    );
    const order = planned.order.map((outcome) =>
      (outcomes[outcome]?.prizeCents ?? 0) === 0 ? plain : outcome,
    );
    return { ...planned, order };
  },
};

/** One chunk is drawn from the stream of another. */
export const REUSED_CHUNK: PlantedDefect = {
  name: 'a reused chunk',
  faults: () => ({ streamOf: (chunk) => (chunk === 1 ? 0 : chunk) }),
};

/** How a cell of the main grid's first row, or of the first choice's, is made to favour a letter. */
export interface CellBias {
  readonly name: string;
  /** So many of a hundred tickets are changed, where the rules let it. */
  readonly percent: number;
  readonly column: number;
  readonly letter: string;
  readonly isMeant?: (outcome: Outcome) => boolean;
}

/** A cell that has one letter too often; every ticket wins what it won before. */
export function biasedCell(bias: CellBias): PlantedDefect {
  const { name, percent, isMeant = () => true } = bias;
  return {
    name,
    faults: ({ game, plan, stake }) => {
      // Tickets that are due to be changed, and could not be yet.
      let due = 0;
      const change = game.mechanic === 'rows' ? setLetter : swapLetter;
      const alter = (chunk: TicketChunk): void =>
        eachTicket(chunk, plan.outcomes, game.grid.rows, (bytes, outcome) => {
          if (!isMeant(outcome)) return;
          due += percent / 100;
          if (due >= 1 && change(bytes, bias, { game, stake })) due -= 1;
        });
      return { alter };
    },
  };
}

type Change = (
  bytes: Uint8Array,
  bias: CellBias,
  where: Pick<PlannedBlock, 'game' | 'stake'>,
) => boolean;

/** Sets a letter of the first row if that loses before and after, and EXTRA symbols stay. */
const setLetter: Change = (bytes, { column, letter }, { game, stake }) => {
  const row = bytes.subarray(0, game.grid.columns);
  const before = row[column] ?? 0;
  const code = letter.charCodeAt(0);
  if (before === code || before === 'E'.charCodeAt(0) || wins(row, stake)) return false;
  row[column] = code;
  if (!wins(row, stake)) return true;
  row[column] = before;
  return false;
};

/** Moves a letter of the first grid into a cell of its first row, in exchange. */
const swapLetter: Change = (bytes, { column, letter }, { game }) => {
  const { rows, columns } = game.grid;
  const code = letter.charCodeAt(0);
  if (bytes[column] === code) return false;
  for (let cell = rows * columns - 1; cell >= 0; cell -= 1) {
    const at = Math.floor(cell / columns) * ROW_BYTES + (cell % columns);
    if (bytes[at] !== code) continue;
    bytes[at] = bytes[column] ?? 0;
    bytes[column] = code;
    return true;
  }
  return false;
};

function wins(row: Uint8Array, { payTable }: PlannedBlock['stake']): boolean {
  return payTable.some(({ symbol, count }) => {
    const code = symbol?.charCodeAt(0);
    return row.filter((letter) => letter === code).length === count;
  });
}

/** Calls back for every ticket of a chunk with the bytes of its rows. */
function eachTicket(
  { outcomes, rows }: TicketChunk,
  all: readonly Outcome[],
  rowsPerGrid: number,
  take: (bytes: Uint8Array, outcome: Outcome) => void,
): void {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  let start = 0;
  for (const index of outcomes) {
    const outcome = all[index];
    if (outcome === undefined) continue;
    const end = start + outcome.gridCount * rowsPerGrid * ROW_BYTES;
    take(bytes.subarray(start, end), outcome);
    start = end;
  }
}
