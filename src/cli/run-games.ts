import { statSync } from 'node:fs';
import { InputError, printable } from '../core/errors.js';
import { formatCount, formatEuros } from '../core/money.js';
import {
  findStake,
  gameIds,
  loadDefinedGame,
  readDefinedGame,
  type DefinedGame,
} from '../definitions/load-game.js';
import type { Game, SymbolRole } from '../definitions/game.js';
import { payTableRemarks } from '../definitions/pay-table-remarks.js';
import { gameFacts, type GameFacts } from '../view/game-facts.js';
import { gamePage, gamesPage } from '../view/game-page.js';
import type { LanguageId } from '../view/language.js';
import { pageMarkdown } from '../view/page-markdown.js';
import { pageText } from '../view/page-text.js';
import type { Page } from '../view/page.js';
import { withHint } from './chosen-game.js';
import { pc } from './colors.js';
import { processTerminal } from './terminal.js';

/** The options of `games`. */
export interface GamesFlags {
  readonly stake?: number;
  readonly definition?: string;
  readonly lang: LanguageId;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** Lists the games, or shows one. */
export function runGames(id: string | undefined, flags: GamesFlags): void {
  if (flags.json === true && flags.markdown === true) {
    throw new InputError('usage', '--json and --markdown are both given; choose one');
  }
  const { write } = processTerminal({});
  const chosen = chosenGames(id, flags);
  const [only] = chosen;
  const isOne = id !== undefined || flags.definition !== undefined;
  if (!isOne && flags.stake !== undefined) {
    throw new InputError('usage', '--stake is given and no game; name one, such as eldorado');
  }
  if (isOne && only !== undefined) {
    const stakes = flags.stake === undefined ? undefined : [findStake(only.game, flags.stake)];
    const facts = gameFacts(only, stakes);
    write(flags.json === true ? jsonText([facts]) : pageIn(gamePage(facts, flags.lang), flags));
    return;
  }
  const games = chosen.map((each) => gameFacts(each));
  write(flags.json === true ? jsonText(games) : pageIn(gamesPage(games, flags.lang), flags));
}

function chosenGames(id: string | undefined, { definition }: GamesFlags): readonly DefinedGame[] {
  if (definition !== undefined && id !== undefined) {
    const message = `the game ${printable(id, 60)} and --definition are both given; choose one`;
    throw new InputError('usage', message);
  }
  if (definition !== undefined) return [readDefinedGame(definition)];
  if (id === undefined) return gameIds().map(loadDefinedGame);
  refuseFile(id);
  // The name of the command below this one can be meant, too.
  return [withHint(id, [...gameIds(), 'check'], () => loadDefinedGame(id))];
}

/** @throws InputError `unknown-game` where a file is named as if it were a game. */
function refuseFile(id: string): void {
  if (gameIds().includes(id) || statSync(id, { throwIfNoEntry: false })?.isFile() !== true) return;
  const path = printable(id);
  const message = `${path} is a file, not the name of a game; say gen-block games --definition ${path}`;
  throw new InputError('unknown-game', message);
}

function jsonText(games: readonly GameFacts[]): string {
  return `${JSON.stringify({ games })}\n`;
}

function pageIn(page: Page, { markdown }: GamesFlags): string {
  return markdown === true ? pageMarkdown(page) : pageText(page, pc.bold);
}

/**
 * Holds a definition file against all rules.
 *
 * @throws DefinitionError which says all that is wrong with it.
 */
export function runGamesCheck(path: string, options: { readonly quiet?: boolean }): void {
  const defined = readDefinedGame(path);
  const { note, write } = processTerminal(options);
  for (const remark of payTableRemarks(defined.game)) note(`${printable(path)}: ${remark}`);
  if (options.quiet === true) return;
  const { id, name, blockTickets, stakes, definitionSha256 } = gameFacts(defined);
  const prices = stakes.map(({ stakeCents }) => formatEuros(stakeCents)).join(', ');
  const outcomes = stakes.map(({ tiers }) =>
    tiers.reduce((sum, { compositions }) => sum + compositions.length, 0),
  );
  write(
    [
      `${printable(path)}: the definition is right.`,
      `${printable(id)}, "${printable(name)}": blocks of ${formatCount(blockTickets)} tickets at ${prices} EUR.`,
      shapeText(defined.game),
      `Ways to win, stake by stake: ${outcomes.join(', ')}.`,
      `Definition SHA-256 ${definitionSha256}`,
      `See all of it: gen-block games --definition ${printable(path)}`,
      '',
    ].join('\n'),
  );
}

/** What the symbols of a role do, after their number. */
const ROLE_WORDS: Readonly<Record<SymbolRole, string>> = {
  pay: 'to pay',
  trigger: 'to open a further grid',
  play: 'to choose from',
  neutral: 'without a prize',
};

/** The grid and the symbols, to be compared with the regulation. */
function shapeText({ grid, symbols }: Game): string {
  const roles = [...new Set(symbols.map(({ role }) => role))].map((role) => {
    const own = symbols.filter((symbol) => symbol.role === role);
    const names = own.map(({ code, id }) => `${code} ${printable(id)}`).join(', ');
    return `${own.length} ${ROLE_WORDS[role]} (${names})`;
  });
  const rows = grid.rows === 1 ? '1 row' : `${grid.rows} rows`;
  return `A grid of ${rows} of ${grid.columns} cells; symbols: ${roles.join(', ')}.`;
}
