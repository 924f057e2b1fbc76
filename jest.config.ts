/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import longSuites from './scripts/jest/long-suites.json' with { type: 'json' };

/**
 * Two runs share this file: the normal one, and the long one (GEN_BLOCK_LONG=1) with nothing but
 * the `*.long.test.ts` files, whose coverage alone would say nothing.
 *
 * The normal run has two projects, which differ in one thing: what the campaigns and the suites of whole
 * blocks cover is not counted. V8 counts each turn of a loop, which takes as much time as the turn; and
 * where the program runs in processes of its own there is nothing to count.
 */
const isLongRun = process.env['GEN_BLOCK_LONG'] === '1';

const projectConfig: Config = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript's ESM imports name the compiled file; the tests load its source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/output/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

/** What Jest takes for a whole run only, and not from a project. */
const runConfig: Config = {
  maxWorkers: '100%',
  // Shared machines can be slow by turns; a test that hangs is still found out.
  testTimeout: 120_000,
};

const UNCOUNTED = longSuites.uncounted.map((path) => `<rootDir>/${path}`);
const NOT_NORMAL = ['/node_modules/', '\\.long\\.test\\.ts$'];

const normalConfig: Config = {
  ...runConfig,
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  projects: [
    {
      ...projectConfig,
      displayName: 'uncounted',
      runner: '<rootDir>/scripts/jest/uncounted-runner.mjs',
      testMatch: UNCOUNTED,
    },
    {
      ...projectConfig,
      displayName: 'counted',
      testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/fixtures/**/*.test.ts'],
      testPathIgnorePatterns: [...NOT_NORMAL, ...UNCOUNTED],
    },
  ],
  coverageProvider: 'v8',
  collectCoverageFrom: ['<rootDir>/src/**/*.ts', '!**/*.test.ts', '!**/*.d.ts', '!src/testing/**'],
  coverageReporters: ['text', 'lcovonly'],
  coverageThreshold: { global: { lines: 95, branches: 90 } },
};

const longConfig: Config = {
  ...projectConfig,
  ...runConfig,
  testMatch: ['<rootDir>/src/**/*.long.test.ts', '<rootDir>/fixtures/**/*.long.test.ts'],
};

export default isLongRun ? longConfig : normalConfig;
