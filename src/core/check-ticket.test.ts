import { expect, test } from '@jest/globals';
import { checkTicket } from './check-ticket.js';

test.each([1, 500, 1000])('a block of 1,000 has ticket %d', (ticket) => {
  expect(() => {
    checkTicket(ticket, 1000);
  }).not.toThrow();
});

test.each([0, 1001, -1, 1.5, NaN, Infinity])('a block of 1,000 has no ticket %d', (ticket) => {
  expect(() => {
    checkTicket(ticket, 1000);
  }).toThrow(
    expect.objectContaining({
      code: 'bad-number',
      message: `there is no ticket ${ticket}; choose one from 1 to 1,000`,
    }),
  );
});
