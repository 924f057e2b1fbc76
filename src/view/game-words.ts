import type { FeatureName } from '../definitions/features.js';
import type { LanguageId } from './language.js';

/** The words of a game's tables in one language; numbers come written. */
export interface GameWords {
  readonly game: string;
  readonly games: string;
  readonly atStake: (euros: string, heading: string) => string;
  readonly block: (tickets: string, source: string) => string;
  readonly grid: (rows: string, columns: string, source: string) => string;
  readonly symbols: (list: string, source: string) => string;
  readonly definition: (hash: string) => string;
  readonly article: (article: string) => string;
  readonly policy: string;
  readonly severalSources: string;
  readonly prizeTable: string;
  readonly prize: string;
  readonly tickets: string;
  readonly total: string;
  readonly odds: string;
  readonly oneIn: (number: string) => string;
  readonly shareOfPrizes: string;
  readonly all: string;
  readonly payOut: (percent: string, prizes: string, sales: string) => string;
  readonly winning: (percent: string, odds: string) => string;
  readonly aboveStake: (percent: string, odds: string) => string;
  readonly noneAboveStake: string;
  readonly volatility: (stakes: string) => string;
  readonly payTable: string;
  readonly combination: string;
  /** What pays where a pay line names no symbol, by the game's feature: the symbol of the player's choice. */
  readonly unnamedSymbol: Readonly<Record<FeatureName, string>>;
  readonly pays: string;
  readonly compositions: string;
  readonly sum: string;
  readonly expectedTickets: string;
  readonly features: Readonly<Record<FeatureName, string>>;
  readonly feature: Readonly<Record<FeatureName, string>>;
  readonly shareOfTickets: string;
  readonly winningShare: string;
  readonly extraVectors: string;
  /** What the caps of a game with a choice come to. */
  readonly caps: (list: string, source: string) => string;
  readonly atMost: (cap: string, of: string) => string;
  readonly anyNumber: (of: string) => string;
  readonly unchosenSymbol: string;
  readonly neutralSymbol: string;
  readonly average: string;
  readonly id: string;
  readonly blockTickets: string;
  readonly stakes: string;
  readonly payOutColumn: string;
  readonly winningOdds: string;
  readonly topPrize: string;
  readonly next: (id: string) => string;
}

const EN: GameWords = {
  game: 'game',
  games: 'Games',
  atStake: (euros, heading) => `At ${euros} EUR a ticket: ${heading}`,
  block: (tickets, source) => `A block has ${tickets} tickets (${source}).`,
  grid: (rows, columns, source) => `A grid has ${rows} rows of ${columns} cells (${source}).`,
  symbols: (list, source) => `Symbols: ${list} (${source}).`,
  definition: (hash) => `Definition SHA-256 ${hash}`,
  article: (article) => `article ${article}`,
  policy: 'policy of the operator',
  severalSources: 'sources: see the definition',
  prizeTable: 'prize table of a block',
  prize: 'prize (EUR)',
  tickets: 'tickets',
  total: 'total (EUR)',
  odds: 'odds',
  oneIn: (number) => `1 in ${number}`,
  shareOfPrizes: 'share of prizes',
  all: 'all prizes',
  payOut: (percent, prizes, sales) =>
    `Pay-out ${percent}: prizes of ${prizes} EUR out of sales of ${sales} EUR.`,
  winning: (percent, odds) => `Winning tickets ${percent}, ${odds}.`,
  aboveStake: (percent, odds) => `Tickets that win more than their price ${percent}, ${odds}.`,
  noneAboveStake: 'No ticket wins more than its price.',
  volatility: (stakes) =>
    `Volatility ${stakes}: the standard deviation of a ticket's prize, in stakes.`,
  payTable: 'What pays',
  combination: 'combination',
  unnamedSymbol: { extra_stages: 'of a symbol', chosen: 'of the chosen symbol' },
  pays: 'pays (EUR)',
  compositions: 'How each prize comes about',
  sum: 'worked out (EUR)',
  expectedTickets: 'tickets expected',
  features: { extra_stages: 'EXTRA stages', chosen: 'Chosen symbols in a grid' },
  feature: { extra_stages: 'stages', chosen: 'chosen' },
  shareOfTickets: 'of all tickets',
  winningShare: 'of them winning',
  extraVectors: 'EXTRA symbols, grid by grid',
  caps: (list, source) => `Beside the chosen symbols, each grid has ${list} (${source}).`,
  atMost: (cap, of) => `at most ${cap} of ${of}`,
  anyNumber: (of) => `any number of ${of}`,
  unchosenSymbol: 'each symbol that was not chosen',
  neutralSymbol: 'each neutral symbol',
  average:
    'Expected numbers are averages over many blocks; those of one block differ from them by a few tickets at most.',
  id: 'id',
  blockTickets: 'tickets in a block',
  stakes: 'stakes (EUR)',
  payOutColumn: 'pay-out',
  winningOdds: 'winning tickets',
  topPrize: 'top prizes (EUR)',
  next: (id) => `All about one: gen-block games ${id} --stake 1`,
};

