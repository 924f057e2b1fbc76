import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import { NAIVE_HEADERS, readNaively, type NaiveTicket } from './naive-records.js';

/** What the naive judge thinks of a tickets file. */
export interface NaiveVerdict {
  /** Whether the file could be a block of the game: nothing at all is wrong with it. */
  readonly isBlock: boolean;
  /** Tickets that are wrong by themselves, by the number that they state. */
  readonly wrongTickets: ReadonlySet<number>;
}

/** What a file is judged as. */
export interface NaiveContext {
  readonly game: Game;
  readonly stake: Stake;
  readonly format: TicketFormat;
}

/** What was found out about single lines; a line that comes again need not be judged again. */
export type LineMemo = Map<string, LineVerdict>;

interface LineVerdict {
  /** Undefined where the line is no record that is right to the byte. */
  readonly ticket: number | undefined;
  /** Undefined where the ticket is not right by itself. */
  readonly outcome: string | undefined;
}

/**
 * Judges a tickets file in the plainest way there is: line by line with `JSON.parse` or `split`, cell by
 * cell with strings, one rule after the other as the regulations tell them. It shares no code with the
 * verification, knows nothing of findings, and serves to say whether a broken block is still a block. The
 * weights of the outcomes are those of the definition's plan; that counts keep to them is worked out here.
 */
export function judgeNaively(
  bytes: Uint8Array,
  context: NaiveContext,
  memo: LineMemo,
): NaiveVerdict {
  const wrongTickets = new Set<number>();
  const found = new Map<string, number>();
  const text = Buffer.from(bytes).toString('latin1');
  const header = NAIVE_HEADERS[context.format];
  const hasHeader = text.startsWith(header);
  const lines = (hasHeader ? text.slice(header.length) : text).split('\n');
  let isBlock = hasHeader && lines.pop() === '' && lines.length === context.game.blockSize;
  lines.forEach((line, index) => {
    const { ticket, outcome } = memo.get(line) ?? judgeLine(line, context);
    if (ticket !== index + 1) isBlock = false;
    if (ticket === undefined) return;
    if (outcome === undefined) {
      wrongTickets.add(ticket);
      isBlock = false;
    } else {
      found.set(outcome, (found.get(outcome) ?? 0) + 1);
    }
  });
  return { isBlock: isBlock && keepsLaws(found, context), wrongTickets };
}

/**
 * Whether counts are those of a block: each tier's exactly (article 3), and within a tier each share of
 * its features, and of a feature's tickets each share of its outcomes, rounded up or down.
 */
