import { expect, jest, test } from '@jest/globals';
import { readJsonFile } from '../core/read-json-file.js';

jest.unstable_mockModule('../core/read-json-file.js', () => ({
  readJsonFile: (file: string) => ({ ...(readJsonFile(file) as object), block_size: 900_001 }),
}));

test('a definition that was altered after shipping is refused', async () => {
  const { loadGame } = await import('./load-game.js');
  const load = (): unknown => loadGame('eldorado');
  expect(load).toThrow(expect.objectContaining({ code: 'bad-definition' }));
  expect(load).toThrow(
    /eldorado\.json: the definition's hash is [0-9a-f]{64} where [0-9a-f]{64} was shipped; install gen-block again/,
  );
});
