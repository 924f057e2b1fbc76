import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { defined } from '../core/assert.js';
import { jsonPointer } from '../core/json-pointer.js';
import { describeValue, type Problem } from './problem.js';

/** The schemas in `schemas/`, by the beginning of their names. */
export type SchemaName = 'definition' | 'jobs' | 'manifest';

const require = createRequire(import.meta.url);

/**
 * Holds any JSON value against one of the schemas.
 *
 * @returns What does not fit; an empty list where all does.
 */
export function schemaProblems(name: SchemaName, value: unknown): readonly Problem[] {
  const validator = loadValidator(name);
  if (validator(value)) return [];
  const errors = validator.errors ?? [];
  return errors.filter(({ keyword }) => keyword !== 'if').map(toProblem);
}

/**
 * Loads what the build has compiled of the schema, when it is needed first: to load ajv and to compile
 * here would take some 150 ms of each run. Node keeps what it has loaded.
 */
function loadValidator(name: SchemaName): ValidateFunction {
  return require(`../../dist/validators/${name}.cjs`) as ValidateFunction;
}

type Params = Readonly<Record<string, unknown>>;

/** What a keyword asks for, out of the parameters of ajv's error and the title of the schema. */
type Expectation = (params: Params, title: unknown) => string;

/** For each keyword that the schema uses. */
const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  type: ({ type }) => [type].flat().map(typeWords).join(' or '),
  const: ({ allowedValue }) => describeValue(allowedValue),
  enum: ({ allowedValues }) => [allowedValues].flat().map(describeValue).join(' or '),
  minimum: ({ limit }) => `at least ${String(limit)}`,
  maximum: ({ limit }) => `at most ${String(limit)}`,
  maxLength: ({ limit }) => `at most ${String(limit)} characters`,
  minItems: ({ limit }) => `at least ${String(limit)} in the list`,
  uniqueItems: () => 'each only once',
  maxItems: ({ limit }) => `at most ${String(limit)} in the list`,
  pattern: (_, title) => String(title),
  required: () => 'this field',
  additionalProperties: () => 'no such field',
  'false schema': () => 'no such field here',
};

const TYPE_WORDS: ReadonlyMap<unknown, string> = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'text in quotes'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['null', 'null'],
]);

function typeWords(type: unknown): string {
  return defined(TYPE_WORDS.get(type), `words for the type ${String(type)}`);
}

function toProblem({ keyword, instancePath, params, data, parentSchema }: ErrorObject): Problem {
  const fields = params as Params;
  const expectation = defined(EXPECTATIONS[keyword], `words for the keyword ${keyword}`);
  const expected = expectation(fields, parentSchema?.['title']);
  const { missingProperty, additionalProperty } = fields;
  if (typeof missingProperty === 'string') {
    const pointer = instancePath + jsonPointer([missingProperty]);
    return { pointer, found: 'nothing', expected };
  }
  if (typeof additionalProperty === 'string') {
    const pointer = instancePath + jsonPointer([additionalProperty]);
    const found = describeValue((data as Params)[additionalProperty]);
    return { pointer, found, expected };
  }
  return { pointer: instancePath, found: describeValue(data), expected };
}