function keepsLaws(
  found: ReadonlyMap<string, number>,
  { game, stake }: { readonly game: Game; readonly stake: Stake },
): boolean {
  let lawful = 0;
  for (const { count, features } of planOutcomes(game, stake).law) {
    let inTier = 0;
    const featureWeights = sum(features.map(({ weight }) => weight));
    for (const { weight, outcomes } of features) {
      const counts = outcomes.map(({ outcome }) => found.get(outcomeText(outcome)) ?? 0);
      const inFeature = sum(counts);
      if (!isRounded(inFeature, (count * weight) / featureWeights)) return false;
      const outcomeWeights = sum(outcomes.map((outcome) => outcome.weight));
      const areRounded = outcomes.every((outcome, index) =>
        isRounded(counts[index] ?? 0, (inFeature * outcome.weight) / outcomeWeights),
      );
      if (!areRounded) return false;
      inTier += inFeature;
    }
    if (inTier !== count) return false;
    lawful += inTier;
  }
  // No ticket has an outcome that no law knows.
  return lawful === sum([...found.values()]);
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

const isRounded = (count: number, share: number): boolean => Math.abs(count - share) < 1 - 1e-9;

const outcomeText = ({ prizeCents, combination, feature }: Worth): string =>
  `${prizeCents} ${combination} ${feature}`;

/** Judges every line of a right file, and keeps what it found out. */
export function memorize(bytes: Uint8Array, context: NaiveContext): LineMemo {
  const memo: LineMemo = new Map();
  const text = Buffer.from(bytes).toString('latin1').slice(NAIVE_HEADERS[context.format].length);
  for (const line of text.trimEnd().split('\n')) {
    const verdict = judgeLine(line, context);
    if (verdict.outcome === undefined) throw new Error(`not a right ticket: ${line}`);
    memo.set(line, verdict);
  }
  return memo;
}

function judgeLine(line: string, context: NaiveContext): LineVerdict {
  const ticket = readNaively(line, context.format);
  if (ticket === undefined) return { ticket: undefined, outcome: undefined };
  return { ticket: ticket.ticket, outcome: outcomeOf(ticket, context) };
}

/** The outcome of a ticket that is right by itself, as a text; `undefined` where it is not right. */
function outcomeOf(
  ticket: NaiveTicket,
  { game, stake }: { readonly game: Game; readonly stake: Stake },
): string | undefined {
  const { rows, columns } = game.grid;
  const letters = new Set(game.symbols.map(({ code }) => code));
  for (const grid of ticket.grids) {
    if (grid.length !== rows || grid.some((row) => row.length !== columns)) return undefined;
    for (const cell of grid.join('')) if (!letters.has(cell)) return undefined;
  }
  const worth =
    game.mechanic === 'rows'
      ? worthOfRows(ticket, game, stake)
      : worthOfChoices(ticket, game, stake);
  if (worth?.prizeCents !== ticket.prize_cents || worth.combination !== ticket.combination) {
    return undefined;
  }
  return outcomeText(worth);
}

interface Worth {
  readonly prizeCents: number;
  readonly combination: string;
  readonly feature: number;
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;

function worthOfRows({ grids }: NaiveTicket, game: Game, stake: Stake): Worth | undefined {
  const trigger = game.symbols.find(({ role }) => role === 'trigger')?.code;
  let extra = 0;
  const vector: number[] = [];
  for (const [stage, grid] of grids.entries()) {
    if (stage > extra) return undefined;
    vector.push(trigger === undefined ? 0 : count(grid.join(''), trigger));
    extra += vector.at(-1) ?? 0;
  }
  if (game.mechanic !== 'rows' || extra !== grids.length - 1) return undefined;
  const law = game.policy.extraStages.find(({ stages, weight }) => stages === extra && weight > 0);
  const isListed = law?.vectors.some(
    (item) => item.weight > 0 && item.extra.join() === vector.join(),
  );
  if (isListed !== true) return undefined;
  const won = stake.payTable.flatMap((line) =>
    grids
      .flat()
      .filter((row) => count(row, line.symbol ?? '?') === line.count)
      .map(() => line),
  );
  return {
    prizeCents: won.reduce((sum, line) => sum + line.prizeCents, 0),
    combination: won.map((line) => `${line.count}${line.symbol ?? ''}`).join('+'),
    feature: extra,
  };
}

function worthOfChoices({ grids }: NaiveTicket, game: Game, stake: Stake): Worth | undefined {
  if (game.mechanic !== 'collect') return undefined;
  const choices = game.symbols.filter(({ role }) => role === 'play');
  if (grids.length !== choices.length) return undefined;
  const counts = new Set<number>();
  for (const [choice, grid] of grids.entries()) {
    const cells = grid.join('');
    for (const { code, role } of game.symbols) {
      const found = count(cells, code);
      const cap = role === 'play' ? game.policy.unchosenCap : game.policy.neutralCap;
      if (code === choices[choice]?.code) counts.add(found);
      else if (cap !== null && found > cap) return undefined;
    }
  }
  const [chosen = -1, ...others] = counts;
  const line = stake.payTable.find((candidate) => candidate.count === chosen);
  const mayLose = game.policy.losingCounts.some((law) => law.chosen === chosen && law.weight > 0);
  if (others.length > 0 || (line === undefined && !mayLose)) return undefined;
  return {
    prizeCents: line?.prizeCents ?? 0,
    combination: line === undefined ? '' : String(chosen),
    feature: chosen,
  };
}
