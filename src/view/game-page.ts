import type { DefinitionSource } from '../definitions/definition.js';
import type { PayLine } from '../definitions/game.js';
import type { GameFacts, StakeFacts } from './game-facts.js';
import { gameWords, type GameWords } from './game-words.js';
import { numberStyle, type LanguageId, type NumberStyle } from './language.js';
import type { Page, Section } from './page.js';

/** What a page is written with. */
interface Writing {
  readonly numbers: NumberStyle;
  readonly words: GameWords;
}

function writingIn(language: LanguageId): Writing {
  return { numbers: numberStyle(language), words: gameWords(language) };
}

/** The games that there are, a line for each. */
export function gamesPage(games: readonly GameFacts[], language: LanguageId): Page {
  const { numbers, words } = writingIn(language);
  const rows = games.map((facts) => {
    const { id, name, blockTickets, stakes } = facts;
    const eurosOf = (cents: (stake: StakeFacts) => number): string =>
      unique(stakes.map((stake) => numbers.euros(cents(stake)))).join(' / ');
    return [
      id,
      name,
      numbers.count(blockTickets),
      eurosOf(({ stakeCents }) => stakeCents),
      unique(stakes.map(({ payOut }) => numbers.percent(payOut))).join(' / '),
      unique(
        stakes.map(({ winningTickets }) =>
          oddsText(blockTickets / winningTickets, { numbers, words }),
        ),
      ).join(' / '),
      eurosOf(({ tiers }) => tiers[0]?.prizeCents ?? 0),
    ];
  });
  const left = { align: 'left' } as const;
  const columns = [
    { title: words.id, ...left },
    { title: words.game, ...left },
    { title: words.blockTickets },
    { title: words.stakes },
    { title: words.payOutColumn },
    { title: words.winningOdds },
    { title: words.topPrize },
  ];
  const [first] = games;
  return {
    title: words.games,
    sections: [
      { table: { columns, rows } },
      ...(first === undefined ? [] : [{ lines: [words.next(first.id)] }]),
    ],
  };
}

/** All about a game at the stakes that its facts have. */
export function gamePage(facts: GameFacts, language: LanguageId): Page {
  const writing = writingIn(language);
  const { numbers, words } = writing;
  const { blockTickets, grid, symbols, sources, definitionSha256, stakes } = facts;
  const symbolList = symbols.map(({ code, id }) => `${code} ${id}`).join(', ');
  const lines = [
    words.block(numbers.count(blockTickets), sourceText(sources.blockTickets, words)),
    words.grid(
      numbers.count(grid.rows),
      numbers.count(grid.columns),
      sourceText(sources.grid, words),
    ),
    words.symbols(symbolList, sourcesText(sources.symbols, words)),
    words.definition(definitionSha256),
  ];
  return {
    title: facts.name,
    sections: [{ lines }, ...stakes.flatMap((stake) => stakeSections(facts, stake, writing))],
  };
}

function stakeSections(facts: GameFacts, stake: StakeFacts, writing: Writing): readonly Section[] {
  const { numbers, words } = writing;
  const [prizes, ...others] = [
    prizeSection(facts, stake, writing),
    { lines: keyFigures(facts, stake, writing) },
    payTableSection(facts, stake, writing),
    ...compositionsSections(facts, stake, writing),
    featuresSection(facts, stake, writing),
    ...capsSections(facts, writing),
    { lines: [words.average] },
  ];
  const heading = words.atStake(numbers.euros(stake.stakeCents), prizes.heading);
  return [{ ...prizes, heading }, ...others];
}

function prizeSection(
  { blockTickets }: GameFacts,
  stake: StakeFacts,
  writing: Writing,
): Section & { readonly heading: string } {
  const { numbers, words } = writing;
  const rows = stake.tiers.map(({ prizeCents, tickets, totalCents, oneIn, shareOfPrizes }) => [
    numbers.euros(prizeCents),
    numbers.count(tickets),
    numbers.euros(totalCents),
    oddsText(oneIn, writing),
    numbers.percent(shareOfPrizes),
  ]);
  const all = [
    words.all,
    numbers.count(stake.winningTickets),
    numbers.euros(stake.prizesCents),
    oddsText(blockTickets / stake.winningTickets, writing),
    numbers.percent(1),
  ];
  const titles = [words.prize, words.tickets, words.total, words.odds, words.shareOfPrizes];
  return {
    heading: `${words.prizeTable} (${sourceText(stake.sources.tiers, words)})`,
    table: { columns: titles.map((title) => ({ title })), rows: [...rows, all] },
  };
}

function keyFigures(
  { blockTickets }: GameFacts,
  stake: StakeFacts,
  writing: Writing,
): readonly string[] {
  const { numbers, words } = writing;
  const { winningTickets, ticketsAboveStake, payOut, prizesCents, salesCents, volatility } = stake;
  const rate = (tickets: number): [string, string] => [
    numbers.percent(tickets / blockTickets),
    oddsText(blockTickets / tickets, writing),
  ];
  return [
    words.payOut(numbers.percent(payOut), numbers.euros(prizesCents), numbers.euros(salesCents)),
    words.winning(...rate(winningTickets)),
    ticketsAboveStake === 0 ? words.noneAboveStake : words.aboveStake(...rate(ticketsAboveStake)),
    words.volatility(numbers.decimal(volatility, 2)),
  ];
}

