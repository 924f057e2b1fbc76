import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');

function readSchema(name: string): object {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as object;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addSchema(readSchema('report'));
const validate = ajv.compile(readSchema('audit'));

/** What is wrong with the JSON of an audit's report by its schema; nothing where it fits. */
export function auditSchemaErrors(json: string): readonly unknown[] {
  return validate(JSON.parse(json)) ? [] : (validate.errors ?? []);
}
