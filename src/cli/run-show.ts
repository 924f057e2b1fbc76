import { drawTickets } from '../block/draw-ticket.js';
import { planBlock } from '../block/plan-block.js';
import type { EngineId } from '../core/algorithm.js';
import { checkTicket } from '../core/check-ticket.js';
import { InputError, printable } from '../core/errors.js';
import { loadDefinitionFile } from '../definitions/load-game.js';
import { openBlockTickets, type TicketSource } from '../view/block-tickets.js';
import { checkPrize, chooseTickets, prizeOfTier } from '../view/choose-tickets.js';
import type { LanguageId } from '../view/language.js';
import { pictureText } from '../view/picture-text.js';
import { ticketPictures, type TicketPicture } from '../view/ticket-picture.js';
import { pc } from './colors.js';
import { chosenGame } from './chosen-game.js';
import { readIdentities } from './identity-input.js';
import { findSeed } from './seed-input.js';
import { processTerminal, type Terminal } from './terminal.js';

/** The options of `show`. */
export interface ShowFlags {
  readonly game?: string;
  readonly definition?: string;
  readonly identity?: readonly string[];
  readonly stake?: number;
  readonly seed?: string;
  readonly seedFile?: readonly string[];
  readonly emission: number;
  readonly block: number;
  readonly engine: EngineId;
  readonly ticket?: readonly number[];
  readonly prize?: number;
  readonly tier?: number;
  readonly losing?: boolean;
  readonly random?: boolean;
  readonly count?: number;
  readonly choice?: string;
  readonly lang: LanguageId;
  readonly json?: boolean;
}

/** The columns of a terminal that does not tell. */
const USUAL_WIDTH = 80;

/** What only the making of a ticket from its seed asks for: a block's files say it themselves. */
const SEED_OPTIONS = [
  '--seed',
  '--seed-file',
  '--game',
  '--stake',
  '--emission',
  '--block',
  '--engine',
];

/** Cyan and yellow are told apart by everyone; what wins is framed and bold besides. */
const STYLE = {
  title: pc.bold,
  win: (text: string) => pc.bold(pc.cyan(text)),
  trigger: pc.yellow,
};

/**
 * Shows tickets of a block: out of its files where a path is given, else made again from the seed.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @param given - The options that stand on the command line.
 */
export async function runShow(
  path: string | undefined,
  flags: ShowFlags,
  given: readonly string[],
): Promise<void> {
  const terminal = processTerminal({});
  refuseContradictions(flags);
  const source =
    path === undefined
      ? await seedTickets(flags, terminal)
      : await openBlock(path, flags, { given, terminal });
  const choice = chosenGrid(source, flags);
  const numbers = await wishedTickets(source, flags);
  const records = await source.records(numbers);
  if (records.length === 0) throw new InputError('usage', 'the block has no such ticket');
  if (flags.json === true) {
    terminal.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return;
  }
  const pictures = ticketPictures(records, source).map((picture) =>
    choice === undefined ? picture : withOnly(picture, choice),
  );
  const { name } = source;
  const width = (process.stdout.isTTY && process.stdout.columns) || USUAL_WIDTH;
  const options = { language: flags.lang, style: STYLE, width, blockName: name };
  terminal.write(pictures.map((picture) => pictureText(picture, options)).join('\n'));
}

function refuseContradictions(flags: ShowFlags): void {
  const { ticket, prize, tier, losing, random, count, choice, json } = flags;
  const ways = [
    ticket && '--ticket',
    prize === undefined ? undefined : '--prize',
    tier && '--tier',
    losing && '--losing',
  ].filter((name) => typeof name === 'string');
  const given = ticket && random ? ['--ticket', '--random'] : ways;
  if (given.length > 1) {
    const both = given.slice(0, 2).join(' and ');
    throw new InputError('usage', `${both} are both given; choose one`);
  }
  if (ticket && count !== undefined) {
    throw new InputError('usage', '--count is given and --ticket, which says how many; choose one');
  }
  if (choice !== undefined && json) {
    const message = '--choice is given and --json, which prints whole records; choose one';
    throw new InputError('usage', message);
  }
}