function payTableSection(
  facts: GameFacts,
  stake: StakeFacts,
  { numbers, words }: Writing,
): Section {
  return {
    heading: `${words.payTable} (${sourceText(stake.sources.payTable, words)})`,
    table: {
      columns: [{ title: words.combination, align: 'left' }, { title: words.pays }],
      rows: stake.payTable.map((line) => [
        lineText(line, facts, words.unnamedSymbol[stake.featureName]),
        numbers.euros(line.prizeCents),
      ]),
    },
  };
}

/** Nothing where each prize has one combination, which the pay table tells. */
function compositionsSections(
  facts: GameFacts,
  stake: StakeFacts,
  { numbers, words }: Writing,
): readonly Section[] {
  if (stake.tiers.every(({ compositions }) => compositions.length === 1)) return [];
  const rows = stake.tiers.flatMap(({ prizeCents, compositions }) =>
    compositions.map(({ lines, combination, expectedTickets }, index) => [
      index === 0 ? numbers.euros(prizeCents) : '',
      combination,
      lines.map((line) => numbers.euros(line.prizeCents)).join(' + '),
      expectedText(expectedTickets, numbers),
    ]),
  );
  const columns = [
    { title: words.prize },
    { title: words.combination, align: 'left' as const },
    { title: words.sum, align: 'left' as const },
    { title: words.expectedTickets },
  ];
  const heading = `${words.compositions} (${policySourceText(facts, words)})`;
  return [{ heading, table: { columns, rows } }];
}

function featuresSection(
  facts: GameFacts,
  stake: StakeFacts,
  { numbers, words }: Writing,
): Section {
  const hasVectors = stake.features.some(({ extraVectors }) => extraVectors !== undefined);
  const rows = stake.features.map((share) => [
    numbers.count(share.feature),
    expectedText(share.expectedTickets, numbers),
    numbers.percent(share.expectedTickets / facts.blockTickets),
    numbers.percent(share.expectedWinningTickets / share.expectedTickets),
    ...(hasVectors ? [vectorsText(share.extraVectors ?? [], numbers)] : []),
  ]);
  return {
    heading: `${words.features[stake.featureName]} (${policySourceText(facts, words)})`,
    table: {
      columns: [
        { title: words.feature[stake.featureName] },
        { title: words.expectedTickets },
        { title: words.shareOfTickets },
        { title: words.winningShare },
        ...(hasVectors ? [{ title: words.extraVectors, align: 'left' as const }] : []),
      ],
      rows,
    },
  };
}

/** Nothing for a game without a choice. */
function capsSections(facts: GameFacts, { numbers, words }: Writing): readonly Section[] {
  const { caps, symbols } = facts;
  if (caps === undefined) return [];
  const most = (cap: number | undefined, of: string): string =>
    cap === undefined ? words.anyNumber(of) : words.atMost(numbers.count(cap), of);
  const hasNeutral = symbols.some(({ role }) => role === 'neutral');
  const parts = [
    most(caps.unchosen, words.unchosenSymbol),
    ...(hasNeutral ? [most(caps.neutral, words.neutralSymbol)] : []),
  ];
  return [{ lines: [words.caps(parts.join(', '), policySourceText(facts, words))] }];
}

/** `1 1 0, 2 0 0`, with their parts where these are not all the same. */
function vectorsText(
  vectors: NonNullable<StakeFacts['features'][number]['extraVectors']>,
  numbers: NumberStyle,
): string {
  const isUniform = new Set(vectors.map(({ share }) => share)).size <= 1;
  return vectors
    .map(
      ({ extra, share }) => `${extra.join(' ')}${isUniform ? '' : ` (${numbers.percent(share)})`}`,
    )
    .join(', ');
}

/** `5 pyramide`, or `10 of the chosen symbol`. */
function lineText({ symbol, count }: PayLine, { symbols }: GameFacts, unnamed: string): string {
  const name = symbols.find(({ code }) => code === symbol)?.id ?? unnamed;
  return `${count} ${name}`;
}

/** With two decimals, or as many as it takes to show what is rare. */
function expectedText(tickets: number, numbers: NumberStyle): string {
  const decimals = tickets > 0 && tickets < 0.01 ? Math.ceil(-Math.log10(tickets)) : 2;
  return numbers.decimal(tickets, Math.min(decimals, MOST_DECIMALS));
}

const MOST_DECIMALS = 20;

/** Whole where it is whole, else with two decimals. */
function oddsText(oneIn: number, { numbers, words }: Writing): string {
  const decimals = Number.isInteger(oneIn) ? 0 : 2;
  return words.oneIn(numbers.decimal(oneIn, decimals));
}

function sourceText(source: DefinitionSource | undefined, words: GameWords): string {
  // The fields within have sources of their own.
  if (source === undefined) return words.severalSources;
  return source.source === 'regulation' ? words.article(source.article) : words.policy;
}

/** The policy may be noted part by part; it is policy nonetheless. */
function policySourceText({ sources }: GameFacts, words: GameWords): string {
  const { policy, policyParts } = sources;
  const isAllPolicy = policyParts.length > 0 && policyParts.every(isPolicy);
  return policy === undefined && isAllPolicy ? words.policy : sourceText(policy, words);
}

function isPolicy({ source }: DefinitionSource): boolean {
  return source === 'policy';
}

function sourcesText(sources: readonly DefinitionSource[], words: GameWords): string {
  if (sources.length === 0) return words.severalSources;
  return unique(sources.map((source) => sourceText(source, words))).join(', ');
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
