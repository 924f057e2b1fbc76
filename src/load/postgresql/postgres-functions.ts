import type { Client } from 'pg';

/** A function of the schema, as a migration writes it. */
const FUNCTION = /create (?:or replace )?function gen_block\.(\w+)\([^$]*?\bas \$\$([^]*?)\$\$/g;

/**
 * Which functions of a database are not those of its schema, a line each. What sells is among them, and it
 * runs with its owner's rights.
 *
 * @param migrations - The SQL that the schema was made by; a later one replaces functions of an earlier.
 */
export async function functionFaults(
  client: Client,
  migrations: readonly string[],
): Promise<readonly string[]> {
  const expected = new Map(
    migrations.flatMap((sql) =>
      [...sql.matchAll(FUNCTION)].map(([, name = '', body = '']) => [name, body] as const),
    ),
  );
  const { rows } = await client.query<{ readonly name: string; readonly body: string }>(
    `select proname::text as name, prosrc as body from pg_catalog.pg_proc
       where pronamespace = 'gen_block'::regnamespace`,
  );
  const found = new Map(rows.map(({ name, body }) => [name, body]));
  const faults = [...expected].flatMap(([name, body]) => {
    if (found.get(name) === body) return [];
    const problem = found.has(name) ? 'is not that of the schema' : 'is missing';
    return [`the function ${name} ${problem}`];
  });
  const others = rows.filter(({ name }) => !expected.has(name));
  return [...faults, ...others.map(({ name }) => `the function ${name} is not of the schema`)];
}
