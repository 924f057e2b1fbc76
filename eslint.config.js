import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/*
 * A rule that a later block sets again is replaced, not merged. So each group of bans is a list
 * here, and every block spells out the whole set that holds for its files.
 */

const NO_DEFAULT_EXPORT = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name.',
  },
  {
    selector: "ExportSpecifier[exported.name='default']",
    message: 'Export by name.',
  },
];

const NO_LOCALE = [
  {
    selector: 'MemberExpression[property.name=/^(toLocale\\w*|localeCompare)$/]',
    message: 'The result depends on the locale: compare by code unit and format by hand.',
  },
];

const NO_PROCESS_EXIT = [
  {
    object: 'process',
    property: 'exit',
    message: 'It cuts piped output short: set process.exitCode and return.',
  },
];

const NO_MATH_RANDOM = [
  {
    object: 'Math',
    property: 'random',
    message: 'It cannot be replayed: draw from a seeded stream.',
  },
];

const NO_ENVIRONMENT_OR_CLOCK = [
  {
    object: 'process',
    property: 'env',
    message: 'Only src/cli reads the environment: take the value as a parameter.',
  },
  ...['hrtime', 'uptime'].map((property) => ({
    object: 'process',
    property,
    message: 'Only src/cli reads the clock.',
  })),
];

const NO_INTL = [{ name: 'Intl', message: 'The result depends on the locale.' }];

const NO_CLOCK = ['Date', 'performance'].map((name) => ({
  name,
  message: 'Only src/cli reads the clock.',
}));

const NO_PROCESS_EXIT_IMPORT = ['process', 'node:process'].map((name) => ({
  name,
  importNames: ['exit'],
  message: 'It cuts piped output short: set process.exitCode and return.',
}));

const NO_ENVIRONMENT_OR_CLOCK_IMPORT = [
  ...['process', 'node:process'].map((name) => ({
    name,
    importNames: ['exit', 'env', 'hrtime', 'uptime'],
    message: 'Use the global `process`, so that the bans on its properties hold.',
  })),
  ...['perf_hooks', 'node:perf_hooks'].map((name) => ({
    name,
    message: 'Only src/cli reads the clock.',
  })),
];

/** Sets `no-restricted-globals` so that `globalThis.Date` counts as `Date`. */
function restrictGlobals(globals) {
  return ['error', { globals, checkGlobalObject: true }];
}

export default defineConfig(
  {
    ignores: ['dist/', 'coverage/', 'output/', 'bench/results/'],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  eslint.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', URL: 'readonly' } },
  },
  {
    rules: {
      eqeqeq: 'error',
      'no-restricted-properties': ['error', ...NO_PROCESS_EXIT],
      'no-restricted-imports': ['error', { paths: NO_PROCESS_EXIT_IMPORT }],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // The strict choices, but for numbers.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        {
          allowAny: false,
          allowBoolean: false,
          allowNever: false,
          allowNullish: false,
          allowNumber: true,
          allowRegExp: false,
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['*.config.ts'],
    rules: { 'no-restricted-syntax': ['error', ...NO_DEFAULT_EXPORT] },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...NO_DEFAULT_EXPORT, ...NO_LOCALE],
      'no-restricted-properties': [
        'error',
        ...NO_PROCESS_EXIT,
        ...NO_MATH_RANDOM,
        ...NO_ENVIRONMENT_OR_CLOCK,
      ],
      'no-restricted-globals': restrictGlobals([...NO_INTL, ...NO_CLOCK]),
      'no-restricted-imports': ['error', { paths: NO_ENVIRONMENT_OR_CLOCK_IMPORT }],
    },
  },
  {
    // The command line reads the environment and measures time; a test sets both for others.
    files: ['src/cli/**/*.ts', 'src/testing/**/*.ts', 'src/**/*.test.ts'],
    rules: {
      'no-restricted-properties': ['error', ...NO_PROCESS_EXIT, ...NO_MATH_RANDOM],
      'no-restricted-globals': restrictGlobals(NO_INTL),
      'no-restricted-imports': ['error', { paths: NO_PROCESS_EXIT_IMPORT }],
    },
  },
  {
    // A declaration describes a package of others, default export and all.
    files: ['**/*.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // JSON.parse and expect.any() are of type any: in a test the assertion itself is the check.
    files: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
