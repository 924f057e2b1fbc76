import { describe, expect, test } from '@jest/globals';
import { MachineError } from './errors.js';
import { loadOptional } from './optional-package.js';
import { OPTIONAL_PACKAGES } from './tool-version.js';

const PART = { what: 'PostgreSQL', packages: ['pg', 'pg-copy-streams'] };

const rejecting = (error: unknown) => async (): Promise<never> => {
  await Promise.resolve();
  throw error;
};

describe('a part that an installation can leave out', () => {
  test('comes as it is where it is there', async () => {
    await expect(loadOptional(PART, async () => Promise.resolve(5))).resolves.toBe(5);
  });

  test.each([
    ['no such package', { code: 'ERR_MODULE_NOT_FOUND', message: "Cannot find package 'pg'" }],
    ['a binary for another system', { code: 'ERR_DLOPEN_FAILED', message: 'wrong ELF class' }],
    ['no binary for this system', { message: 'No native build was found for linux-s390x' }],
  ])('is said how to add: %s', async (_, fields) => {
    const cause = Object.assign(new Error(fields.message), fields);
    const error: unknown = await loadOptional(PART, rejecting(cause)).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(MachineError);
    const exact = PART.packages.map((name) => `${name}@${OPTIONAL_PACKAGES.get(name) ?? ''}`);
    expect(exact).toEqual([
      expect.stringMatching(/^pg@\d+\.\d+\.\d+$/),
      expect.stringMatching(/^pg-copy-streams@\d+\.\d+\.\d+$/),
    ]);
    expect(error).toMatchObject({
      code: 'ERR_MODULE_NOT_FOUND',
      cause,
      message: `PostgreSQL needs packages that are not installed, or not for this system; add with: npm install ${exact.join(' ')}`,
    });
  });

  test('hides no other fault', async () => {
    const fault = new SyntaxError('Unexpected token');
    await expect(loadOptional(PART, rejecting(fault))).rejects.toBe(fault);
  });
});
