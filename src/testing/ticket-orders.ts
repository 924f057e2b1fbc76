import type { TicketClass } from '../verify/audit/ticket-classes.js';

/** A class of tickets at given places. */
export function ticketClass(
  name: string,
  total: number,
  positions: readonly number[],
): TicketClass {
  return { name, total, positions: Uint32Array.from(positions) };
}

/** Every choice of so many places of a small block, each ascending. */
export function ordersOf(total: number, taken: number, first = 0): readonly (readonly number[])[] {
  if (taken === 0) return [[]];
  const orders: (readonly number[])[] = [];
  for (let place = first; place <= total - taken; place += 1) {
    for (const rest of ordersOf(total, taken - 1, place + 1)) orders.push([place, ...rest]);
  }
  return orders;
}

/** The mean and the variance of values that are equally likely. */
export function momentsOf(values: readonly number[]): {
  readonly mean: number;
  readonly variance: number;
} {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance };
}
