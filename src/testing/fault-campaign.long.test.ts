import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { main } from './fault-campaign/main.js';

jest.setTimeout(7_200_000);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('a batch comes through the whole fault campaign', async () => {
  let said = '';
  const exitCode = await main(ROOT, ['--seed', '1'], (text) => {
    said += text;
  });
  expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
});
