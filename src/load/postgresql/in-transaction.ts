import type { PostgresConnection } from './postgres-connection.js';
import { UncertainCommit } from './postgres-error.js';

/** The isolation that everything here is made for, whatever the server's default is. */
export const READ_COMMITTED = 'begin isolation level read committed';

/**
 * Does some work in a transaction, which is committed at its end and rolled back where it fails.
 *
 * @param begin - The statement that begins it.
 * @throws UncertainCommit where the commit was sent and nothing has come back.
 */
export async function inTransaction<T>(
  connection: PostgresConnection,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  const { client } = connection;
  await client.query(begin);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Over a connection that was cut nothing can be said any more: the server rolls back by itself.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  connection.isCommitting = true;
  try {
    await client.query('commit');
  } catch (error) {
    throw new UncertainCommit(error);
  } finally {
    connection.isCommitting = false;
  }
  return result;
}
