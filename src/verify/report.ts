import type { Game, Stake } from '../definitions/game.js';
import { rulesOf } from '../definitions/mechanics.js';
import type { FeatureName } from '../definitions/features.js';
import type { ManifestFile } from '../formats/manifest.js';
import type { Finding, FindingCode, FindingLog } from './finding.js';
import type { Tally } from './tickets-judge.js';

/**
 * What a block says it is; of a bare tickets file only the game and the stake are known.
 *
 * @group Verifying
 */
export interface BlockFacts {
  /** Such as `eldorado`. */
  readonly gameId: string;
  /** SHA-256 of the definition's RFC 8785 form, in lower-case hex. */
  readonly definitionSha256: string;
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** From 1. */
  readonly emission?: number;
  /** From 1. */
  readonly block?: number;
  /** The generator of random numbers. */
  readonly engine?: string;
  /** By which a seed can be known, and which does not tell it. */
  readonly seedCommitment?: string;
}

/**
 * A tier as the regulation states it and as the tickets have it.
 *
 * @group Verifying
 */
export interface TierFacts {
  /** The prize of each of its tickets. */
  readonly prizeCents: number;
  /** Tickets by the definition. */
  readonly expectedCount: number;
  /** Tickets that were counted. */
  readonly foundCount: number;
}

/**
 * Tickets with one number of EXTRA stages or chosen symbols, and how many of them win.
 *
 * @group Verifying
 */
export interface FeatureFacts {
  /** EXTRA stages or chosen symbols of a ticket. */
  readonly feature: number;
  /** How many tickets have so many. */
  readonly tickets: number;
  /** How many of these win. */
  readonly winningTickets: number;
}

/**
 * The registry beside a block, whose chain holds and whose last entry of the block is this one.
 *
 * @group Verifying
 */
export interface RegistryFacts {
  /** The number of the block's entry. */
  readonly entry: number;
  /** How many entries it has. */
  readonly entries: number;
  /** SHA-256 of the last line, by which the whole registry can be known. */
  readonly head: string;
}

/**
 * What was and what was not checked.
 *
 * @group Verifying
 */
export interface Checks {
  /** In words for people. */
  readonly checked: readonly string[];
  /** What this verification could not tell, and what would; in words for people. */
  readonly notChecked: readonly string[];
}

/**
 * The result of a verification: facts that were counted, findings, and what was and was not checked.
 *
 * @group Verifying
 */
export interface VerifyReport extends Checks {
  /** No findings at all. What could not be checked is in {@link notChecked}. */
  readonly conforms: boolean;
  /** `undefined` where the manifest is too broken to say what block it is. */
  readonly facts: BlockFacts | undefined;
  /** How many were read. */
  readonly tickets: number;
  /** How many of them win. */
  readonly winningTickets: number;
  /** What their symbols amount to, in all. */
  readonly prizesCents: number;
  /** What they are sold for, in all. */
  readonly salesCents: number;
  /** By prize, highest first. */
  readonly tiers: readonly TierFacts[];
  /** What the features count. */
  readonly featureName: FeatureName;
  /** By number of EXTRA stages or chosen symbols. */
  readonly features: readonly FeatureFacts[];
  /** As they are on the disk. */
  readonly files: readonly ManifestFile[];
  /** Not there where there is no registry, or findings against it. */
  readonly registry?: RegistryFacts;
  /** How many findings there are of each code, also of those that are not listed. */
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
