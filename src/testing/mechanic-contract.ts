import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateBlock } from '../block/generate-block.js';
import { CHUNK_TICKETS } from '../core/ticket-chunk.js';
import type { Definition } from '../definitions/definition.js';
import type { Game } from '../definitions/game.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { gameFacts } from '../view/game-facts.js';
import { checkedJson } from './checked-json.js';
import { lawChecks, synthesizerChecks } from './mechanic-contract-drawing.js';
import { auditChecks, evaluatorChecks, pictureChecks } from './mechanic-contract-judging.js';
import { MechanicLab, type ContractCheck } from './mechanic-parts.js';
import { folderMaker } from './sample-requests.js';

/** Whole blocks of larger games take too long to be made here. */
const MOST_BLOCK_TICKETS = CHUNK_TICKETS;

/** What is asked about a game needs its sources, and nothing else of its definition. */
const WITHOUT_SOURCES = { sources: [] as const } as unknown as Definition;

/** All that any mechanic must keep, whatever its game: its parts, written apart, agree. */
export const CONTRACT: readonly ContractCheck[] = [
  ...lawChecks,
  ...synthesizerChecks,
  ...evaluatorChecks,
  ...pictureChecks,
  ...auditChecks,
];

/**
 * What any mechanic must keep. A new mechanic calls this with a game of its own for each thing that it
 * can do; one of them should be small, so that a whole block of it is made.
 *
 * @param name - What the game shows, for the titles of the tests.
 */
export function describeMechanicContract(name: string, game: Game): void {
  describe.each(game.stakes)(
    `${name} keeps the contract at a stake of $stakeCents cents`,
    (stake) => {
      let lab: MechanicLab;

      beforeAll(() => {
        lab = new MechanicLab(game, stake);
      });

      const isFirst = stake === game.stakes[0];
      test.each(CONTRACT.filter(({ isForOneStake = false }) => isFirst || !isForOneStake))(
        '$title',
        async ({ check }) => {
          await check(lab);
        },
      );
    },
  );

  if (game.blockSize > MOST_BLOCK_TICKETS) return;
  const makeFolder = folderMaker();
  test(`a block of ${name} is made, conforms, and fits the schemas of all that is said of it`, async () => {
    const { report, folder } = await generateBlock(
      {
        game,
        stakeCents: game.stakes[0]?.stakeCents ?? 0,
        seed: Buffer.from('the contract of mechanics'),
        engine: 'chacha20',
        emission: 1,
        block: 1,
      },
      { outputFolder: makeFolder(), formats: ['ndjson', 'csv'] },
    );
    expect(report.findings).toEqual([]);
    expect(report.tickets).toBe(game.blockSize);
    // A right manifest is known by its bytes, so the program itself does not ask its schema.
    checkedJson('manifest', readFileSync(join(folder, MANIFEST_FILE), 'utf8'));
    checkedJson('report', JSON.stringify(report));
    checkedJson(
      'games',
      JSON.stringify({ games: [gameFacts({ definition: WITHOUT_SOURCES, game })] }),
    );
  });
}