const FR: GameWords = {
  game: 'jeu',
  games: 'Jeux',
  atStake: (euros, heading) => `Mise de ${euros} € : ${heading}`,
  block: (tickets, source) => `Un bloc compte ${tickets} unités de jeu (${source}).`,
  grid: (rows, columns, source) =>
    `Une grille compte ${rows} lignes de ${columns} cases (${source}).`,
  symbols: (list, source) => `Symboles : ${list} (${source}).`,
  definition: (hash) => `SHA-256 de la définition ${hash}`,
  article: (article) => `article ${article}`,
  policy: 'choix de l’opérateur',
  severalSources: 'sources : voir la définition',
  prizeTable: 'tableau de lots d’un bloc',
  prize: 'lot (€)',
  tickets: 'nombre de lots',
  total: 'total (€)',
  odds: 'probabilité',
  oneIn: (number) => `1 sur ${number}`,
  shareOfPrizes: 'part des lots',
  all: 'tous les lots',
  payOut: (percent, prizes, sales) =>
    `Taux de retour aux joueurs ${percent} : ${prizes} € de lots pour ${sales} € de mises.`,
  winning: (percent, odds) => `Unités de jeu gagnantes ${percent}, ${odds}.`,
  aboveStake: (percent, odds) =>
    `Unités de jeu qui gagnent plus que leur mise ${percent}, ${odds}.`,
  noneAboveStake: 'Aucune unité de jeu ne gagne plus que sa mise.',
  volatility: (stakes) =>
    `Volatilité ${stakes} : écart type du lot d’une unité de jeu, en nombre de mises.`,
  payTable: 'Combinaisons gagnantes',
  combination: 'combinaison',
  unnamedSymbol: { extra_stages: 'd’un symbole', chosen: 'du symbole sélectionné' },
  pays: 'gain (€)',
  compositions: 'Comment se forme chaque lot',
  sum: 'calcul (€)',
  expectedTickets: 'unités de jeu attendues',
  features: {
    extra_stages: 'Étapes Extra',
    chosen: 'Symboles sélectionnés dans une grille',
  },
  feature: { extra_stages: 'étapes', chosen: 'sélectionnés' },
  shareOfTickets: 'du bloc',
  winningShare: 'dont gagnantes',
  extraVectors: 'symboles EXTRA, grille par grille',
  caps: (list, source) =>
    `À côté des symboles sélectionnés, chaque grille compte ${list} (${source}).`,
  atMost: (cap, of) => `au plus ${cap} de ${of}`,
  anyNumber: (of) => `un nombre quelconque de ${of}`,
  unchosenSymbol: 'chaque symbole non sélectionné',
  neutralSymbol: 'chaque symbole neutre',
  average:
    'Les nombres attendus sont des moyennes sur beaucoup de blocs ; ceux d’un bloc s’en écartent de quelques unités de jeu au plus.',
  id: 'identifiant',
  blockTickets: 'unités de jeu par bloc',
  stakes: 'mises (€)',
  payOutColumn: 'taux de retour',
  winningOdds: 'gagnantes',
  topPrize: 'gros lots (€)',
  next: (id) => `Tout sur un jeu : gen-block games ${id} --stake 1 --lang fr`,
};

/** The words of a language. */
export function gameWords(language: LanguageId): GameWords {
  return { en: EN, fr: FR }[language];
}
