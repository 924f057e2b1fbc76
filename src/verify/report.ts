import type { Game, Stake } from '../definitions/game.js';
import { rulesOf } from '../definitions/mechanics.js';
import type { FeatureName } from '../definitions/features.js';
import type { ManifestFile } from '../formats/manifest.js';
import type { Finding, FindingCode, FindingLog } from './finding.js';
import type { Tally } from './tickets-judge.js';

/** What a block says it is; of a bare tickets file only the game and the stake are known. */
export interface BlockFacts {
  readonly gameId: string;
  readonly definitionSha256: string;
  readonly stakeCents: number;
  readonly emission?: number;
  readonly block?: number;
  readonly engine?: string;
  readonly seedCommitment?: string;
}

/** A tier as the regulation states it and as the tickets have it. */
interface TierFacts {
  readonly prizeCents: number;
  readonly expectedCount: number;
  readonly foundCount: number;
}

/** Tickets with one number of EXTRA stages or chosen symbols, and how many of them win. */
interface FeatureFacts {
  readonly feature: number;
  readonly tickets: number;
  readonly winningTickets: number;
}

/** The registry beside a block, whose chain holds and whose last entry of the block is this one. */
export interface RegistryFacts {
  /** The number of the block's entry. */
  readonly entry: number;
  readonly entries: number;
  /** SHA-256 of the last line, by which the whole registry can be known. */
  readonly head: string;
}

/** What was and what was not checked. */
export interface Checks {
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
}

/** The result of a verification: facts that were counted, findings, and what was and was not checked. */
export interface VerifyReport extends Checks {
  /** No findings at all. What could not be checked is in {@link notChecked}. */
  readonly conforms: boolean;
  /** `undefined` where the manifest is too broken to say what block it is. */
  readonly facts: BlockFacts | undefined;
  readonly tickets: number;
  readonly winningTickets: number;
  readonly prizesCents: number;
  readonly salesCents: number;
  readonly tiers: readonly TierFacts[];
  readonly featureName: FeatureName;
  readonly features: readonly FeatureFacts[];
  readonly files: readonly ManifestFile[];
  /** Not there where there is no registry, or findings against it. */
  readonly registry?: RegistryFacts;
  readonly findingCounts: readonly { readonly code: FindingCode; readonly count: number }[];
  /** The first findings of each code. */
  readonly findings: readonly Finding[];
}

/** Sums up what was found. */
export function makeReport(input: {
  readonly game: Game;
  readonly stake: Stake;
  readonly facts: BlockFacts;
  readonly tallies: readonly Tally[];
  readonly files: readonly ManifestFile[];
  readonly log: FindingLog;
  readonly registry?: RegistryFacts | undefined;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
}): VerifyReport {
  const { game, stake, facts, tallies, files, log, registry, checked, notChecked } = input;
  const winning = tallies.filter(({ prizeCents }) => prizeCents > 0);
  const tickets = sumCounts(tallies);
  return {
    conforms: log.total === 0,
    facts,
    tickets,
    winningTickets: sumCounts(winning),
    prizesCents: tallies.reduce((sum, { prizeCents, count }) => sum + prizeCents * count, 0),
    salesCents: tickets * stake.stakeCents,
    tiers: stake.tiers.map(({ prizeCents, count }) => ({
      prizeCents,
      expectedCount: count,
      foundCount: sumCounts(tallies.filter((tally) => tally.prizeCents === prizeCents)),
    })),
    featureName: rulesOf(game).featureName,
    features: featureFacts(tallies),
    files,
    ...(registry && { registry }),
    findingCounts: [...log.counts].map(([code, count]) => ({ code, count })),
    findings: log.examples,
    checked,
    notChecked,
  };
}

/** A report with the findings that have come since, and with what else was and was not checked. */
export function withFindings(
  report: VerifyReport,
  log: FindingLog,
  checks: { readonly checked?: readonly string[]; readonly notChecked: readonly string[] },
): VerifyReport {
  return {
    ...report,
    conforms: log.total === 0,
    findingCounts: [...log.counts].map(([code, count]) => ({ code, count })),
    findings: log.examples,
    checked: [...report.checked, ...(checks.checked ?? [])],
    notChecked: checks.notChecked,
  };
}

/** The report on a block whose manifest does not even say what block it is. */
export function unreadableReport(log: FindingLog): VerifyReport {
  return {
    conforms: false,
    facts: undefined,
    tickets: 0,
    winningTickets: 0,
    prizesCents: 0,
    salesCents: 0,
    tiers: [],
    featureName: 'extra_stages',
    features: [],
    files: [],
    findingCounts: [...log.counts].map(([code, count]) => ({ code, count })),
    findings: log.examples,
    checked: ['the form of the manifest'],
    notChecked: ['the tickets: the manifest does not say what block they are'],
  };
}

function featureFacts(tallies: readonly Tally[]): readonly FeatureFacts[] {
  const values = [...new Set(tallies.map(({ feature }) => feature))].sort((a, b) => a - b);
  return values.map((feature) => {
    const having = tallies.filter((tally) => tally.feature === feature);
    const winning = having.filter(({ prizeCents }) => prizeCents > 0);
    return { feature, tickets: sumCounts(having), winningTickets: sumCounts(winning) };
  });
}

function sumCounts(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0);
}
