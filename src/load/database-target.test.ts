import { expect, test } from '@jest/globals';
import { parseDatabaseTarget } from './database-target.js';

test.each([
  ['sqlite:sales.db', 'sales.db'],
  ['sqlite:/var/lib/lottery/sales.db', '/var/lib/lottery/sales.db'],
  ['sqlite:a b:c', 'a b:c'],
])('%s is a file of SQLite', (text, path) => {
  expect(parseDatabaseTarget(text)).toEqual({ kind: 'sqlite', path });
});

test.each([
  ['postgres://', false],
  ['postgresql://db.example/sales', false],
  ['postgres://loader@db.example:5433/sales', false],
  ['postgres://loader:secret@db.example/sales', true],
  ['postgres://loader:@db.example/sales', true],
  ['postgres://db.example/sales?password=secret', true],
  ['postgres://db.example/sales?user=a&password=secret', true],
  ['postgres://db.example/a:b@c', false],
])('%s is a server of PostgreSQL; it has a password: %s', (url, hasPassword) => {
  expect(parseDatabaseTarget(url)).toEqual({ kind: 'postgresql', url, hasPassword });
});

test.each(['', 'sales.db', 'sqlite:', 'sqlite', 'postgres:', 'mysql://db/sales', 'http://db'])(
  '%j is no database',
  (text) => {
    expect(parseDatabaseTarget(text)).toBeUndefined();
  },
);
