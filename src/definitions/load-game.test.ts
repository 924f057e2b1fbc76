import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { checkDefinition } from './check-definition.js';
import { DefinitionError } from './definition-error.js';
import {
  findStake,
  gameIds,
  loadDefinition,
  loadDefinitionFile,
  loadGame,
  parseDefinition,
} from './load-game.js';

const GAMES_FOLDER = fileURLToPath(new URL('games', import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), 'gen-block-definitions-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** The error with which text is refused as a definition. */
function refusalOf(text: string): DefinitionError {
  try {
    parseDefinition(text, 'x.json');
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return error as DefinitionError;
  }
  throw new Error('the definition was expected to be refused');
}

describe('the games shipped', () => {
  test('are those in their folder', () => {
    expect(readdirSync(GAMES_FOLDER)).toEqual(gameIds().map((id) => `${id}.json`));
  });

  test.each(gameIds())('pass the check that their hash stands for: %s', (id) => {
    const { problems, game } = checkDefinition(loadDefinition(id));
    expect(problems).toEqual([]);
    expect(loadGame(id)).toEqual(game);
    expect(loadGame(id).id).toBe(id);
  });

  // Shell: jq -cjS . src/definitions/games/eldorado.json | sha256sum
  test.each([
    ['eldorado', 'dbdfa18992f9330a66310d1a9de62f42dafbc82116b07c0421169dd5bfac7100'],
    ['lagon-paradis', '050a4b5f8b62665c9e572da6e7a4779cea0d033b0c9d1fbf86c9dad40b2e3976'],
  ])('have the hash that other tools compute: %s', (id, hash) => {
    expect(loadGame(id).definitionSha256).toBe(hash);
  });

  test.each(gameIds())('come out of their files like any definition: %s', (id) => {
    expect(loadDefinitionFile(path.join(GAMES_FOLDER, `${id}.json`))).toEqual(loadGame(id));
  });

  test.each(['Eldorado', '', '../games/eldorado', '__proto__', 'a\u001bb'])(
    'do not include "%s"',
    (id) => {
      const load = (): unknown => loadGame(id);
      expect(load).toThrow(expect.objectContaining({ code: 'unknown-game' }));
      expect(load).toThrow(/^there is no game ".*"; choose eldorado or lagon-paradis, /);
      expect(load).not.toThrow('\u001b');
    },
  );
});

/** Article 3 of both regulations: per stake the tickets that win, their prizes and 70 % of sales. */
describe("the regulations' sums", () => {
  test.each([
    ['eldorado', 900_000, 50, 151_157, 31_500_000],
    ['eldorado', 900_000, 100, 151_157, 63_000_000],
    ['eldorado', 900_000, 200, 151_157, 126_000_000],
    ['lagon-paradis', 800_000, 50, 170_302, 28_000_000],
    ['lagon-paradis', 800_000, 100, 170_302, 56_000_000],
    ['lagon-paradis', 800_000, 200, 170_302, 112_000_000],
  ])('hold: %s, %i tickets at %i cents', (id, blockSize, stakeCents, winners, prizesCents) => {
    const game = loadGame(id);
    const { tiers } = findStake(game, stakeCents);
    expect(game.blockSize).toBe(blockSize);
    expect(tiers.reduce((sum, { count }) => sum + count, 0)).toBe(winners);
    expect(tiers.reduce((sum, tier) => sum + tier.count * tier.prizeCents, 0)).toBe(prizesCents);
    expect(prizesCents * 10).toBe(blockSize * stakeCents * 7);
  });
});

describe('a definition of the user', () => {
  test('has a hash that its layout and the order of its keys do not change', () => {
    const definition = sampleDefinition('rows-plain');
    const reversed = Object.fromEntries(Object.entries(definition).toReversed());
    const [first, second] = [definition, reversed].map((value, index) =>
      parseDefinition(JSON.stringify(value, undefined, index), 'x.json'),
    );
    expect(first?.definitionSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toEqual(first);
  });

  test('is loaded from its file', () => {
    const file = path.join(folder, 'rows.json');
    const text = JSON.stringify(sampleDefinition('rows-plain'));
    writeFileSync(file, text);
    expect(loadDefinitionFile(file)).toEqual(parseDefinition(text, file));
    expect(parseDefinition(readFileSync(file), file)).toEqual(parseDefinition(text, file));
  });

  test('must have a file', () => {
    expect(() => loadDefinitionFile(path.join(folder, 'missing.json'))).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    );
  });

  test('must be strict JSON', () => {
    const text = JSON.stringify(sampleDefinition('rows-plain')).replace('1000', '1e3');
    expect(() => parseDefinition(text, 'x.json')).toThrow(
      expect.objectContaining({ code: 'bad-json', place: 'x.json:1:104' }),
    );
  });

  test('may have a megabyte, and not a byte more', () => {
    const text = JSON.stringify(sampleDefinition('rows-plain')).padEnd(1024 * 1024);
    const file = path.join(folder, 'large.json');
    expect(parseDefinition(text, 'x.json').id).toBe('rows-plain');
    expect(() => parseDefinition(`${text} `, 'x.json')).toThrow(
      'x.json: the text is longer than 1,048,576 bytes',
    );
    writeFileSync(file, `${text} `);
    expect(() => loadDefinitionFile(file)).toThrow('the text is longer than 1,048,576 bytes');
  });

  test('with one problem is refused with it', () => {
    const error = refusalOf(JSON.stringify(sampleDefinition('rows-plain', ['/block_size', 0])));
    const problem = { pointer: '/block_size', found: '0', expected: 'at least 1' };
    expect(error).toMatchObject({ code: 'bad-definition', place: 'x.json', problemCount: 1 });
    expect(error.problems).toEqual([problem]);
    expect(error.message).toBe(
      'x.json: 1 problem in the definition; /block_size: found 0, expected at least 1',
    );
  });

  test('with a hundred problems is refused with the first twenty', () => {
    const extra = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 0]));
    const definition = { ...sampleDefinition('rows-plain'), ...extra };
    const error = refusalOf(JSON.stringify(definition));
    expect(error.problemCount).toBe(100);
    expect(error.problems).toHaveLength(20);
    expect(error.message).toBe(
      'x.json: 100 problems in the definition; /f0: found 0, expected no such field',
    );
  });
});

describe('a stake', () => {
  test('is found by its price', () => {
    expect(findStake(loadGame('eldorado'), 50).tiers[0]).toEqual({ prizeCents: 500_000, count: 1 });
  });

  test('that is not sold is refused with those that are', () => {
    const find = (): unknown => findStake(loadGame('eldorado'), 300);
    expect(find).toThrow(expect.objectContaining({ code: 'unknown-stake' }));
    expect(find).toThrow('Eldorado is not sold at 3.00 euros; choose a stake of 0.50, 1.00, 2.00');
  });
});
