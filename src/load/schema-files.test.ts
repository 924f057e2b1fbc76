import { expect, test } from '@jest/globals';
import { readSchemaFile } from './schema-files.js';

test('a file of SQL is read', () => {
  expect(readSchemaFile('sqlite', 'sell.sql')).toContain(':reference');
});

test('a file that is missing is named', () => {
  expect(() => readSchemaFile('sqlite', 'nothing.sql')).toThrow(
    /^cannot read .*schemas.sqlite.nothing\.sql: there is no such file or folder; check the path$/,
  );
});
