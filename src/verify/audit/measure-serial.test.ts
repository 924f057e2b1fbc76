import { describe, expect, test } from '@jest/globals';
import { momentsOf, ordersOf, ticketClass } from '../../testing/ticket-orders.js';
import type { EventsEvidence, Measurement } from './evidence.js';
import { measureSerial } from './measure-serial.js';
import type { TicketClasses } from './ticket-classes.js';

function classes(total: number, positions: readonly number[]): TicketClasses {
  const winning = ticketClass('winning', total, positions);
  return { winning, top: winning, all: [winning] };
}

function eventsOf(measurements: readonly Measurement[], name: string): EventsEvidence {
  const found = measurements.find((measurement) => measurement.name === name);
  if (found?.evidence.kind !== 'events') throw new Error(`there is no test "${name}"`);
  return found.evidence;
}

describe('serial tests', () => {
  const TOTAL = 24;
  const TAKEN = 4;
  const measured = ordersOf(TOTAL, TAKEN).map((order) => measureSerial(classes(TOTAL, order)));

  test.each([
    'tickets winning: runs',
    'tickets winning: pairs at lag 1',
    'tickets winning: pairs at lag 5',
    'tickets winning: pairs at lag 13',
    'tickets winning: pairs at lag 20',
    'tickets winning: pairs within 20',
  ])('have the exact mean and variance over all orders: %s', (name) => {
    const evidence = measured.map((measurements) => eventsOf(measurements, name));
    const { mean, variance } = momentsOf(evidence.map(({ count }) => count));
    expect(evidence[0]?.mean).toBeCloseTo(mean, 10);
    expect(evidence[0]?.variance).toBeCloseTo(variance, 10);
  });

  test('count pairs and runs', () => {
    const measurements = measureSerial(classes(30, [0, 1, 3, 4, 29]));
    expect(eventsOf(measurements, 'tickets winning: pairs at lag 1').count).toBe(2);
    expect(eventsOf(measurements, 'tickets winning: pairs at lag 3').count).toBe(2);
    expect(eventsOf(measurements, 'tickets winning: pairs within 20').count).toBe(6);
    // WW L WW L...L W
    expect(eventsOf(measurements, 'tickets winning: runs').count).toBe(5);
    const inside = measureSerial(classes(30, [2, 3]));
    expect(eventsOf(inside, 'tickets winning: runs').count).toBe(3);
  });

  test('look a chunk ahead where the block is large enough', () => {
    const positions = Array.from({ length: 100 }, (_, index) => index * 90);
    const far = 'tickets winning: pairs at lag 4096';
    const measurements = measureSerial(classes(9000, [...positions, 4096 + 90]));
    expect(eventsOf(measurements, far).count).toBe(1);
    expect(measureSerial(classes(8000, [1])).some(({ name }) => name === far)).toBe(false);
  });

  test('expect more skewness of a class that is crowded by chance', () => {
    const every = Array.from({ length: 2000 }, (_, index) => index * 2);
    const near = eventsOf(measureSerial(classes(4000, every)), 'tickets winning: pairs within 20');
    // Half of all places: pairs of the same lag have no skewness, triangles do.
    expect(near.third).toBeGreaterThan(0);
    const lag = eventsOf(measureSerial(classes(4000, every)), 'tickets winning: pairs at lag 1');
    expect(lag.third).toBe(0);
  });
});
