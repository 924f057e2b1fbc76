/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/**
 * Two runs share this file: the normal one, and the long one (GEN_BLOCK_LONG=1) with nothing but
 * the `*.long.test.ts` files, whose coverage alone would say nothing.
 */
const isLongRun = process.env['GEN_BLOCK_LONG'] === '1';

const commonConfig: Config = {
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
  maxWorkers: '100%',
  // Shared machines can be slow by turns; a test that hangs is still found out.
  testTimeout: 120_000,
};

const normalConfig: Config = {
  ...commonConfig,
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/fixtures/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['<rootDir>/src/**/*.ts', '!**/*.test.ts', '!**/*.d.ts', '!src/testing/**'],
  coverageReporters: ['text', 'lcovonly'],
  coverageThreshold: { global: { lines: 95, branches: 90 } },
};

const longConfig: Config = {
  ...commonConfig,
  testMatch: ['<rootDir>/src/**/*.long.test.ts', '<rootDir>/fixtures/**/*.long.test.ts'],
};

export default isLongRun ? longConfig : normalConfig;
