import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../core/assert.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import type { Game } from '../definitions/game.js';
import { planOutcomes, rulesOf } from '../definitions/mechanics.js';
import { drawQuotas } from '../engine/quotas.js';
import { randomStream, type RandomStream } from '../engine/random-stream.js';
import { makeSynthesizer } from '../engine/synthesizers.js';
import { ndjsonEncoder } from '../formats/ndjson-encoder.js';
import { byteWindow, READ_AHEAD_BYTES, RecordDecoder } from '../formats/record-decoder.js';
import { RECORD_PATTERNS } from '../formats/ticket-formats.js';
import { makeEvaluator } from '../verify/evaluators.js';

/** A record as it stands in `tickets.ndjson`. */
interface Record {
  readonly prize_cents: number;
  readonly combination: string;
  readonly grids: string[][];
}

/** A stream of one seed of a property test. */
function streamOf(seed: number): RandomStream {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(seed);
  return randomStream('chacha20', key);
}

/**
 * What any mechanic must keep, whatever its game: its three parts, written apart, agree about every
 * ticket. A new mechanic calls this with a game of its own for each thing that it can do.
 *
 * @param name - What the game shows, for the titles of the tests.
 */
export function describeMechanicContract(name: string, game: Game): void {
  describe.each(game.stakes)(
    `${name} keeps the contract at a stake of $stakeCents cents`,
    (stake) => {
      const { law, outcomes } = planOutcomes(game, stake);
      const synthesizer = makeSynthesizer({ game, stake, outcomes });
      const evaluator = makeEvaluator(game, stake);
      const encoder = ndjsonEncoder(game.grid, outcomes);
      const decoder = new RecordDecoder(RECORD_PATTERNS.ndjson, game.grid);
      const mostGrids = Math.max(...outcomes.map(({ gridCount }) => gridCount));

      /** Draws tickets of the given outcomes and writes them as records. */
      const drawn = (ticketOutcomes: readonly number[], seed: number): TicketChunk => {
        const chunk = Uint16Array.from(ticketOutcomes);
        const rows = new Float64Array(chunk.length * mostGrids * game.grid.rows);
        synthesizer.draw(chunk, streamOf(seed), rows);
        return { firstTicket: 1, outcomes: chunk, rows };
      };
      const encoded = (chunk: TicketChunk): Uint8Array => {
        const buffer = new Uint8Array(encoder.bufferBytes);
        return buffer.slice(0, encoder.encode(chunk, buffer));
      };
      const someOutcomes = fc.array(fc.nat(outcomes.length - 1), { minLength: 1, maxLength: 40 });

      test('its rules find nothing wrong with the game', () => {
        expect(rulesOf(game).check(game)).toEqual([]);
      });

      test('its law covers the whole block, tier by tier, and tells all outcomes apart', () => {
        const tickets = law.reduce((sum, tier) => sum + tier.count, 0);
        expect(tickets).toBe(game.blockSize);
        expect(law.map(({ prizeCents }) => prizeCents)).toEqual([
          ...stake.tiers.map(({ prizeCents }) => prizeCents),
          0,
        ]);
        const weights = law.flatMap(({ features }) => features.map(({ weight }) => weight));
        expect(Math.min(...weights)).toBeGreaterThan(0);
        const keys = outcomes.map(
          (item) => `${item.prizeCents}|${item.combination}|${item.feature}`,
        );
        expect(new Set(keys).size).toBe(outcomes.length);
      });

      test('its quotas add up to the block for any seed', () => {
        fc.assert(
          fc.property(fc.nat(), (seed) => {
            const quotas = drawQuotas(law, streamOf(seed));
            expect(quotas.reduce((sum, count) => sum + count, 0)).toBe(game.blockSize);
          }),
          { numRuns: 20 },
        );
      });

      test('its synthesizer makes of every outcome what its evaluator recognises', () => {
        fc.assert(
          fc.property(someOutcomes, fc.nat(), (ticketOutcomes, seed) => {
            const text = Buffer.from(encoded(drawn(ticketOutcomes, seed))).toString('ascii');
            const records = text
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line) as Record);
            records.forEach((record, index) => {
              const outcome = defined(outcomes[ticketOutcomes[index] ?? 0], 'an outcome');
              const { prizeCents, combination, feature } = outcome;
              const { faults, evaluation } = evaluator.explain(record.grids);
              expect(faults).toEqual([]);
              expect(evaluation).toEqual({ prizeCents, combination, feature });
              expect(record.grids).toHaveLength(outcome.gridCount);
              expect(record).toMatchObject({ prize_cents: prizeCents, combination });
            });
          }),
          { numRuns: 60 },
        );
      });

      test('both paths of its evaluator agree, on right tickets and on altered ones', () => {
        const letters = [...game.symbols.map(({ code }) => code), 'Z'].join('');
        const alteration = fc.record({ at: fc.nat(), letter: fc.nat(letters.length - 1) });
        fc.assert(
          fc.property(
            fc.nat(outcomes.length - 1),
            fc.nat(),
            fc.array(alteration, { maxLength: 3 }),
            (outcome, seed, alterations) => {
              const chunk = drawn([outcome], seed);
              const line = encoded(chunk);
              const bytes = new Uint8Array(line.length + READ_AHEAD_BYTES);
              bytes.set(line);
              const record = decoder.newRecord();
              const window = byteWindow(bytes);
              expect(decoder.decode(window, 0, record)).toBe(line.length);
              const rowCount = record.gridCount * game.grid.rows;
              for (const { at, letter } of alterations) {
                const row = record.rowStarts[at % rowCount] ?? 0;
                bytes[row + (at % game.grid.columns)] = letters.charCodeAt(letter);
              }
              const { grids } = JSON.parse(
                Buffer.from(bytes.subarray(0, line.length)).toString(),
              ) as Record;
              const { faults, evaluation } = evaluator.explain(grids);
              const index = evaluator.evaluate(window, record);
              if (faults.length > 0) expect(index).toBe(-1);
              else expect(evaluator.evaluations[index]).toEqual(evaluation);
            },
          ),
          { numRuns: 300 },
        );
      });

      test('the same stream gives the same rows, whatever was drawn before', () => {
        const chunk = outcomes.map((_, index) => index).slice(0, CHUNK_TICKETS);
        const first = encoded(drawn(chunk, 7));
        drawn(chunk.toReversed(), 8);
        expect(Buffer.compare(encoded(drawn(chunk, 7)), first)).toBe(0);
        expect(Buffer.compare(encoded(drawn(chunk, 9)), first)).not.toBe(0);
      });
    },
  );
}
