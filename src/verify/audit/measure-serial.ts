import { CHUNK_TICKETS } from '../../core/ticket-chunk.js';
import type { EventsEvidence, Measurement } from './evidence.js';
import type { TicketClass, TicketClasses } from './ticket-classes.js';
import { sumOf } from '../../core/sum-of.js';

/** Distances between tickets at which winning ones could attract or repel each other. */
const NEAR_LAGS = 20;

/** Tickets that are drawn out of one stream, and a power of two where a counter could wrap. */
const FAR_LAGS = [CHUNK_TICKETS, 65_536];

/** Serial dependence of winning tickets, and crowding within every class. */
export function measureSerial({ winning, all }: TicketClasses): readonly Measurement[] {
  const near = pairsByLag(winning);
  const farLags = FAR_LAGS.filter((lag) => lag * 2 <= winning.total);
  const graph = nearGraph(winning.total);
  const isWinning = new Uint8Array(winning.total);
  for (const position of winning.positions) isWinning[position] = 1;
  return [
    runsMeasurement(winning),
    ...near.map((pairs, index) => lagMeasurement(winning, index + 1, pairs)),
    ...farLags.map((lag) => lagMeasurement(winning, lag, pairsAt(isWinning, lag))),
    ...all
      .filter(({ positions }) => positions.length > 1)
      .map((ticketClass) => crowdingMeasurement(ticketClass, graph)),
  ];
}

/** How many pairs of a class are 1, 2, ... tickets apart. */
function pairsByLag({ positions }: TicketClass): readonly number[] {
  const pairs = new Array<number>(NEAR_LAGS).fill(0);
  positions.forEach((position, index) => {
    for (let other = index + 1; other < positions.length; other += 1) {
      const lag = (positions[other] ?? 0) - position;
      if (lag > NEAR_LAGS) break;
      pairs[lag - 1] = (pairs[lag - 1] ?? 0) + 1;
    }
  });
  return pairs;
}

function pairsAt(isMember: Uint8Array, lag: number): number {
  let pairs = 0;
  for (let position = lag; position < isMember.length; position += 1) {
    pairs += (isMember[position] ?? 0) & (isMember[position - lag] ?? 0);
  }
  return pairs;
}

/** Pairs of places that are compared, as a graph: what the moments of a join count depend on. */
interface Graph {
  readonly edges: number;
  /** Ordered pairs of edges that meet in one place. */
  readonly meetings: number;
  readonly triangles: number;
}

function lagMeasurement(ticketClass: TicketClass, lag: number, pairs: number): Measurement {
  const { name, total } = ticketClass;
  const graph = {
    edges: total - lag,
    meetings: 2 * Math.max(0, total - 2 * lag),
    triangles: 0,
  };
  return {
    name: `tickets ${name}: pairs at lag ${lag}`,
    group: 'order',
    evidence: joinEvidence(ticketClass, graph, pairs),
  };
}

function crowdingMeasurement(ticketClass: TicketClass, graph: Graph): Measurement {
  const pairs = sumOf(pairsByLag(ticketClass));
  return {
    name: `tickets ${ticketClass.name}: pairs within ${NEAR_LAGS}`,
    group: 'order',
    evidence: joinEvidence(ticketClass, graph, pairs),
  };
}

/** Every place joined to those up to {@link NEAR_LAGS} before and behind it. */
function nearGraph(total: number): Graph {
  let edges = 0;
  let meetings = 0;
  let triangles = 0;
  for (let lag = 1; lag <= NEAR_LAGS; lag += 1) {
    edges += Math.max(0, total - lag);
    // Three places of which the outer two are this far apart.
    triangles += (lag - 1) * Math.max(0, total - lag);
  }
  for (let place = 0; place < total; place += 1) {
    const degree = Math.min(NEAR_LAGS, place) + Math.min(NEAR_LAGS, total - 1 - place);
    meetings += degree * (degree - 1);
  }
  return { edges, meetings, triangles };
}

/**
 * Pairs whose places are both taken by the class, when its tickets are spread without replacement:
 * mean and variance are exact, the third cumulant is that of independent places.
 */
function joinEvidence(
  { positions, total }: TicketClass,
  graph: Graph,
  count: number,
): EventsEvidence {
  const { edges, meetings, triangles } = graph;
  const taken = positions.length;
  const two = (taken / total) * ((taken - 1) / (total - 1));
  const three = (two * (taken - 2)) / (total - 2);
  const four = (three * (taken - 3)) / (total - 3);
  const apart = edges * edges - edges - meetings;
  const mean = edges * two;
  const variance = mean + meetings * three + apart * four - mean ** 2;
  const rest = 1 - taken / total;
  const third = mean * (rest * (2 * rest - 1)) ** 2 + 6 * triangles * three * rest ** 3;
  return { kind: 'events', count, mean, variance, third };
}

/** Wald and Wolfowitz: runs of winning and of losing tickets, with exact moments. */
function runsMeasurement({ name, positions, total }: TicketClass): Measurement {
  const won = positions.length;
  const lost = total - won;
  let wonRuns = 0;
  positions.forEach((position, index) => {
    if (index === 0 || (positions[index - 1] ?? 0) !== position - 1) wonRuns += 1;
  });
  const startsLost = won > 0 && positions[0] !== 0 ? 1 : 0;
  const endsLost = won > 0 && positions.at(-1) !== total - 1 ? 1 : 0;
  const count = 2 * wonRuns - 1 + startsLost + endsLost;
  const products = 2 * won * lost;
  const mean = 1 + products / total;
  const variance = (products * (products - total)) / (total ** 2 * (total - 1));
  const share = won / total;
  // A pair of winning neighbours more is two runs less.
  const third = -8 * total * (share * (1 - share) * (1 - 2 * share)) ** 2;
  return {
    name: `tickets ${name}: runs`,
    group: 'order',
    evidence: { kind: 'events', count, mean, variance, third },
  };
}