/** @throws InputError `usage` where options are given that the block's files answer. */
async function openBlock(
  path: string,
  { definition, identity }: ShowFlags,
  { given, terminal }: { readonly given: readonly string[]; readonly terminal: Terminal },
): Promise<TicketSource> {
  const extra = SEED_OPTIONS.find((name) => given.includes(name));
  if (extra !== undefined) {
    const message = `${extra} is given and the block ${printable(path)}, whose files say all; leave one of the two out`;
    throw new InputError('usage', message);
  }
  const ownGame = definition === undefined ? undefined : loadDefinitionFile(definition);
  return openBlockTickets(path, ownGame, await readIdentities(identity, terminal.note));
}

/** The tickets of a block that its seed makes again, without any file. */
async function seedTickets(flags: ShowFlags, terminal: Terminal): Promise<TicketSource> {
  if (flags.identity !== undefined) {
    throw new InputError(
      'usage',
      '--identity opens the files of a block; name one, or leave it out',
    );
  }
  const game = chosenGame(flags);
  const { stake: stakeCents, engine, emission, block } = flags;
  if (stakeCents === undefined) {
    throw new InputError('usage', 'no stake is given; add --stake <euros>');
  }
  const given = await findSeed(flags, process.env, terminal.note);
  if (given === undefined) {
    throw new InputError('usage', 'no seed is given; add --seed-file <file>, or name a block');
  }
  const planned = await planBlock({ game, stakeCents, seed: given.seed, engine, emission, block });
  const prizeOf = planned.plan.outcomes.map(({ prizeCents }) => prizeCents);
  return {
    game,
    stake: planned.stake,
    name: planned.name,
    prizes: () => Promise.resolve(Array.from(planned.order, (outcome) => prizeOf[outcome] ?? 0)),
    records: (tickets) => Promise.resolve(drawTickets(planned, tickets)),
  };
}

async function wishedTickets(source: TicketSource, flags: ShowFlags): Promise<readonly number[]> {
  const { ticket, prize, tier, losing, random, count = 1 } = flags;
  const { stake, game } = source;
  if (ticket !== undefined) {
    for (const number of ticket) checkTicket(number, game.blockSize);
    return ticket;
  }
  if (prize !== undefined && prize > 0) checkPrize(stake, prize);
  const tierPrize = tier === undefined ? undefined : prizeOfTier(stake, tier);
  const prizeCents = losing === true ? 0 : (prize ?? tierPrize);
  return chooseTickets({ prizeCents, isRandom: random, count }, await source.prizes());
}

/**
 * The place of the grid that belongs to the wished choice; `undefined` where all are wished.
 *
 * @throws InputError `usage` where the game has no such choice.
 */
function chosenGrid({ game }: TicketSource, { choice }: ShowFlags): number | undefined {
  if (choice === undefined) return undefined;
  const choices = game.symbols.filter(({ role }) => role === 'play');
  const wished = choice.normalize('NFKC').toLowerCase();
  // No two names differ in nothing but case; a name of one letter comes before a letter.
  const byName = choices.findIndex(({ id }) => id.normalize('NFKC').toLowerCase() === wished);
  if (byName >= 0) return byName;
  const byCode = choices.findIndex(({ code }) => code.toLowerCase() === wished);
  if (byCode >= 0) return byCode;
  const names = choices.map(({ code, id }) => `${id} (${code})`).join(', ');
  const message =
    choices.length === 0
      ? `${game.name} has no symbols to choose; leave --choice out`
      : `"${printable(choice, 40)}" cannot be chosen in ${game.name}; choose ${names}`;
  throw new InputError('usage', message);
}

function withOnly(picture: TicketPicture, choice: number): TicketPicture {
  return { ...picture, grids: picture.grids.slice(choice, choice + 1) };
}
