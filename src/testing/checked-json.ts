import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { ValidateFunction } from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

const CHECKS = new Map<string, ValidateFunction>();

/** The check of values against a schema in `schemas/`; each schema is compiled once. */
export function schemaCheck(schema: string): ValidateFunction {
  const check = CHECKS.get(schema) ?? compileSchema(schema);
  CHECKS.set(schema, check);
  return check;
}

function compileSchema(schema: string): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const url = new URL(`../../schemas/${schema}.schema.json`, import.meta.url);
  return new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync(url, 'utf8')) as object);
}

/** What a command has printed as JSON, held against its schema in `schemas/`. */
export function checkedJson(schema: string, json: string): unknown {
  const validate = schemaCheck(schema);
  const value: unknown = JSON.parse(json);
  expect([validate(value), validate.errors]).toEqual([true, null]);
  return value;
}
