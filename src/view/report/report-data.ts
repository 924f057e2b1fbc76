import { defined } from '../../core/assert.js';
import { InputError, printable } from '../../core/errors.js';
import type { Game, Stake } from '../../definitions/game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import { auditBlocks, type ObservedBlock } from '../../verify/audit/audit-blocks.js';
import type { AuditReport } from '../../verify/audit/audit-report.js';
import type { Watch } from '../../verify/read-tickets-file.js';
import type { VerifyReport } from '../../verify/report.js';
import { openBlockTickets } from '../block-tickets.js';
import { ticketPictures, type TicketPicture } from '../ticket-picture.js';
import { blockFigures, type BlockFigures } from './block-figures.js';

/** All that a report on a block is made of. */
export interface ReportData {
  readonly audit: AuditReport;
  readonly verification: VerifyReport;
  /** The block was made from a definition of the user's own. */
  readonly isOwnGame: boolean;
  /** `undefined` where the block does not conform: then there is nothing to draw. */
  readonly block: ReportedBlock | undefined;
}

/** A block that conforms, drawn and counted. */
export interface ReportedBlock {
  readonly game: Game;
  readonly stake: Stake;
  readonly figures: BlockFigures;
  /** A ticket of each prize with each feature, highest prizes first; none in a public report. */
  readonly sample: readonly TicketPicture[];
}

/**
 * How a report is made.
 *
 * @group Reports
 */
export interface ReportOptions extends Watch {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** What the tickets files are opened with, where they are encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** Whether it is for publication: then it shows nothing that tells where prizes are. */
  readonly isPublic: boolean;
}

/**
 * Verifies and audits a block, and gathers what a report shows of it.
 *
 * @throws what {@link auditBlocks} throws.
 */
export async function collectReport(path: string, options: ReportOptions): Promise<ReportData> {
  const { game, identities, isPublic, onBytes, signal } = options;
  let observed: ObservedBlock | undefined;
  const audit = await auditBlocks([path], {
    game,
    identities,
    onBytes,
    signal,
    onObserved: (block) => (observed = block),
  });
  const { verification } = defined(audit.blocks[0], 'the block that was audited');
  const isOwnGame = game !== undefined;
  if (observed === undefined) return { audit, verification, isOwnGame, block: undefined };
  const sample = isPublic ? [] : await sampleTickets(path, { observed, verification }, options);
  const { game: ownGame, stake } = observed;
  const block = { game: ownGame, stake, figures: blockFigures(observed), sample };
  return { audit, verification, isOwnGame, block };
}

/**
 * One ticket of each prize with each number of EXTRA stages or chosen symbols: the middle one, so that
 * two reports on a block are the same.
 */
async function sampleTickets(
  path: string,
  block: { readonly observed: ObservedBlock; readonly verification: VerifyReport },
  options: ReportOptions,
): Promise<readonly TicketPicture[]> {
  const { game, stake, observations } = block.observed;
  const { outcomes } = planOutcomes(game, stake);
  const kindOf = outcomes.map(({ prizeCents, feature }) => `${prizeCents}:${feature}`);
  // In the order of the law: highest prizes first, losing tickets last.
  const ticketsOf = new Map(kindOf.map((kind) => [kind, [] as number[]]));
  observations.outcomeOf.forEach((outcome, position) => {
    ticketsOf.get(kindOf[outcome] ?? '')?.push(position + 1);
  });
  const tickets = [...ticketsOf.values()]
    .map((ofKind) => ofKind[Math.floor(ofKind.length / 2)])
    .filter((ticket) => ticket !== undefined);
  const source = await openBlockTickets(path, options.game, options.identities);
  if (source.sha256 !== block.verification.files[0]?.sha256) {
    const message = `${printable(path)} was changed after it had been verified; make the report again when nothing writes to it`;
    throw new InputError('not-a-block', message);
  }
  return ticketPictures(await source.records(tickets), { game, stake });
}
